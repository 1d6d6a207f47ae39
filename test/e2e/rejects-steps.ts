// Owns the steps that journeys over rejects share: sending a bad batch, opening it, mending it, seeing it landed.
// Never speaks to the engine where the window can: only to send, and to read what landed.

import type { Locator } from '@playwright/test';
import type { AdminClient } from '../helpers/admin.ts';
import { type Face, goTo, see } from '../helpers/face.ts';
import { post, type Server } from '../helpers/server.ts';

/** A reject as its producer was told of it. */
export interface Sent {
  readonly stream: string;
  readonly status: number;
  readonly code: string;
  readonly detail: string;
  readonly rejectId: string;
  readonly batchId: string;
}

/** Sends a batch that must be rejected. */
export const reject = async (
  server: Server,
  stream: string,
  body: string | Uint8Array,
  headers: Readonly<Record<string, string>> = {},
): Promise<Sent> => {
  const sent = typeof body === 'string' ? body : new Uint8Array(body);
  const answer = await post(server.stream('main', stream), sent, headers);
  const document = await answer.json();
  if (answer.status === 200) throw new Error(`It landed: ${JSON.stringify(document)}`);
  const { code, detail, reject_id: rejectId, batch_id: batchId } = document;
  return { stream, status: answer.status, code, detail, rejectId, batchId };
};

/** What there is of one reject in the window. */
export const parts = ({ page }: Face) => ({
  inbox: page.getByRole('tree', { name: 'Rejects by cause' }),
  body: page.locator('#reject-body'),
  fix: page.getByRole('complementary', { name: 'Fix' }),
  editor: page.getByRole('textbox', { name: /^Body of / }),
  checked: page.locator('.fix-checked-line'),
});

/** Opens a reject by its address, and waits until its fix is checked. */
export const open = async (face: Face, { stream, rejectId }: Sent): Promise<void> => {
  await goTo(face, `rejects?at=${encodeURIComponent(`${stream}/${rejectId}`)}`);
  await see(face.page.getByRole('region', { name: `Reject ${rejectId}` })).toBeVisible();
};

/** Chooses a fix by its words. */
export const choose = async (face: Face, words: string | RegExp): Promise<Locator> => {
  const radio = parts(face).fix.getByRole('radio', { name: words });
  await radio.check();
  return radio;
};

/** Puts a text in the editor in place of what is there. */
export const write = async (face: Face, text: string): Promise<void> => {
  const { editor } = parts(face);
  await editor.focus();
  await face.page.keyboard.press('ControlOrMeta+a');
  await face.page.keyboard.press('Delete');
  await face.page.keyboard.insertText(text);
};

/** Rows of a batch: the line and what its columns have, without those that are null. */
export const rowsOfBatch = async (
  admin: AdminClient,
  stream: string,
  batchId: string,
): Promise<(readonly [number, Readonly<Record<string, string>>])[]> => {
  const at = { knowledgebase: 'main', stream };
  const page = await admin.streams.rows({ ...at, limit: 1_000 });
  return page.rows
    .filter((row) => row.batchId === batchId)
    .map(({ line, values }) => {
      const named = page.columns.flatMap((column, index) => {
        const value = values[index];
        return typeof value === 'string' ? [[column, value] as const] : [];
      });
      return [line, Object.fromEntries(named)] as const;
    });
};

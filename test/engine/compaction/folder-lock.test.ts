// The lock on data files: many share it, one has it alone, across processes too; recovery does not look while files move.

import { closeSync, openSync } from 'node:fs';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { recover } from '../../../core/engine/recover.ts';
import { rowsPage } from '../../../core/engine/rows-page.ts';
import type { AppError } from '../../../core/errors.ts';
import { createKnowledgebase } from '../../../core/knowledgebase/create.ts';
import {
  claimFolder,
  isFolderClaimedHere,
  shareFolder,
} from '../../../core/knowledgebase/folder-lock.ts';
import { openLedger } from '../../../core/ledger/open.ts';
import { land, openTestCore } from '../../helpers/core.ts';
import { removeTempFolders, tempFolder } from '../../helpers/server.ts';

afterAll(removeTempFolders);

describe('the lock on data files', () => {
  it('is shared by many, and alone by one, which nobody can be beside', () => {
    const paths = createKnowledgebase(tempFolder(), 'k');
    const [one, two] = [shareFolder(paths), shareFolder(paths)];
    expect([one === undefined, two === undefined, claimFolder(paths)]).toEqual([
      false,
      false,
      undefined,
    ]);
    one?.release();
    expect(claimFolder(paths)).toBe(undefined);
    two?.release();
    const alone = claimFolder(paths);
    expect([alone === undefined, isFolderClaimedHere(paths)]).toEqual([false, true]);
    expect([shareFolder(paths), claimFolder(paths)]).toEqual([undefined, undefined]);
    alone?.release();
    expect(isFolderClaimedHere(paths)).toBe(false);
    shareFolder(paths)?.release();
  });

  it('is refused where no file handle is left, not given without being there', {
    skip: process.platform === 'win32',
  }, () => {
    const paths = createKnowledgebase(tempFolder(), 'k');
    // The sidecars of SQLite need a handle too, so it is loaded first.
    claimFolder(paths)?.release();
    const handles: number[] = [];
    const holder = openSync(paths.settings, 'r');
    try {
      for (;;) handles.push(openSync(paths.settings, 'r'));
    } catch (error) {
      expect((error as NodeJS.ErrnoException).code).toBe('EMFILE');
    }
    try {
      expect(() => claimFolder(paths)).toThrow('unable to open database file');
      expect(() => shareFolder(paths)).toThrow('unable to open database file');
    } finally {
      for (const handle of [...handles, holder]) closeSync(handle);
    }
    claimFolder(paths)?.release();
  });

  it('keeps recovery from looking at files that this process is moving', () => {
    const paths = createKnowledgebase(tempFolder(), 'k');
    const ledger = openLedger(paths.ledger);
    onTestFinished(() => ledger.close());
    const alone = claimFolder(paths);
    const attempt = (): unknown => {
      try {
        return recover(paths, ledger);
      } catch (error) {
        return [(error as AppError).code, (error as AppError).message];
      }
    };
    expect(attempt()).toEqual(['writer_lock_held', 'Files are being moved by a compaction.']);
    alone?.release();
    expect(attempt()).toEqual({ recorded: 0, setAside: [], missing: [], swept: 0, broken: [] });
  });

  it('a page of rows waits until it is free again', async () => {
    const home = tempFolder();
    const core = openTestCore({ home });
    onTestFinished(() => core.close());
    const { paths, streams } = core.createKnowledgebase('k');
    await land(core, 's', '{"a":"1"}\n', 'b');
    await core.knowledgebase('k').views.settled(15_000);
    const alone = claimFolder(paths);
    let isDone = false;
    const request = { order: 'oldest', offset: 0, limit: 10, filters: [] } as const;
    const page = rowsPage(core.knowledgebase('k'), streams.get('s'), request).then((found) => {
      isDone = true;
      return found.rows.map(({ values }) => values);
    });
    for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate);
    expect(isDone).toBe(false);
    alone?.release();
    expect(await page).toEqual([['1']]);
  });
});

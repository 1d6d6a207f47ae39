// Owns handing a reject's body to a browser, as it came. Never as anything that a browser would show or run.

import { createReadStream, statSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { bodyPath } from '../engine/rejects/bodies.ts';
import { findReject } from '../engine/rejects/find.ts';
import { AppError } from '../errors.ts';
import type { Core } from '../open-core.ts';
import { sendFile } from './send-file.ts';

const REJECT = /^\/rejects\/([^/]+)\/([^/]+)\/([^/]+)$/;

/** Which reject's body a path is; undefined for another path. */
export const rejectPathOf = (
  path: string,
):
  | { readonly knowledgebase: string; readonly stream: string; readonly rejectId: string }
  | undefined => {
  const found = REJECT.exec(path)?.slice(1);
  if (!found) return undefined;
  try {
    const [knowledgebase = '', stream = '', rejectId = ''] = found.map(decodeURIComponent);
    return { knowledgebase, stream, rejectId };
  } catch {
    // Not percent-encoding.
    return undefined;
  }
};

/** Sends the body. Throws `no_such_reject`, `reject_body_gone`, and what finding the stream throws. */
export const sendReject = async (
  response: ServerResponse,
  core: Core,
  { knowledgebase: id, stream, rejectId }: NonNullable<ReturnType<typeof rejectPathOf>>,
): Promise<void> => {
  const knowledgebase = core.knowledgebase(id);
  const reject = findReject(knowledgebase, stream, rejectId);
  const path = bodyPath(knowledgebase, reject);
  const stat = statSync(path, { throwIfNoEntry: false });
  if (!stat) {
    throw new AppError('reject_body_gone', `The body of the reject ${rejectId} was removed.`);
  }
  response.setHeader('content-disposition', `attachment; filename="${reject.rejectId}.ndjson"`);
  await sendFile(response, createReadStream(path), stat.size);
};

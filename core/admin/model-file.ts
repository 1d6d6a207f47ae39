// Owns handing the model to a program or a person over HTTP: GET /model/{kb}.json and /model/{kb}.md.
// Never answers without the token; listen.ts checks it.

import type { ServerResponse } from 'node:http';
import { modelDocument } from '../ontology/show.ts';
import type { Core } from '../open-core.ts';

/** What is asked for. */
export interface ModelPath {
  readonly knowledgebase: string;
  readonly format: 'json' | 'markdown';
}

const MODEL = /^\/model\/([A-Za-z0-9_-]{1,63})\.(json|md)$/;

/** The model that a request asks for; undefined for another one. */
export const modelPathOf = (method: string | undefined, path: string): ModelPath | undefined => {
  const [, knowledgebase, end] = MODEL.exec(path) ?? [];
  if (method !== 'GET' || knowledgebase === undefined) return undefined;
  return { knowledgebase, format: end === 'md' ? 'markdown' : 'json' };
};

/** Sends the newest version. Throws `no_such_knowledgebase`, `no_such_version`, `model_store_none`. */
export const sendModel = async (
  response: ServerResponse,
  core: Core,
  { knowledgebase, format }: ModelPath,
): Promise<void> => {
  const { text } = await modelDocument(core.knowledgebase(knowledgebase).ontology, format);
  const type = format === 'json' ? 'application/json' : 'text/markdown; charset=utf-8';
  response.writeHead(200, {
    'content-type': type,
    'content-length': Buffer.byteLength(text),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  });
  response.end(text);
};

// Owns the pieces of a body as they are fetched: pages of lines, stretches of a long line, bytes, where a column is.
// A body never changes, so a piece is fetched once. Never renders.

import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { BodyPage } from '../../core/model.ts';
import { api, client } from '../api.ts';
import { pagesOf } from './line-layout.ts';
import { bytesOf, stretchAt } from './segments.ts';

/** Lines of a page, and how many bytes of each come with it. */
const PAGE_LINES = 100;
export const LINE_BYTES = 4_096;
/** Bytes of a page in hex, and of one that a column is looked for in. */
const PAGE_BYTES = 16_384;
const SCAN_BYTES = 262_144;

const KEPT = { staleTime: Number.POSITIVE_INFINITY, gcTime: 120_000 } as const;

/** Whose body is meant: of a reject as it came, or of one of its attempts. */
export interface BodyName {
  readonly knowledgebase: string;
  readonly stream: string;
  readonly rejectId: string;
  readonly attempt?: number | undefined;
}

export type BodyLine = Extract<BodyPage['piece'], { as: 'lines' }>['lines'][number];

/** What is known of a body, and the lines of the pages that rows from `from` to `to` are in; lines from 1. */
export const useBodyLines = (name: BodyName, from: number, to: number) => {
  // The first page says how large the body is.
  const pages = [...new Set([0, ...pagesOf(from - 1, to, PAGE_LINES)])];
  const results = useQueries({
    queries: pages.map((page) => ({
      ...api.rejects.body.queryOptions({
        input: {
          ...name,
          range: {
            ...({ as: 'lines', line: page * PAGE_LINES + 1, count: PAGE_LINES } as const),
            width: LINE_BYTES,
          },
        },
      }),
      ...KEPT,
    })),
    combine: (found) => ({
      pages: found.map(({ data }) => data),
      error: found.find(({ error }) => error)?.error ?? null,
    }),
  });
  // A body never changes: whose it is and which pages are there say what the lines are.
  const key = JSON.stringify([name, pages, results.pages.map((page) => page !== undefined)]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above.
  const lines = useMemo(() => {
    const known = new Map<number, BodyLine>();
    for (const page of results.pages) {
      if (page?.piece.as !== 'lines') continue;
      for (const line of page.piece.lines) known.set(line.line, line);
    }
    return known;
  }, [key]);
  return { whole: results.pages[0], lines, error: results.error };
};

/** A stretch of a body as text; characters are whole where it is UTF-8. */
export const useBodyText = (name: BodyName, offset: number, bytes: number) => {
  const { data } = useQuery({
    ...api.rejects.body.queryOptions({ input: { ...name, range: { as: 'text', offset, bytes } } }),
    ...KEPT,
  });
  return data?.piece.as === 'text' ? data.piece : undefined;
};

/** Pages of bytes, as base64, that bytes from `from` to `to` are in; by the page's first byte. */
export const useBodyBytes = (name: BodyName, from: number, to: number) => {
  const pages = pagesOf(from, to, PAGE_BYTES);
  return useQueries({
    queries: pages.map((page) => ({
      ...api.rejects.body.queryOptions({
        input: {
          ...name,
          range: { as: 'base64', offset: page * PAGE_BYTES, bytes: PAGE_BYTES } as const,
        },
      }),
      ...KEPT,
      placeholderData: keepPreviousData,
    })),
    combine: (found) => ({
      pages: new Map(
        found.flatMap(({ data }) =>
          data?.piece.as === 'base64' ? [[data.piece.offset, data.piece.base64] as const] : [],
        ),
      ),
      bodyBytes: found.find(({ data }) => data)?.data?.bodyBytes,
      error: found.find(({ error }) => error)?.error ?? null,
    }),
  });
};

/** Where a column of a line is, in bytes of the line from 0; undefined until it is known. */
export const useColumnOffset = (
  name: BodyName,
  line: Pick<BodyLine, 'offset' | 'bytes'> | undefined,
  column: number | null,
): number | undefined => {
  const { data } = useQuery({
    queryKey: ['column of a body', name, line?.offset ?? 0, column],
    queryFn: ({ signal }) =>
      columnOffset(name, line as Pick<BodyLine, 'offset' | 'bytes'>, column ?? 1, signal),
    enabled: line !== undefined && column !== null,
    ...KEPT,
  });
  return data;
};

/** The line is read as far as the column, and none of it is kept. */
const columnOffset = async (
  name: BodyName,
  line: Pick<BodyLine, 'offset' | 'bytes'>,
  column: number,
  signal: AbortSignal,
): Promise<number> => {
  let at = 0;
  let left = column - 1;
  while (at < line.bytes) {
    const bytes = Math.min(SCAN_BYTES, line.bytes - at);
    const { piece } = await client.rejects.body(
      { ...name, range: { as: 'text', offset: line.offset + at, bytes } },
      { signal },
    );
    if (piece.as !== 'text' || piece.bytes === 0) break;
    const { to, from } = stretchAt(piece.text, left + 1);
    if (to > from) {
      const before = piece.invalid.filter((one) => one.at < from);
      return at + bytesOf(piece.text.slice(0, from), before);
    }
    for (const _ of piece.text) left -= 1;
    at = piece.offset + piece.bytes - line.offset;
  }
  return line.bytes;
};

/** The whole text of a body, for editing; null where its bytes are not UTF-8 or a text would not be the same bytes. */
export const readWholeText = async (
  name: BodyName,
  bodyBytes: number,
  signal: AbortSignal,
): Promise<string | null> => {
  let text = '';
  let offset = 0;
  while (offset < bodyBytes) {
    const { piece } = await client.rejects.body(
      { ...name, range: { as: 'text', offset, bytes: Math.min(1_048_576, bodyBytes - offset) } },
      { signal },
    );
    if (piece.as !== 'text' || piece.invalid.length > 0 || piece.bytes === 0) return null;
    text += piece.text;
    offset = piece.offset + piece.bytes;
  }
  return bytesOf(text) === bodyBytes ? text : null;
};

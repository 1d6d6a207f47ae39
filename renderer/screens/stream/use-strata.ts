// Owns what the scrollbar of the rows shows: the stream's files as layers, and the one under the pointer in words.
// Never asks for every file of a large stream: the newest are drawn, of any other the engine says what it is.

import { useQuery } from '@tanstack/react-query';
import { useDeferredValue, useEffect, useMemo, useState } from 'react';
import type { PlacedBatch, StreamSummary } from '../../../core/model.ts';
import { api, client } from '../../api.ts';
import type { Layer } from '../../ui/band.tsx';
import type { Strata } from '../../ui/strata-scroll.tsx';
import { fileAt, filesOf, layersOf, wordsOf } from './file-layers.ts';
import type { RowsView } from './use-rows-view.ts';

const PAGE = 1_000;
const MOST_BATCHES = 3_000;
/** More px than the scrollbar will ever be high. */
const HIGH = 2_000;
const REST_MS = 80;

export interface StreamStrata {
  /** As the grid's scrollbar takes them; undefined while the rows are not those of the stream from end to end. */
  readonly scrollbar: Strata | undefined;
  /** The files, oldest first; none while they are not known. */
  readonly files: readonly Layer[];
}

/** The files of a stream as layers. */
export const useStrata = (
  knowledgebase: string,
  { stream, files: fileCount, looseFiles }: StreamSummary,
  { order, asOf, isFiltered }: RowsView,
): StreamStrata => {
  const rows = asOf?.rows ?? 0;
  const { data: newest } = useQuery({
    queryKey: ['strata', knowledgebase, stream, rows, fileCount - looseFiles],
    queryFn: () => newestBatches(knowledgebase, stream),
    enabled: rows > 0,
    // Landed files do not change while a person looks at them; more rows, or a compaction, are another key.
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: (before) => before,
  });
  const files = useMemo(() => (newest ? filesOf(newest) : undefined), [newest]);
  const oldestFirst = useMemo(
    () => (files === undefined ? [] : layersOf(files, rows, HIGH)),
    [files, rows],
  );
  const layers = useMemo(
    () => (order === 'newest' ? oldestFirst : oldestFirst.toReversed()),
    [oldestFirst, order],
  );
  const [pointed, setPointed] = useState<number | null>(null);
  const row = pointed === null ? null : order === 'newest' ? rows - 1 - pointed : pointed;
  const file = row === null || !files ? undefined : fileAt(files, row);
  const other = useOther(knowledgebase, stream, files && !file ? row : null);
  const found = file ?? (other ? filesOf([other])[0] : undefined);
  const words = useDeferredValue(found ? wordsOf(found) : null);
  return useMemo(() => {
    const isWhole = !isFiltered && layers.length > 0;
    const scrollbar = isWhole ? { layers, words, onPoint: setPointed } : undefined;
    return { scrollbar, files: oldestFirst };
  }, [isFiltered, layers, words, oldestFirst]);
};

const newestBatches = async (knowledgebase: string, stream: string): Promise<PlacedBatch[]> => {
  const all: PlacedBatch[] = [];
  for (;;) {
    const last = all.at(-1);
    const before = last === undefined ? {} : { beforeSeq: last.seq };
    const page = await client.streams.batches({ knowledgebase, stream, limit: PAGE, ...before });
    all.push(...page);
    if (page.length < PAGE || all.length >= MOST_BATCHES) return all;
  }
};

/** The batch of a row beyond those that are known, once the pointer rests. */
const useOther = (
  knowledgebase: string,
  stream: string,
  row: number | null,
): PlacedBatch | undefined => {
  const [rested, setRested] = useState<number | null>(null);
  useEffect(() => {
    const timer = setTimeout(() => setRested(row), REST_MS);
    return () => clearTimeout(timer);
  }, [row]);
  const { data: batchId } = useQuery({
    ...api.streams.rows.queryOptions({
      input: { knowledgebase, stream, offset: rested ?? 0, limit: 1 },
    }),
    select: (page) => page.rows[0]?.batchId,
    enabled: rested !== null,
    staleTime: 60_000,
  });
  const { data } = useQuery(
    api.streams.batch.queryOptions({
      input: { knowledgebase, stream, batchId: batchId ?? '' },
      enabled: rested !== null && batchId !== undefined,
      staleTime: 60_000,
    }),
  );
  return row !== null && row === rested ? data : undefined;
};

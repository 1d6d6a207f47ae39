// Owns the strata band of a row: the stream's files, to scale. Its count stands beside it in words.
// Never asks for the files of a stream that has more than could be drawn one by one.

import { useQuery } from '@tanstack/react-query';
import type { StreamSummary } from '../../../core/model.ts';
import { api } from '../../api.ts';
import { Band, type Layer } from '../../ui/band.tsx';

const WIDTH = 76;
const HEIGHT = 8;
/** A file and the px after it. */
const MOST = WIDTH / 2;

interface FilesBandProps {
  readonly knowledgebase: string;
  readonly stream: StreamSummary;
}

/** The band; nothing before the first batch. */
export const FilesBand = ({ knowledgebase, stream }: FilesBandProps) => {
  if (stream.files === 0) return <span />;
  if (stream.files > MOST) return <Drawn layers={HATCH} />;
  if (stream.files === 1) return <Drawn layers={[{ rows: 1, kind: 'loose' }]} />;
  return <FewFiles knowledgebase={knowledgebase} stream={stream} />;
};

/** More files than px: their thickness cannot be seen, so they are one hatch. */
const HATCH: readonly Layer[] = Array.from({ length: WIDTH }, () => ({ rows: 1, kind: 'loose' }));

const Drawn = ({ layers }: { layers: readonly Layer[] }) => (
  <Band layers={layers} width={WIDTH} height={HEIGHT} />
);

const FewFiles = ({ knowledgebase, stream: { stream, files } }: FilesBandProps) => {
  const options = api.streams.batches.queryOptions({
    input: { knowledgebase, stream, limit: MOST },
  });
  // Landed files never change, so they are asked for again only when there are more.
  const { data } = useQuery({
    ...options,
    queryKey: [...options.queryKey, files],
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: (before) => before,
  });
  if (!data) return <span />;
  return <Drawn layers={data.map(({ rows }) => ({ rows, kind: 'loose' as const })).reverse()} />;
};

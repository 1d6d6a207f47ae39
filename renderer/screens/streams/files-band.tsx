// Owns the strata band of a row: the stream's files, compacted and loose, to scale. Its count stands beside it in words.
// Never asks for the files of a stream whose loose ones are too many to be drawn and which has no others.

import { useQuery } from '@tanstack/react-query';
import type { StreamSummary } from '../../../core/model.ts';
import { api } from '../../api.ts';
import { Band, type Layer } from '../../ui/band.tsx';
import { layersOf } from './layers.ts';

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
  const { files, looseFiles } = stream;
  if (files === 0) return <span />;
  if (looseFiles === files && files > MOST) return <Drawn layers={HATCH} />;
  if (files === 1)
    return <Drawn layers={[{ rows: 1, kind: looseFiles === 1 ? 'loose' : 'solid' }]} />;
  return <SomeFiles knowledgebase={knowledgebase} stream={stream} />;
};

/** More files than px: their thickness cannot be seen, so they are one hatch. */
const HATCH: readonly Layer[] = Array.from({ length: WIDTH }, () => ({ rows: 1, kind: 'loose' }));

const Drawn = ({ layers }: { layers: readonly Layer[] }) => (
  <Band layers={layers} width={WIDTH} height={HEIGHT} />
);

const SomeFiles = ({ knowledgebase, stream }: FilesBandProps) => {
  const { files, looseFiles } = stream;
  const options = api.compaction.files.queryOptions({
    input: { knowledgebase, stream: stream.stream, limit: MOST },
  });
  // Files never change, so they are asked for again only when there are others: where the newest cannot be told
  // apart, when another compacted one is there.
  const version = files > MOST ? files - looseFiles : `${files} ${looseFiles}`;
  const { data } = useQuery({
    ...options,
    queryKey: [...options.queryKey, version],
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: (before) => before,
  });
  if (!data) return <span />;
  return <Drawn layers={layersOf(data, stream, WIDTH)} />;
};

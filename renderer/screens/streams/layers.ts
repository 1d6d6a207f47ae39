// Owns what the layers of a stream are, from its newest files and its totals. Never renders.

import type { FilesPage, StreamFile } from '../../../core/model.ts';
import type { Layer } from '../../ui/band.tsx';

/**
 * Oldest first. Files that were not asked for stand as stretches as thick as their rows: compacted ones below, loose
 * ones in pieces too thin to be told apart, so that the band hatches them. `files` are newest first; `totals` may be
 * newer than the page, as long as nothing was compacted since.
 */
export const layersOf = (
  {
    files,
    compacted,
  }: Pick<FilesPage, 'compacted'> & {
    readonly files: readonly Pick<StreamFile, 'rows' | 'kind'>[];
  },
  totals: { readonly rows: number; readonly looseFiles: number },
  width: number,
): Layer[] => {
  const shown = files
    .map(({ rows, kind }): Layer => ({ rows, kind: kind === 'loose' ? 'loose' : 'solid' }))
    .reverse();
  const rest = (kind: Layer['kind'], rows: number, count: number, pieces: number): Layer[] => {
    const own = shown.filter((layer) => layer.kind === kind);
    const left = rows - own.reduce((sum, layer) => sum + layer.rows, 0);
    if (count <= own.length || left <= 0) return [];
    const size = Math.max(
      1,
      pieces === 0 ? count - own.length : Math.max(count - own.length, pieces),
    );
    return Array.from({ length: size }, () => ({ rows: left / size, kind }));
  };
  return [
    ...rest('solid', compacted.rows, compacted.files, 0),
    ...rest('loose', totals.rows - compacted.rows, totals.looseFiles, width),
    ...shown,
  ];
};

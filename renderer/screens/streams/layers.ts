// Owns what the layers of a stream are, from its newest batches and its totals. Never renders.

import type { PlacedBatch } from '../../../core/model.ts';
import type { Layer } from '../../ui/band.tsx';

/**
 * Oldest first. Files that were not asked for stand as one stretch as thick as their rows, in pieces too thin to be
 * told apart, so that the band hatches them; `newest` is newest first.
 */
export const layersOf = (
  newest: readonly Pick<PlacedBatch, 'rows'>[],
  totals: { readonly rows: number; readonly files: number },
  width: number,
): Layer[] => {
  const layers = newest.map(({ rows }) => ({ rows, kind: 'loose' as const })).reverse();
  const shown = newest.reduce((sum, { rows }) => sum + rows, 0);
  const older = totals.rows - shown;
  if (totals.files <= newest.length || older <= 0) return layers;
  const pieces = Math.max(totals.files - newest.length, width);
  return [
    ...Array.from({ length: pieces }, () => ({ rows: older / pieces, kind: 'loose' as const })),
    ...layers,
  ];
};

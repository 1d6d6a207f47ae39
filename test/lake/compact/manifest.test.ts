// The manifest of a compacted file: what goes in comes out, and it is small.

import { describe, expect, it } from 'vitest';
import {
  type CompactedFacts,
  metadataOfCompacted,
  readCompactedFacts,
} from '../../../core/lake/compact/manifest.ts';

const AT = '2026-07-12T14:02:11.204Z';

const facts = (count: number): CompactedFacts => ({
  ...{ knowledgebase: 'k', stream: 's', run: '20260712-140211-3f9c1a' },
  columns: [
    { source: 'a', landed: 'a', firstSeenAt: AT, firstBatchId: 'B.0' },
    { source: '日本\n"', landed: '日本\n"_', firstSeenAt: AT, firstBatchId: null },
  ],
  batches: Array.from({ length: count }, (_, at) => ({
    ...{ batchId: `B.${at}`, sha256: String(at).padStart(64, '0'), bodyBytes: at, rows: at % 7 },
    ...{ receivedAt: AT, landedAt: AT, sender: at % 2 ? null : '127.0.0.1 "x"', sizeBytes: 700 },
    landedFile: at % 3 ? `B.${at}.parquet` : `dt=2026-07-12/B.${at}.parquet`,
    repairs:
      at % 5 === 1 ? { rejectId: `r${at}`, sha256: 'f'.repeat(64), attempt: '{"at":"x"}' } : null,
    ...(at % 10 === 1
      ? { part: { rejectId: `p${at}`, lines: at }, records: (at % 7) + at }
      : { part: null, records: null }),
  })),
});

const readBack = async (given: CompactedFacts) =>
  readCompactedFacts(new Map(Object.entries(await metadataOfCompacted(given))));

describe('a manifest', () => {
  it.each([0, 1, 2, 50])('of %i batches comes back as it was', async (count) => {
    expect(await readBack(facts(count))).toEqual(facts(count));
  });

  it('says in plain words what the file is', async () => {
    const { 'strata.manifest': manifest, ...rest } = await metadataOfCompacted(facts(2));
    expect(manifest).toMatch(/^[A-Za-z0-9+/]+=*$/);
    expect(rest).toEqual({
      'strata.format': '1',
      'strata.kind': 'compacted',
      'strata.knowledgebase': 'k',
      'strata.stream': 's',
      'strata.run': '20260712-140211-3f9c1a',
      'strata.batches': '2',
      'strata.columns': JSON.stringify(facts(2).columns),
    });
  });

  it('of any other file is none', () => {
    expect(readCompactedFacts(new Map([['strata.batch_id', 'b']]))).toBe(null);
  });

  it('that is damaged is an error', () => {
    const damaged = new Map([
      ['strata.kind', 'compacted'],
      ['strata.manifest', 'AAAA'],
    ]);
    expect(() => readCompactedFacts(damaged)).toThrow();
  });
});

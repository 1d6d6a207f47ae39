// The manifest of a compacted file: what goes in comes out, and it is small.

import { deflateRawSync } from 'node:zlib';
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

/** What is read, and after how many turns for others. */
const read = (
  metadata: ReadonlyMap<string, string>,
): { facts: CompactedFacts | null; turns: number } => {
  const steps = readCompactedFacts(metadata);
  for (let turns = 0; ; turns += 1) {
    const step = steps.next();
    if (step.done) return { facts: step.value, turns };
  }
};

const metadataOf = async (given: CompactedFacts): Promise<Map<string, string>> =>
  new Map(Object.entries(await metadataOfCompacted(given)));

describe('a manifest', () => {
  it.each([
    [0, 0],
    [1, 0],
    [50, 0],
    [500, 0],
    [501, 1],
    [2_500, 4],
  ])('of %i batches comes back as it was, after %i turns for others', async (count, turns) => {
    expect(read(await metadataOf(facts(count)))).toEqual({ facts: facts(count), turns });
  });

  it('of one long block, as they were once, is read too', async () => {
    const batches = Array.from({ length: 1_200 }, (_, at) => ({
      ...{ batchId: `B${at}`, sha256: 'a', bodyBytes: 1, rows: 2, receivedAt: AT, landedAt: AT },
      ...{ sender: null, landedFile: `B${at}.parquet`, sizeBytes: 3, repairs: null, part: null },
      records: null,
    }));
    const each = <Value>(value: Value): Value[] => batches.map(() => value);
    const block = JSON.stringify({
      ...{ id: batches.map(({ batchId }) => batchId), sha256: each('a'), body: each(1) },
      ...{ rows: each(2), received: each(AT), landed: each(AT), sender: each(null) },
      ...{ file: each(null), size: each(3) },
    });
    const metadata = await metadataOf({ ...facts(0), batches });
    metadata.set('strata.manifest', deflateRawSync(block).toString('base64'));
    expect(read(metadata)).toEqual({ facts: { ...facts(0), batches }, turns: 0 });
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
    expect(read(new Map([['strata.batch_id', 'b']])).facts).toBe(null);
  });

  it('that is damaged is an error', () => {
    const damaged = new Map([
      ['strata.kind', 'compacted'],
      ['strata.manifest', 'AAAA'],
    ]);
    expect(() => read(damaged)).toThrow();
  });

  it('that lacks a block is an error', async () => {
    const metadata = await metadataOf(facts(1_500));
    const [first = ''] = metadata.get('strata.manifest')?.split('.') ?? [];
    metadata.set('strata.manifest', first);
    expect(() => read(metadata)).toThrow('It says 1500 batches and names 500');
  });
});

// How groups of jobs travel: what is unpacked is what was packed, whatever lay in the thread's buffer before.

import { describe, expect, it } from 'vitest';
import { openPacker, unpack } from '../../core/landing/packing.ts';
import type { Job, PackedGroup, StreamPlace } from '../../core/landing/protocol.ts';

const place = (stream: string): StreamPlace => ({
  ...{ mapKey: `/k\n${stream}`, knowledgebase: 'k', stream, since: '2026-01-01' },
  ...{ data: `/k/${stream}/data`, staging: `/k/${stream}/_tmp`, failed: `/k/${stream}/failed` },
});
const origin = { sender: null, receivedAt: '2026-01-01T00:00:00.000Z', contentType: null };
const fault = { code: 'bad_encoding', message: 'no', line: null, column: null } as const;

const job = (jobId: number, stream: string, body: Uint8Array): Job => ({
  ...{ jobId, place: place(stream), body },
  task:
    jobId % 2 === 0
      ? { kind: 'reject', batchId: `b${jobId}`, ...origin, fault }
      : {
          ...{ kind: 'land', batchId: `b${jobId}`, ...origin },
          ...{ registered: ['a'], dateFolders: false, isFresh: true },
          ...{ landedAs: [], isTaken: false, partial: false, repairs: null },
        },
});

/** Both ends of one thread. */
const openLine = (packer = openPacker()) => {
  const buffer = new Uint8Array(new SharedArrayBuffer(200_000));
  const receiver = { buffer, told: new Set<number>() };
  const places = new Map<number, StreamPlace>();
  const pack = (jobs: readonly Job[]): PackedGroup => {
    const { group, handedOver } = packer.pack(jobs, receiver);
    return structuredClone(group, { transfer: handedOver });
  };
  return { pack, unpack: (group: PackedGroup) => unpack(group, buffer, places) };
};

/** Bodies as plain lists, so that where they lie makes no difference. */
const plain = (jobs: readonly Job[]) => jobs.map((one) => ({ ...one, body: [...one.body] }));

describe('a group of jobs', () => {
  it('arrives as it was, small bodies and large, and so does the next in the same buffer', () => {
    const line = openLine();
    const first = [
      job(1, 'one', Uint8Array.of(1, 2, 3)),
      job(2, 'two', new Uint8Array(65_537).fill(7)),
      job(3, 'one', new Uint8Array(0)),
      job(4, 'one', new Uint8Array(65_536).fill(9)),
      job(5, 'two', Uint8Array.of(4)),
    ];
    const expected = plain(first);
    expect(plain(line.unpack(line.pack(first)))).toEqual(expected);
    const second = [job(6, 'three', Uint8Array.of(5, 6)), job(7, 'one', Uint8Array.of(8))];
    expect(plain(line.unpack(line.pack(second)))).toEqual(plain(second));
  });

  it('hands a large body over and leaves a small one', () => {
    const jobs = [job(1, 'one', Uint8Array.of(1)), job(2, 'one', new Uint8Array(65_537))];
    openLine().pack(jobs);
    expect(jobs.map(({ body }) => body.length)).toEqual([1, 0]);
  });

  it('tells each thread of a place once', () => {
    const packer = openPacker();
    const [line, other] = [openLine(packer), openLine(packer)];
    const jobs = [job(1, 'one', Uint8Array.of(1)), job(2, 'two', Uint8Array.of(1))];
    const told = [line.pack(jobs), line.pack(jobs), other.pack(jobs)].map(({ places }) => places);
    const both = [
      [0, place('one')],
      [1, place('two')],
    ];
    expect(told).toEqual([both, [], both]);
  });
});

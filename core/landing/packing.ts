// Owns how a group of jobs travels to a thread: small bodies in the thread's buffer, each stream's place only once.
// Never changes a job: what is unpacked is what was packed.

import type { Job, PackedGroup, PackedJob, StreamPlace } from './protocol.ts';

/** Bodies up to this size are copied into the thread's buffer; handing one over on its own costs more than a copy. */
const SHARED_BODY_BYTES = 65_536;

/** What a group is packed for. */
export interface Receiver {
  /** Shared with the thread and free while it has no group: as long as the small bodies of a group may be together. */
  readonly buffer: Uint8Array;
  /** Numbers of the places that the thread knows. */
  readonly told: Set<number>;
}

export interface Packer {
  /** The group for one thread, and the buffers that are handed over with it. */
  pack(jobs: readonly Job[], receiver: Receiver): { group: PackedGroup; handedOver: ArrayBuffer[] };
}

/** A packer; it numbers places by their map key, for all threads alike. */
export const openPacker = (): Packer => {
  const numbers = new Map<string, number>();
  const numberOf = (place: StreamPlace): number => {
    const known = numbers.get(place.mapKey);
    if (known !== undefined) return known;
    numbers.set(place.mapKey, numbers.size);
    return numbers.size - 1;
  };
  return {
    pack: (jobs, { buffer, told }) => {
      const places: [number, StreamPlace][] = [];
      const handedOver: ArrayBuffer[] = [];
      let at = 0;
      const packed = jobs.map(({ jobId, place, body, task }): PackedJob => {
        const placeNumber = numberOf(place);
        if (!told.has(placeNumber)) {
          told.add(placeNumber);
          places.push([placeNumber, place]);
        }
        const sources = task.kind === 'land' ? task.repairs?.sources : null;
        if (sources) handedOver.push(sources.buffer as ArrayBuffer);
        if (body.length > SHARED_BODY_BYTES) {
          handedOver.push(body.buffer as ArrayBuffer);
          return { jobId, placeNumber, body, task };
        }
        buffer.set(body, at);
        at += body.length;
        return { jobId, placeNumber, body: body.length, task };
      });
      return { group: { jobs: packed, places }, handedOver };
    },
  };
};

/** The jobs of a group, on the thread; `places` keeps what it was told. Bodies in `buffer` stay until the group is done. */
export const unpack = (
  { jobs, places: told }: PackedGroup,
  buffer: Uint8Array,
  places: Map<number, StreamPlace>,
): Job[] => {
  for (const [number, place] of told) places.set(number, place);
  let at = 0;
  return jobs.map(({ jobId, placeNumber, body, task }): Job => {
    const place = places.get(placeNumber) as StreamPlace;
    if (typeof body !== 'number') return { jobId, place, body, task };
    at += body;
    return { jobId, place, body: buffer.subarray(at - body, at), task };
  });
};

// Owns how a group of jobs travels to a thread: small bodies in one buffer, each stream's place only once.
// Never changes a job: what is unpacked is what was packed.

import type { Job, PackedGroup, PackedJob, StreamPlace } from './protocol.ts';

/** Bodies up to this size are copied into the group's buffer; handing one over on its own costs more than a copy. */
const SHARED_BODY_BYTES = 65_536;

export interface Packer {
  /** The group for one thread, and the buffers that are handed over with it; `told` are the places that it knows. */
  pack(jobs: readonly Job[], told: Set<number>): { group: PackedGroup; handedOver: ArrayBuffer[] };
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
    pack: (jobs, told) => {
      const places: [number, StreamPlace][] = [];
      const small = jobs.filter(({ body }) => body.length <= SHARED_BODY_BYTES);
      const shared = new Uint8Array(small.reduce((sum, { body }) => sum + body.length, 0));
      const handedOver: ArrayBuffer[] = [shared.buffer];
      let at = 0;
      const packed = jobs.map(({ place, body, ...rest }): PackedJob => {
        const placeNumber = numberOf(place);
        if (!told.has(placeNumber)) {
          told.add(placeNumber);
          places.push([placeNumber, place]);
        }
        if (body.length > SHARED_BODY_BYTES) {
          handedOver.push(body.buffer as ArrayBuffer);
          return { ...rest, placeNumber, body } as PackedJob;
        }
        shared.set(body, at);
        at += body.length;
        return { ...rest, placeNumber, body: body.length } as PackedJob;
      });
      return { group: { jobs: packed, shared, places }, handedOver };
    },
  };
};

/** The jobs of a group, on the thread; `places` keeps what it was told. */
export const unpack = (
  { jobs, shared, places: told }: PackedGroup,
  places: Map<number, StreamPlace>,
): Job[] => {
  for (const [number, place] of told) places.set(number, place);
  let at = 0;
  return jobs.map(({ placeNumber, body, ...rest }): Job => {
    const place = places.get(placeNumber) as StreamPlace;
    if (typeof body !== 'number') return { ...rest, place, body } as Job;
    at += body;
    return { ...rest, place, body: shared.subarray(at - body, at) } as Job;
  });
};

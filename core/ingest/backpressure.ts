// Owns how much may be in flight for one stream, and how long a producer is told to wait.
// Never looks at other streams: a flood on one leaves them as they are.

import { AppError } from '../errors.ts';

export interface BackpressureLimits {
  /** POSTs of one stream between their first byte and their answer. */
  readonly maxBatches: number;
  /** Bytes of their bodies: declared, or as they come. */
  readonly maxBytes: number;
}

/** The place that one POST takes up until it is answered. */
export interface Place {
  /** Says that the body has grown to `bytes`. */
  grow(bytes: number): void;
  /** Gives the place back; the second call does nothing. */
  leave(): void;
}

export interface Backpressure {
  /** Takes a place or throws `stream_busy` with `retryAfterSeconds` in its details. */
  enter(streamKey: string, declaredBytes: number): Place;
}

interface Flight {
  batches: number;
  bytes: number;
  /** Bytes answered lately, fading with DRAIN_WINDOW_MS; divided by the window it is the drain rate. */
  drained: number;
  drainedAtMs: number;
}

const DRAIN_WINDOW_MS = 5_000;
const LONGEST_WAIT_S = 60;

/** Backpressure over streams by key. */
export const openBackpressure = (limits: BackpressureLimits): Backpressure => {
  const flights = new Map<string, Flight>();
  return {
    enter: (streamKey, declaredBytes) => {
      const now = performance.now();
      const flight = flights.get(streamKey) ?? {
        batches: 0,
        bytes: 0,
        drained: 0,
        drainedAtMs: now,
      };
      const full =
        flight.batches >= limits.maxBatches ||
        (flight.batches > 0 && flight.bytes + declaredBytes > limits.maxBytes);
      if (full) throw busy(flight, limits, now);
      flights.set(streamKey, flight);
      flight.batches += 1;
      flight.bytes += declaredBytes;
      let held = declaredBytes;
      let left = false;
      return {
        grow: (bytes) => {
          if (left || bytes <= held) return;
          flight.bytes += bytes - held;
          held = bytes;
        },
        leave: () => {
          if (left) return;
          left = true;
          const then = performance.now();
          flight.drained = faded(flight, then) + held;
          flight.drainedAtMs = then;
          flight.batches -= 1;
          flight.bytes -= held;
          // A stream that is quiet is forgotten; only while something is in flight does its rate matter.
          if (flight.batches === 0) flights.delete(streamKey);
        },
      };
    },
  };
};

const faded = (flight: Flight, nowMs: number): number =>
  flight.drained * Math.exp((flight.drainedAtMs - nowMs) / DRAIN_WINDOW_MS);

/** What is in flight, divided by the rate at which it went lately: when there should be room again. */
const busy = (flight: Flight, limits: BackpressureLimits, nowMs: number): AppError => {
  const bytesPerSecond = (faded(flight, nowMs) / DRAIN_WINDOW_MS) * 1_000;
  const seconds = bytesPerSecond > 0 ? Math.ceil(flight.bytes / bytesPerSecond) : 1;
  const retryAfterSeconds = Math.min(LONGEST_WAIT_S, Math.max(1, seconds));
  return new AppError(
    'stream_busy',
    `${flight.batches} batches (${flight.bytes} bytes) of this stream are in flight; at most ${limits.maxBatches} batches or ${limits.maxBytes} bytes may be.`,
    {
      details: { retryAfterSeconds, inFlightBatches: flight.batches, inFlightBytes: flight.bytes },
    },
  );
};

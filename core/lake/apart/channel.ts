// Owns what the two ends of a lake process say to each other. Never sends any of it.

import type { CarriedError } from '../../carried-error.ts';

/** One end of a pipe that keeps order: of a child process, or a port between two of Electron's. */
export interface Channel {
  send(message: unknown): void;
  onMessage(hear: (message: unknown) => void): void;
  /** Called once, when the other end is gone, with how that came. */
  onClose(hear: (reason: string) => void): void;
  /** Lets go of the other end, which then ends. */
  close(): void;
}

/** A port of Electron's, as far as it is used here. */
export interface Port {
  postMessage(message: unknown): void;
  on(event: 'message', hear: (event: { data: unknown }) => void): unknown;
  on(event: 'close', hear: () => void): unknown;
  start(): void;
  close(): void;
}

/** A channel over a port; what arrived before anybody heard is kept by the port until then. */
export const channelOver = (port: Port): Channel => ({
  send: (message) => port.postMessage(message),
  onMessage: (hear) => {
    port.on('message', ({ data }) => hear(data));
    port.start();
  },
  onClose: (hear) => void port.on('close', () => hear('ended')),
  close: () => port.close(),
});

/** Said by who asks. The task goes on by one step for each `next`; the input comes in parts where it is long. */
export type ToLake =
  | { readonly kind: 'begin'; readonly run: number; readonly name: string; readonly input: object }
  | {
      readonly kind: 'more';
      readonly run: number;
      readonly field: string;
      readonly items: readonly unknown[];
    }
  | { readonly kind: 'next'; readonly run: number }
  | { readonly kind: 'abort'; readonly run: number }
  | { readonly kind: 'return'; readonly run: number };

/** Said by the lake process: each `next` and `return` is answered once, in order. */
export type FromLake =
  | {
      readonly kind: 'step';
      readonly run: number;
      readonly done: boolean;
      readonly value: unknown;
    }
  | { readonly kind: 'failed'; readonly run: number; readonly fault: CarriedError };

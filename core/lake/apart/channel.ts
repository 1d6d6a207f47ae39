// Owns what the two ends of a lake process say to each other. Never sends any of it.

import { AppError, type ErrorCode } from '../../errors.ts';

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
  | { readonly kind: 'failed'; readonly run: number; readonly fault: Fault };

/** An error as it travels. */
export type Fault =
  | {
      readonly code: ErrorCode;
      readonly message: string;
      readonly hint: string;
      readonly details: Readonly<Record<string, unknown>>;
    }
  | {
      readonly code: null;
      readonly message: string;
      readonly stack: string;
      readonly name: string;
    };

export const faultOf = (error: unknown): Fault => {
  if (error instanceof AppError) {
    const { code, message, hint, details } = error;
    return { code, message, hint, details };
  }
  const { message, stack = '', name } = error instanceof Error ? error : new Error(String(error));
  return { code: null, message, stack, name };
};

/** The error again; a bug keeps the stack of where it was thrown. */
export const errorOf = (fault: Fault): Error => {
  if (fault.code !== null) {
    const { code, message, hint, details } = fault;
    return new AppError(code, message, { hint, details });
  }
  const error = new Error(fault.message);
  error.name = fault.name;
  error.stack = fault.stack;
  return error;
};

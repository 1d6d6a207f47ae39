// Owns what the shell and the engine's process say to each other. Never sends any of it.

/** What the shell tells the engine's process. A port of a window comes with `attach`. */
export type ToHost =
  | {
      readonly kind: 'open';
      readonly home: string;
      readonly host: string;
      readonly port: number;
      readonly logFile: string;
    }
  | { readonly kind: 'attach' }
  | { readonly kind: 'close' };

/** What the engine's process tells the shell. After `failed` and `closed` it ends. */
export type FromHost =
  | { readonly kind: 'ready'; readonly ingestUrl: string }
  | {
      readonly kind: 'failed';
      readonly code: string;
      readonly message: string;
      readonly hint: string;
    }
  | { readonly kind: 'closed' };

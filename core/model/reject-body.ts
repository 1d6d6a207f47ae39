// Owns the types of a kept body: a piece of it as it may be shown, and which bodies are kept. Never holds behaviour.

/** A line as it may be shown. Text of bytes that are not UTF-8 has U+FFFD for each such byte. */
export interface ShownLine {
  readonly text: string;
  /** Where in `text`, in UTF-16 units, such bytes are, and which. */
  readonly invalid: readonly { readonly at: number; readonly byte: number }[];
  /** Whether the line goes on after `text`. */
  readonly cut: boolean;
}

/** A piece of a body. */
export interface BodyPage {
  /** Of the whole body. */
  readonly bodyBytes: number;
  readonly lines: number;
  /** Whether the whole body is UTF-8. */
  readonly utf8: boolean;
  readonly piece:
    | {
        readonly as: 'lines';
        readonly lines: readonly (ShownLine & {
          /** From 1. */
          readonly line: number;
          /** Of its first byte in the body. */
          readonly offset: number;
          /** Without its line feed. */
          readonly bytes: number;
        })[];
      }
    /**
     * From a character's first byte to a character's last where the bytes are UTF-8, so up to 3 bytes more or less than
     * asked for; less once 8,192 of them are not UTF-8.
     */
    | (Omit<ShownLine, 'cut'> & {
        readonly as: 'text';
        readonly offset: number;
        readonly bytes: number;
      })
    | {
        readonly as: 'base64';
        readonly offset: number;
        readonly bytes: number;
        readonly base64: string;
      };
}

/** What keeps failed bodies, and what is kept now. */
export interface RetentionView {
  /** Bodies of rejects older than so many days go; null keeps them for ever. */
  readonly days: number | null;
  /** Bodies go until the rest is no larger, those of closed rejects first, the oldest first; null for no limit. */
  readonly bytes: number | null;
  readonly bodies: number;
  readonly bodyBytes: number;
}

/** What a retention would remove, or did. Rows of the ledger, reasons and states stay. */
export interface RetentionPreview {
  readonly bodies: number;
  readonly bodyBytes: number;
  /** Of them, bodies of rejects that are still open: they could not be landed any more. */
  readonly open: number;
  /** When the oldest and the newest of them came; null without any. */
  readonly oldestAt: string | null;
  readonly newestAt: string | null;
  readonly streams: readonly {
    readonly stream: string;
    readonly bodies: number;
    readonly bodyBytes: number;
  }[];
}

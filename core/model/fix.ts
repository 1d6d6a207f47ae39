// Owns the types of mending a rejected body: fixes as plain data, and edits by hand. Never holds behaviour.

/**
 * A fix, as plain data. Fixes run in order, each on the result of the one before. A fix touches only lines that have
 * a fault (any, unless said), and of these only what it names: every other byte stays as it is.
 */
export type Fix =
  /** Takes away every line that has a fault. */
  | { readonly kind: 'drop-lines' }
  /** Takes a field (its exact name) out of faulty records. */
  | { readonly kind: 'drop-field'; readonly field: string }
  /** Gives a field (its exact name) another name in faulty records. */
  | { readonly kind: 'rename-field'; readonly field: string; readonly to: string }
  /** Registers a column on the stream; the body stays as it is. Does nothing where any field is welcome. */
  | { readonly kind: 'register-column'; readonly column: string }
  /** Of fields that stand twice in a record, also in another case, keeps one. */
  | { readonly kind: 'keep-duplicate'; readonly keep: 'first' | 'last' }
  /** Puts U+FFFD in place of each byte that is not UTF-8. */
  | { readonly kind: 'replace-invalid-utf8' }
  /** Puts \uFFFD in place of each escape that is half a surrogate pair. */
  | { readonly kind: 'replace-lone-surrogates' }
  /** Gives each object of a line a line of its own: `{..}{..}`, `{..},{..}`, `[{..},{..}]`. Each keeps the line's number. */
  | { readonly kind: 'split-objects' }
  /** Takes away the last line, where it ends inside its record. */
  | { readonly kind: 'drop-cut-line' }
  /** Unpacks a body that came packed: gzip, zstd, deflate or brotli, as far as it can be read. */
  | { readonly kind: 'unpack' }
  /** Lands the good lines; the bad ones become a reject of their own, linked to the batch. */
  | { readonly kind: 'land-good-lines' }
  /** Lands under an id of its own, because the batch's id has landed with another body. */
  | { readonly kind: 'own-batch-id' };

/** Lines of the body as it came, edited by hand: line `line` (from 1) becomes `text`, which may have line feeds; null takes it away. */
export interface LineEdit {
  readonly line: number;
  readonly text: string | null;
}

/** How a body is mended: another body, or edits and then fixes. All may be left out: then it is sent as it came. */
export interface Mend {
  /** The whole body anew; text is sent as UTF-8. */
  readonly body?: { readonly text: string } | { readonly base64: string } | undefined;
  /** Applied first; all line numbers are those of the body as it came (or of `body`). */
  readonly edits?: readonly LineEdit[] | undefined;
  readonly fixes?: readonly Fix[] | undefined;
}

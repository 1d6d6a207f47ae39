// Owns the error that says why a file is not whole Parquet.
// Never says which file: who reads it knows.

/**
 * What is wrong with a file:
 * - `not_a_file`: it is a folder or a device;
 * - `too_short`: no Parquet file has so few bytes, or it ended while it was read;
 * - `no_magic`: it does not start and end with PAR1;
 * - `encrypted`: its footer is encrypted;
 * - `footer_length`: its footer cannot be as long as it says;
 * - `footer`: its footer does not parse, or lacks what every footer has;
 * - `inconsistent`: the parts of its footer contradict each other;
 * - `beyond_file`: its footer names bytes that the file does not have.
 */
export type NotParquetReason =
  | 'not_a_file'
  | 'too_short'
  | 'no_magic'
  | 'encrypted'
  | 'footer_length'
  | 'footer'
  | 'inconsistent'
  | 'beyond_file';

/** A file is not whole Parquet. Its message is a sentence for people. */
export class NotParquetError extends Error {
  override readonly name = 'NotParquetError';
  readonly reason: NotParquetReason;

  constructor(reason: NotParquetReason, message: string) {
    super(message);
    this.reason = reason;
  }

  /** The message as the end of a sentence, without its full stop. */
  get clause(): string {
    return `${this.message.charAt(0).toLowerCase()}${this.message.slice(1).replace(/\.$/, '')}`;
  }
}

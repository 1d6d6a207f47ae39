// Owns what the listener needs of the rest of core: who may send, and where a body goes.
// Never implements it; core/index.ts joins the two.

import type { ErrorCode } from '../errors.ts';
import type { Fault, Landing } from '../model.ts';

/** A body that has been read whole. */
export interface ReceivedBody {
  readonly body: Uint8Array;
  readonly batchId: string | undefined;
  readonly sender: string | null;
  readonly contentType: string | null;
  readonly receivedAt: string;
  readonly fault?: Fault;
}

/** A knowledgebase as the listener sees it. Every call may throw an AppError. */
export interface IntakeTarget {
  readonly maxBodyBytes: number;
  /** Identifies the stream for counting what is in flight, also before it exists. */
  readonly streamKey: string;
  /** Whether a POST to this stream must bring a token. */
  needsToken(): boolean;
  /** What a token that was sent is worth for this stream. */
  judgeToken(secret: string): 'opens' | 'another' | 'unknown';
  /**
   * Throws `no_such_stream` where the stream is not there and its first POST may not create it, `stream_broken` where
   * nobody can say which columns it takes.
   */
  checkStream(): void;
  /** Keeps the knowledgebase open for a POST that has begun, until it is let go. */
  hold(): {
    release(): void;
    /** Calls `hear` when the knowledgebase closes and does not wait for the rest of a body any longer. */
    onClosing(hear: () => void): void;
  };
  land(body: ReceivedBody): Promise<Landing>;
  /** Counts a POST that was refused, where the stream exists. */
  refuse(code: ErrorCode): void;
}

export interface Intake {
  /** Throws `no_such_knowledgebase`, `invalid_stream_id`, `knowledgebase_closing`. */
  target(knowledgebase: string, stream: string): IntakeTarget;
}

// Owns one POST from its headers to its answer: admitted, read, unpacked, landed.
// Never listens, and never parses the body.

import type { IncomingMessage, ServerResponse } from 'node:http';
import { AppError } from '../errors.ts';
import type { Fault } from '../model.ts';
import { checkToken } from './admission.ts';
import type { Backpressure } from './backpressure.ts';
import { readBody, tooLarge, unpackBody } from './body.ts';
import type { Intake, IntakeTarget } from './intake.ts';
import { encodingOf, mediaTypeFault } from './media.ts';
import { sendJson, sendText } from './reply.ts';

export interface BatchContext {
  readonly intake: Intake;
  readonly backpressure: Backpressure;
  readonly bodyTimeoutMs: number;
  /** Whether every POST needs a token, since the listener can be reached from other machines. */
  readonly tokenNeeded: boolean;
}

/** Answers a request to a stream's address: POST lands a batch, HEAD and GET say that it can be sent. */
export const handleBatch = async (
  context: BatchContext,
  address: { readonly knowledgebase: string; readonly stream: string },
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> => {
  const target = context.intake.target(address.knowledgebase, address.stream);
  checkToken(request, target, context.tokenNeeded);
  if (request.method !== 'POST') target.checkStream();
  if (request.method === 'HEAD' || request.method === 'GET') {
    sendText(response, 200, 'POST batches to this address.\n');
    return;
  }
  if (request.method !== 'POST') {
    response.setHeader('allow', 'POST, GET, HEAD');
    throw new AppError('method_not_allowed', `${request.method} is not for this address.`);
  }
  const receivedAt = new Date().toISOString();
  const hold = target.hold();
  try {
    target.checkStream();
    const landing = await receive(context, target, request, response, receivedAt, hold.onClosing);
    sendJson(response, 200, landing);
  } catch (error) {
    if (error instanceof AppError && REFUSED.has(error.code)) target.refuse(error.code);
    throw error;
  } finally {
    hold.release();
  }
};

/** Errors before the body was taken in; those of the pipeline are counted there. */
const REFUSED = new Set([
  ...['stream_busy', 'stream_broken', 'body_too_large', 'body_timeout', 'client_aborted'],
  'knowledgebase_closing',
]);

const receive = async (
  { backpressure, bodyTimeoutMs }: BatchContext,
  target: IntakeTarget,
  request: IncomingMessage,
  response: ServerResponse,
  receivedAt: string,
  onClosing: (hear: () => void) => void,
) => {
  const declared = Number(request.headers['content-length'] ?? 0);
  const maxBytes = target.maxBodyBytes;
  if (declared > maxBytes) throw tooLarge(maxBytes);
  const place = backpressure.enter(target.streamKey, declared);
  try {
    // A client that asked first (RFC 9110, 10.1.1) sends its body only now.
    if (request.headers.expect?.toLowerCase() === '100-continue') response.writeContinue();
    const packed = await readBody(request, {
      ...{ maxBytes, timeoutMs: bodyTimeoutMs, onGrowth: place.grow, onClosing },
    });
    const { body, fault } = await unpack(request, packed, maxBytes);
    const batchId = batchIdOf(request);
    return await target.land({
      body,
      batchId,
      sender: senderOf(request),
      contentType: request.headers['content-type']?.slice(0, 200) ?? null,
      receivedAt,
      ...(fault ? { fault } : {}),
    });
  } finally {
    place.leave();
  }
};

/** The body as it is to be parsed; where that cannot be, the body as it came and the fault. */
const unpack = async (
  request: IncomingMessage,
  packed: Uint8Array,
  maxBytes: number,
): Promise<{ body: Uint8Array; fault?: Fault }> => {
  const encoding = encodingOf(request);
  const mediaFault = mediaTypeFault(request);
  if (encoding !== null && typeof encoding === 'object') return { body: packed, fault: encoding };
  const body = encoding === null ? packed : await unpackBody(packed, encoding, maxBytes);
  if (!(body instanceof Uint8Array)) return { body: packed, fault: body };
  return mediaFault ? { body, fault: mediaFault } : { body };
};

/** The producer's own batch id; as a structured-field string (RFC 8941, 3.3.3) it may stand in quotes. */
const batchIdOf = (request: IncomingMessage): string | undefined => {
  const header = request.headers['idempotency-key'] ?? request.headers['x-batch-id'];
  if (header === undefined) return undefined;
  const text = String(header).trim();
  return /^".*"$/.test(text) ? text.slice(1, -1) : text;
};

const senderOf = (request: IncomingMessage): string => {
  const address = (request.socket.remoteAddress ?? 'unknown').replace(/^::ffff:/, '');
  const agent = request.headers['user-agent']?.replace(/[^\x20-\x7e]/g, '').slice(0, 80);
  return agent ? `${address} ${agent}` : address;
};

// Owns sending HTTP as it is written: header fields left out or exact, bodies in pieces, bytes on a socket.
// Never retries and never follows anything.

import { once } from 'node:events';
import http from 'node:http';
import { connect, type Socket } from 'node:net';

/** An answer that has come in whole. */
export interface Answer {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly text: string;
  /** The JSON document of the body; an empty object where it is none. */
  readonly document: Record<string, unknown>;
}

export interface SendOptions {
  readonly method?: string;
  /** An empty value leaves out a field that would be sent otherwise, Host included. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** The request target exactly as it goes out; that of the address unless given. */
  readonly path?: string;
  /** Keeps connections; a new connection for each request unless given. */
  readonly agent?: http.Agent;
}

/** An upload under way: the test writes its body in pieces. */
export interface Upload {
  readonly request: http.ClientRequest;
  readonly answer: Promise<Answer>;
  /** Resolves with `100` when the server asked for the body, or with the final status when it did not. */
  readonly first: Promise<number>;
}

/** The media type that lands, unless the headers say otherwise. */
export const NDJSON = { 'content-type': 'application/x-ndjson' } as const;

/** Starts a request and leaves its body to the caller. */
export const startUpload = (url: string, options: SendOptions = {}): Upload => {
  const given = options.headers ?? {};
  const headers = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== ''));
  const request = http.request(url, {
    method: options.method ?? 'POST',
    agent: options.agent ?? false,
    setHost: given.host !== '',
    ...(options.path === undefined ? {} : { path: options.path }),
    headers,
  });
  const response = new Promise<http.IncomingMessage>((resolve, reject) => {
    request.once('response', resolve);
    // A server that has answered may cut a body that it does not want; only before that is it a failure.
    request.on('error', reject);
  });
  const first = new Promise<number>((resolve, reject) => {
    request.once('continue', () => resolve(100));
    response.then(({ statusCode }) => resolve(statusCode as number), reject);
  });
  const answer = response.then(readAnswer);
  for (const promise of [first, answer]) promise.catch(() => {});
  return { request, first, answer };
};

/** Sends a request whole and returns its answer. */
export const send = async (url: string, options: SendOptions = {}): Promise<Answer> => {
  const { request, answer } = startUpload(url, options);
  request.end(options.body);
  return answer;
};

/** POSTs NDJSON with the fields given beside or instead of the media type. */
export const sendBatch = (
  url: string,
  body: string | Uint8Array,
  headers: Readonly<Record<string, string>> = {},
  agent?: http.Agent,
): Promise<Answer> =>
  send(url, { body, headers: { ...NDJSON, ...headers }, ...(agent ? { agent } : {}) });

const readAnswer = async (response: http.IncomingMessage): Promise<Answer> => {
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString('utf8');
  return answerOf(response.statusCode as number, response.headers, text);
};

const answerOf = (status: number, headers: http.IncomingHttpHeaders, text: string): Answer => {
  const isJson = /^application\/(problem\+)?json/.test(headers['content-type'] ?? '');
  return { status, headers, text, document: isJson && text !== '' ? JSON.parse(text) : {} };
};

/** A socket to a server's address, connected. */
export const openSocket = async (url: string): Promise<Socket> => {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname.replace(/^\[|\]$/g, ''));
  await once(socket, 'connect');
  return socket;
};

/** Writes bytes to a new socket and returns everything that comes back until the server closes it. */
export const talk = async (url: string, bytes: string): Promise<string> => {
  const socket = await openSocket(url);
  const said = hearAll(socket);
  socket.write(bytes);
  return said;
};

/** Everything that a socket says until the other side ends it. */
export const hearAll = async (socket: Socket): Promise<string> => {
  const chunks: Buffer[] = [];
  for await (const chunk of socket) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
};

/** Takes apart answers that came one after the other on one connection; each must have a Content-Length. */
export const splitAnswers = (said: string): Answer[] => {
  const answers: Answer[] = [];
  let rest = Buffer.from(said);
  while (rest.length > 0) {
    const end = rest.indexOf('\r\n\r\n');
    if (end < 0) throw new Error(`an answer is cut short: ${rest}`);
    const [statusLine, ...fields] = rest.subarray(0, end).toString().split('\r\n');
    const headers = Object.fromEntries(
      fields.map((field) => {
        const colon = field.indexOf(':');
        return [field.slice(0, colon).toLowerCase(), field.slice(colon + 1).trim()];
      }),
    );
    const bodyEnd = end + 4 + Number(headers['content-length'] ?? 0);
    const text = rest.subarray(end + 4, bodyEnd).toString();
    answers.push(answerOf(Number(statusLine?.split(' ')[1]), headers, text));
    rest = rest.subarray(bodyEnd);
  }
  return answers;
};

import type { FileBody } from './file-reply.ts';

/** What the listener and those whom it serves say to each other of one request. */

/** What a request said before its body. It can be asked long after the library's own object is gone. */
export interface HttpHead {
  readonly method: string;
  readonly path: string;
  /** Without the question mark, as it came. */
  readonly query: string;
  /** Where the request came from: an IP address. To be asked, at first, before anything is waited for. */
  readonly address: string;
  /** Whose requests are counted together with it; see `ClientAddress`. Like `address`. */
  readonly network: string;
  /** `undefined` when the header is absent or empty. */
  header(name: HeaderName): string | undefined;
}

/** The headers that requests are read for. */
export const REQUEST_HEADERS = [
  'authorization',
  'content-length',
  'content-type',
  'idempotency-key',
  'if-none-match',
  'if-range',
  'origin',
  'range',
  'transfer-encoding',
  'x-service-request-id',
] as const;
/** What tells one person's browser from another's. A request with a key is judged by the key, and spared the reading. */
export const KEYLESS_HEADERS = ['cookie', 'host', 'sec-fetch-site', 'x-runcloud-dashboard'] as const;
export type HeaderName =
  | (typeof REQUEST_HEADERS)[number]
  | (typeof KEYLESS_HEADERS)[number]
  | 'accept'
  | 'connection'
  | 'sec-websocket-key'
  | 'sec-websocket-protocol'
  | 'sec-websocket-version'
  | 'upgrade';

export interface HttpReply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
  /** How long the body is that a 304 leaves out. */
  readonly bodyBytes?: number;
  /** Sent in the place of `body`. The reply owns it: it is closed however the exchange ends. */
  readonly file?: FileBody;
  /** Ends the connection: what the client still sends is of no use. */
  readonly close?: boolean;
}

/** The answer waits for the body. */
export interface BodyWanted {
  /** Gets the whole body; the bytes are valid only until it returns or first waits. */
  readonly receive: (body: Uint8Array) => HttpReply | Promise<HttpReply>;
  /** The answer to a body that does not come in an acceptable way. */
  readonly refuse: (code: 'payload_too_large' | 'length_required') => HttpReply;
}

export type TakeBody = (body: AsyncIterable<Uint8Array>) => Promise<HttpReply>;

/** The answer is made while the body arrives, piece by piece. */
export interface StreamedBodyWanted {
  /** Longer ones are refused: by their Content-Length before anything of them is read, else where they pass it. */
  readonly bodyBytesMax: number;
  /** Asked once, about a body that comes in an acceptable way, before anything of it is read: an answer, or who takes it. */
  readonly admit: () => HttpReply | TakeBody;
  /** The answer to a body that does not come in an acceptable way. */
  readonly refuse: (code: 'payload_too_large' | 'length_required') => HttpReply;
}

/** What the listener serves. It never throws: a fault of its own is an answer too. */
export interface HttpApplication {
  begin(head: HttpHead): HttpReply | Promise<HttpReply> | BodyWanted | StreamedBodyWanted;
}

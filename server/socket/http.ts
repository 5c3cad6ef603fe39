/** The interface between the listener and the handlers of HTTP requests. */

/** The head of a request. It stays readable after the library's own object is invalid. */
export interface HttpHead {
  readonly method: string;
  readonly path: string;
  /** Undecoded, without the question mark. */
  readonly query: string;
  /** IP address of the client. The first read must come before any `await`. */
  readonly address: string;
  /** The key for rate limits; see `ClientAddress`. The first read must come before any `await`. */
  readonly network: string;
  /** `undefined` if the header is absent or empty. */
  header(name: HeaderName): string | undefined;
  /** Calls the listener if the client goes before its answer, at once if it is gone; one at a time. For calls with a body. */
  onGone(listener: () => void): void;
}

/** The headers that handlers read. */
export const REQUEST_HEADERS = [
  'accept',
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
/** Headers that identify a browser. They are not read if a request has a key. */
export const KEYLESS_HEADERS = ['cookie', 'host', 'sec-fetch-site', 'x-runcloud-dashboard'] as const;
/** Headers of the Model Context Protocol; a call that has the others has the first one. */
export const MCP_HEADERS = ['mcp-protocol-version', 'mcp-method', 'mcp-name'] as const;
/** Headers of a WebSocket's opening (RFC 6455, section 4.1). */
export const UPGRADE_HEADERS = [
  'connection',
  'sec-websocket-key',
  'sec-websocket-protocol',
  'sec-websocket-version',
  'upgrade',
] as const;
export type HeaderName =
  | (typeof MCP_HEADERS)[number]
  | (typeof REQUEST_HEADERS)[number]
  | (typeof KEYLESS_HEADERS)[number]
  | (typeof UPGRADE_HEADERS)[number]
  | 'accept-encoding';

/** Bytes of an open file, read off this thread. The next piece is read only after the client has taken the previous one. */
export interface FileBody {
  /** Length of the body in bytes. */
  readonly byteLength: number;
  /** Reads from `offset` of the body into `into`; resolves with the number of bytes, 0 only past the end. */
  read(into: Uint8Array, offset: number): Promise<number>;
  /** Closes the file; called exactly once, also after a failure. */
  close(): void;
}

/** A body whose length shows at its end. The next piece is asked for only after the client has taken the previous one. */
export interface StreamBody {
  /** Resolves with a piece that is not empty, and with `undefined` at the end; a rejection cuts the body off. */
  next(): Promise<Uint8Array | undefined>;
  /** Called exactly once, also after a failure. */
  close(): void;
}

/** Of every answer: what its request is known by, in the logs too. Of a call: what it is to be known by. */
export const REQUEST_ID_HEADER = 'X-Service-Request-ID';

export interface HttpReply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** The value of `REQUEST_ID_HEADER`: a header of its own for each answer, beside `headers` that many answers share. */
  readonly requestId?: string | undefined;
  readonly body: string | Uint8Array;
  /** Length of the body that a 304 omits. */
  readonly bodyBytes?: number | undefined;
  /** Sent instead of `body`. The reply owns it and closes it in any case. */
  readonly file?: FileBody | undefined;
  /** Sent instead of `body`, as `file` is. */
  readonly stream?: StreamBody | undefined;
  /** Closes the connection after the answer; further data of the client is discarded. */
  readonly close?: boolean | undefined;
}

/** Lets go of the body of a reply that is not sent. */
export function dropBody({ file, stream }: HttpReply): void {
  file?.close();
  stream?.close();
}

/** A handler that needs the whole body. */
export interface BodyWanted {
  /** Called with the whole body; the bytes are valid only until it returns or first awaits. */
  readonly receive: (body: Uint8Array) => HttpReply | Promise<HttpReply>;
  /** The answer to a body that does not come in an acceptable way. */
  readonly refuse: (code: 'payload_too_large' | 'length_required') => HttpReply;
}

export type TakeBody = (body: AsyncIterable<Uint8Array>) => Promise<HttpReply>;

/** A handler that reads the body as a stream. */
export interface StreamedBodyWanted {
  /** Longer bodies are refused: by their Content-Length before reading, else when they exceed it. */
  readonly bodyBytesMax: number;
  /** Called once for an acceptable body before it is read: returns an answer, or the consumer of the body. */
  readonly admit: () => HttpReply | Promise<HttpReply> | TakeBody;
  /** The answer to a body that does not come in an acceptable way. */
  readonly refuse: (code: 'payload_too_large' | 'length_required') => HttpReply;
}

/** The handler of all requests. It never throws: an internal error becomes an answer. */
export interface HttpApplication {
  begin(head: HttpHead): HttpReply | Promise<HttpReply> | BodyWanted | StreamedBodyWanted;
}

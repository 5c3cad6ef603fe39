import { newId, ServiceError } from '@runcloud/protocol/terms';
import type { Clock } from '../flow/clock.ts';
import { every } from '../flow/every.ts';
import {
  type FileBody,
  type HeaderName,
  type HttpHead,
  type HttpReply,
  KEYLESS_HEADERS,
  MCP_HEADERS,
  REQUEST_HEADERS,
  type StreamBody,
  UPGRADE_HEADERS,
} from '../socket/http.ts';
import type { Channel } from './channel.ts';
import type { Ask, EdgeChannels, KnownHost } from './edge-channels.ts';
import type { EdgeLog, ForwardedCallLog } from './edge-log.ts';
import { decodeHead, FRAME } from './frames.ts';
import type { ClosedHead, ReplyHead } from './messages.ts';

/** Between two questions whether the host still knows of a call. */
const LOOK_MS = 10_000;
/** A body that a host sends may wait so long for its next piece. */
const PIECE_MS_MAX = 60_000;

/** Of a call that reached a host, which was then lost: nobody can say what it did. */
const hostLost = (): ServiceError => new ServiceError('host_lost');
/** Nothing was sent. */
export const hostUnreachable = (): ServiceError =>
  new ServiceError('host_unreachable', undefined, { retryAfterSeconds: 1 });

export interface CallOptions {
  readonly caller?: Ask['caller'];
  readonly browser?: Ask['browser'];
  /** The whole body. */
  readonly body?: Uint8Array;
  /** The body in pieces. */
  readonly pieces?: AsyncIterable<Uint8Array>;
  /** The path's query instead of the head's. */
  readonly query?: string;
  /** Called if the client goes. */
  readonly onGone?: (listener: () => void) => void;
}

const HEADERS: readonly HeaderName[] = [
  ...REQUEST_HEADERS,
  ...KEYLESS_HEADERS,
  ...MCP_HEADERS,
  ...UPGRADE_HEADERS,
  'accept-encoding',
];

/**
 * The head of a request for a host; to be read before the library's callback returns. No host is told a credential of an account: who
 * asks is in the grant.
 * @param requestId what the request is known by
 * @param withToken whether the request is authorized by a token for a session, which its host verifies
 */
export function relayedHead(
  head: HttpHead,
  requestId: string,
  kind: 'http' | 'socket',
  withToken = false,
): Ask['head'] {
  // A caller's own, even if it is malformed, is read below: the host refuses it where it matters.
  const headers: Partial<Record<HeaderName, string>> = { 'x-service-request-id': requestId };
  for (const name of HEADERS) {
    if (name === 'cookie' || (name === 'authorization' && !withToken)) continue;
    const value = head.header(name);
    if (value !== undefined) headers[name] = value;
  }
  const { method, path, query, address } = head;
  return { kind, requestId, method, path, query, headers, address };
}

/** The head of a call that an edge makes for itself. */
export const ownHead = (kind: Ask['head']['kind']): Ask['head'] => ({
  kind,
  requestId: newId('req'),
  method: '',
  path: '',
  query: '',
  headers: {},
  address: '',
});

/** Calls the hosts, for the clients of an edge. */
export class HostCalls {
  readonly #channels: EdgeChannels;
  readonly #clock: Clock;
  readonly #log: Pick<EdgeLog, 'call' | 'unreached'>;

  constructor(channels: EdgeChannels, clock: Clock, log: Pick<EdgeLog, 'call' | 'unreached'>) {
    this.#channels = channels;
    this.#clock = clock;
    this.#log = log;
  }

  /** The failure of a call for a host that cannot be reached. */
  unreached(host: string, head: Ask['head'], body?: Uint8Array): ServiceError {
    this.#log.unreached(host, head, body);
    return hostUnreachable();
  }

  /**
   * Passes a request on and resolves with the host's answer. Throws a `ServiceError`: `host_unreachable` where nothing was sent, `host_lost` where
   * it was sent and no answer came.
   */
  call(host: KnownHost, head: Ask['head'], options: CallOptions = {}): Promise<HttpReply> {
    const { caller, browser, body, pieces, query, onGone } = options;
    if (!this.#channels.canReach(host)) return Promise.reject(this.unreached(host.name, head, body));
    return new Promise((resolve, reject) => {
      const answer = new Answer(
        this.#log.call(host.name, head, body),
        (reply) => resolve(reply),
        () => reject(hostLost()),
        () => {
          endLooks();
          this.#channels.end(host, channel);
        },
      );
      // An answer may take its time, or be lost: a host that knows nothing of the call says so.
      const endLooks = every(this.#clock, LOOK_MS, () => channel.send(FRAME.ping));
      const asked: Ask = {
        head: { ...head, ...(query !== undefined && { query }), ...(pieces && { more: true as const }) },
        ...(body && { body }),
        ...(caller && { caller }),
        ...(browser && { browser }),
      };
      const channel: Channel = this.#channels.open(host, asked, {
        told: (type, payload) => answer.told(type, payload),
        data: (bytes) => answer.data(bytes),
        taken: () => undefined,
        lost: (why) => answer.lost(why),
      });
      answer.channel = channel;
      onGone?.(() => answer.cancel());
      if (pieces) void this.#send(channel, pieces);
    });
  }

  async #send(channel: Channel, pieces: AsyncIterable<Uint8Array>): Promise<void> {
    try {
      for await (const piece of pieces) {
        await channel.room();
        if (!channel.isOpen) return;
        channel.sendData(piece);
      }
      channel.send(FRAME.end);
    } catch {
      channel.sendGone('the client has gone');
    }
  }
}

/** The answer of a host on its way. */
class Answer {
  channel: Channel | undefined;
  readonly #log: ForwardedCallLog;
  readonly #resolve: (reply: HttpReply) => void;
  readonly #reject: () => void;
  readonly #end: () => void;
  #body: HostBody | undefined;
  #isSettled = false;

  constructor(log: ForwardedCallLog, resolve: (reply: HttpReply) => void, reject: () => void, end: () => void) {
    this.#log = log;
    this.#resolve = resolve;
    this.#reject = reject;
    this.#end = end;
  }

  told(type: number, payload: Uint8Array): void {
    if (type === FRAME.reply) {
      this.#reply(payload);
    } else if (type === FRAME.end) {
      this.#body?.ended();
      this.#end();
    } else if (type === FRAME.closed) {
      this.lost(decodeHead<ClosedHead>(payload).head.reason);
    }
  }

  data(bytes: Uint8Array): void {
    this.#body?.push(bytes);
  }

  lost(why: string): void {
    if (this.#isSettled) this.#log.cut(this.#name, why);
    else this.#log.lost(this.#name, why);
    this.#fail();
  }

  #fail(): void {
    this.#body?.failed();
    this.#end();
    if (!this.#isSettled) this.#reject();
    this.#isSettled = true;
  }

  get #name(): string {
    return this.channel?.name ?? '';
  }

  /** The client has gone. */
  cancel(): void {
    if (this.#isSettled) return;
    this.channel?.sendGone('the client has gone');
    this.#log.left(this.#name);
    this.#fail();
  }

  #reply(payload: Uint8Array): void {
    this.#isSettled = true;
    const { head, body: bytes } = decodeHead<ReplyHead>(payload);
    const { status, headers, bodyBytes, close, body, fileBytes = 0 } = head;
    const told = { status, ...(headers && { headers }), ...(close !== undefined && { close }) };
    this.#log.answered(this.#name, told);
    if (body === 'whole') {
      this.#end();
      return this.#resolve({ ...told, body: new Uint8Array(bytes), ...(bodyBytes !== undefined && { bodyBytes }) });
    }
    const onClose = () => {
      this.channel?.sendGone('the client has gone');
      this.#end();
    };
    const onStalled = () => this.#log.cut(this.#name, 'the host sends nothing more');
    const kept = new HostBody(this.channel as Channel, onClose, onStalled);
    this.#body = kept;
    this.#resolve({
      ...told,
      body: '',
      ...(body === 'file' ? { file: new HostFile(kept, fileBytes) } : { stream: kept }),
    });
  }
}

/** A body that a host sends. */
class HostBody implements StreamBody {
  readonly #channel: Channel;
  readonly #onClose: () => void;
  readonly #onStalled: () => void;
  readonly #pieces: Uint8Array[] = [];
  #state: 'open' | 'ended' | 'failed' = 'open';
  #wake: () => void = () => undefined;

  constructor(channel: Channel, onClose: () => void, onStalled: () => void) {
    this.#channel = channel;
    this.#onClose = onClose;
    this.#onStalled = onStalled;
  }

  push(bytes: Uint8Array): void {
    this.#pieces.push(new Uint8Array(bytes));
    this.#wake();
  }

  ended(): void {
    this.#state = 'ended';
    this.#wake();
  }

  failed(): void {
    if (this.#state === 'open') this.#state = 'failed';
    this.#wake();
  }

  async next(): Promise<Uint8Array | undefined> {
    while (this.#pieces.length === 0 && this.#state === 'open') {
      const timer = setTimeout(() => {
        this.#onStalled();
        this.failed();
      }, PIECE_MS_MAX);
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      clearTimeout(timer);
    }
    const piece = this.#pieces.shift();
    if (piece) {
      this.#channel.took(piece.byteLength, true);
      return piece;
    }
    if (this.#state === 'failed') throw new Error('the host does not send the rest of the body');
    return undefined;
  }

  close(): void {
    this.#pieces.length = 0;
    if (this.#state !== 'open') return;
    this.#state = 'failed';
    this.#wake();
    this.#onClose();
  }
}

/** A body of a known length, read from its beginning to its end. */
class HostFile implements FileBody {
  readonly byteLength: number;
  readonly #body: HostBody;
  #rest: Uint8Array = new Uint8Array();

  constructor(body: HostBody, byteLength: number) {
    this.#body = body;
    this.byteLength = byteLength;
  }

  async read(into: Uint8Array): Promise<number> {
    if (this.#rest.byteLength === 0) this.#rest = (await this.#body.next()) ?? this.#rest;
    const piece = this.#rest.subarray(0, into.byteLength);
    into.set(piece);
    this.#rest = this.#rest.subarray(piece.byteLength);
    return piece.byteLength;
  }

  close(): void {
    this.#body.close();
  }
}

/** The whole body of a host's answer as text. */
export async function textOf({ body, file }: HttpReply): Promise<string> {
  if (!file) return typeof body === 'string' ? body : Buffer.from(body).toString();
  const bytes = Buffer.alloc(file.byteLength);
  for (let at = 0; at < bytes.byteLength; ) {
    const count = await file.read(bytes.subarray(at), at);
    if (count === 0) throw hostLost();
    at += count;
  }
  file.close();
  return bytes.toString();
}

import { LIMITS } from '../../protocol/limits.ts';
import { Emitter } from '../core/emitter.ts';
import { type InteractOptions, SimulatorActions } from './actions.ts';
import { Calls, type InteractionMessage, lost, unacknowledged } from './calls.ts';
import {
  type FrameEvent,
  type FrameReady,
  type InteractionRequest,
  type InteractionResult,
  isFields,
  type ToFrame,
} from './messages.ts';
import { readEvent, readReady, readResult } from './read.ts';

export interface SimulatorFrameOptions {
  /** The session's address; default: the iframe's `src`. Messages of every other origin are ignored. */
  readonly url?: string;
  /** Milliseconds that this page waits beyond the timeout of an interaction; default 2,000. */
  readonly graceMs?: number;
}

export interface SimulatorFrameEvents {
  /** The frame is connected; repeated after each reload or lost connection. */
  readonly ready: FrameReady;
  readonly event: FrameEvent;
}

/** The server refuses a longer timeout. */
const { default: TIMEOUT_MS, max: TIMEOUT_MS_MAX } = LIMITS.interactionTimeoutMs;
const GRACE_MS = 2_000;

/** Controls a session's viewer in an iframe. Create one with `createSimulatorFrame`. */
export class SimulatorFrame extends SimulatorActions {
  /** Resolves when the frame is connected for the first time; rejects if disposed before. */
  readonly ready: Promise<FrameReady>;
  readonly #iframe: HTMLIFrameElement;
  readonly #origin: string;
  readonly #graceMs: number;
  readonly #calls = new Calls();
  readonly #emitter = new Emitter<SimulatorFrameEvents>();
  readonly #listening = new AbortController();
  readonly #idPrefix = `e${Math.random().toString(36).slice(2, 12)}-`;
  #idCount = 0;
  #frameId: string | undefined;

  constructor(iframe: HTMLIFrameElement, { url = iframe.src, graceMs = GRACE_MS }: SimulatorFrameOptions = {}) {
    super();
    this.#iframe = iframe;
    this.#origin = originOf(url);
    this.#graceMs = graceMs;
    const { signal } = this.#listening;
    this.ready = new Promise((resolve, reject) => {
      this.#emitter.on('ready', resolve);
      signal.addEventListener('abort', () => reject(new Error('The simulator frame was disposed of.')));
    });
    // A caller that ignores `ready` must not get an unhandled rejection.
    this.ready.catch(() => undefined);
    addEventListener('message', (event) => this.#received(event), { signal });
    iframe.addEventListener('load', () => this.#hello(), { signal });
    // A readable document is the initial empty one, which the viewer will replace.
    if (iframe.contentDocument === null) this.#hello();
  }

  override async interact(request: InteractionRequest, options: InteractOptions = {}): Promise<InteractionResult> {
    const { signal, timeoutMs = request.timeoutMs ?? TIMEOUT_MS } = options;
    const requestId = request.requestId ?? this.#newRequestId();
    const message: InteractionMessage = { ...request, type: 'service:interaction', requestId, timeoutMs };
    signal?.throwIfAborted();
    if (this.#listening.signal.aborted) return lost(message, 'The simulator frame was disposed of.');
    if (this.#calls.has(requestId)) {
      return unacknowledged(message, 'duplicate_request', 'A request with this id is already pending on this page.');
    }
    const allowedMs = timeoutMs >= 0 ? Math.min(timeoutMs, TIMEOUT_MS_MAX) : TIMEOUT_MS;
    const givenUp = () => this.cancel(requestId, message.action);
    const result = this.#calls.add({ message, waitMs: allowedMs + this.#graceMs, signal, givenUp });
    // Without a connected frame the call waits; `service:ready` sends it.
    if (this.#frameId !== undefined) this.#send(message, this.#frameId);
    return result;
  }

  override cancel(requestId: string, action?: string): void {
    if (this.#calls.isPosted(requestId)) {
      const named = action === undefined ? {} : { action };
      this.#post({ type: 'service:interaction-cancel', requestId, ...named });
    }
  }

  /** Calls `listener` for each event of `name`; the returned function removes it. */
  on<Name extends keyof SimulatorFrameEvents>(
    name: Name,
    listener: (value: SimulatorFrameEvents[Name]) => void,
  ): () => void {
    return this.#emitter.on(name, listener);
  }

  /** Stops listening. Pending calls fail; the session stays active. */
  dispose(): void {
    this.#listening.abort();
    this.#calls.failAll('The simulator frame was disposed of.');
  }

  #received({ source, origin, data }: MessageEvent<unknown>): void {
    if (source === null || source !== this.#iframe.contentWindow || origin !== this.#origin || !isFields(data)) return;
    const result = readResult(data);
    if (result) this.#calls.settle(result);
    const ready = readReady(data);
    if (ready) this.#connected(ready);
    const event = readEvent(data);
    if (event) this.#emitter.emit('event', event);
  }

  #connected(ready: FrameReady): void {
    this.#frameId = ready.frameId;
    this.#calls.failOthers(ready.frameId, 'The frame was loaded again before it answered.');
    for (const message of this.#calls.unposted()) this.#send(message, ready.frameId);
    this.#emitter.emit('ready', ready);
  }

  #send(message: InteractionMessage, frameId: string): void {
    try {
      this.#post(message);
      this.#calls.posted(message.requestId, frameId);
    } catch {
      const sentence = 'The interaction holds something that cannot be sent.';
      this.#calls.settle(unacknowledged(message, 'invalid_interaction', sentence));
    }
  }

  /** The frame may have been ready before this page listened. */
  #hello(): void {
    this.#post({ type: 'service:hello' });
  }

  #post(message: ToFrame): void {
    this.#iframe.contentWindow?.postMessage(message, this.#origin);
  }

  #newRequestId(): string {
    this.#idCount += 1;
    return `${this.#idPrefix}${this.#idCount}`;
  }
}

/**
 * Connects to the viewer in an iframe. The page's origin must be one of the session's `embedOrigins`.
 *
 * @param iframe its `src` is the session's `url`
 */
export function createSimulatorFrame(iframe: HTMLIFrameElement, options?: SimulatorFrameOptions): SimulatorFrame {
  return new SimulatorFrame(iframe, options);
}

function originOf(address: string): string {
  const { origin, protocol } = new URL(address, document.baseURI);
  if (protocol !== 'https:' && protocol !== 'http:') throw new TypeError('The iframe needs the address of a session.');
  return origin;
}

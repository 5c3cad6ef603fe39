import { ACTION_LIMITS } from '../../protocol/action-limits.ts';
import type { ActionName } from '../../protocol/actions/index.ts';
import { Emitter } from '../core/emitter.ts';
import type { Asked } from '../sdk/interactions.ts';
import { type ClipboardOptions, type InteractOptions, SimulatorActions } from './actions.ts';
import { type CallMessage, Calls, type InteractionMessage, lost, unacknowledged } from './calls.ts';
import { type FrameFailureCode, SimulatorFrameError } from './failure.ts';
import { type ViewerLook, withLook } from './look.ts';
import {
  type ClipboardResult,
  type FrameEvent,
  type FrameReady,
  type InteractionResult,
  isFields,
  type ToFrame,
} from './messages.ts';
import { readEvent, readReady, readResult, readWaiting } from './read.ts';

/** Absent parts of the look are those of the iframe's attributes: `data-toolbar`, `data-frame`, `data-theme`, `data-scale`. */
export interface SimulatorFrameOptions extends Partial<ViewerLook> {
  /** The session's address; default: the iframe's `src`. Messages of every other origin are ignored. */
  readonly url?: string;
  /** Milliseconds that this page waits beyond the timeout of an interaction; default 2,000. */
  readonly graceMs?: number;
  /** Milliseconds after which `ready` rejects if the frame is not connected; default 10,000. */
  readonly readyTimeoutMs?: number;
}

export interface SimulatorFrameEvents {
  /** The frame is connected; repeated after each reload or lost connection. */
  readonly ready: FrameReady;
  readonly event: FrameEvent;
}

/** The server refuses a longer timeout. */
const { default: TIMEOUT_MS, max: TIMEOUT_MS_MAX } = ACTION_LIMITS.interactionTimeoutMs;
const GRACE_MS = 2_000;
const READY_TIMEOUT_MS = 10_000;

/** Controls a session's viewer in an iframe. Create one with `createSimulatorFrame`. */
export class SimulatorFrame extends SimulatorActions {
  /**
   * Resolves when the frame is connected for the first time. Rejects with a `SimulatorFrameError` that says why, when it is
   * not connected in time, when it can no longer be, and when it is disposed of. The `ready` event comes also later.
   */
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
  #inspects = false;
  /** Why the frame says that it is not connected; absent until it answers. */
  #waiting: string | undefined;

  constructor(iframe: HTMLIFrameElement, options: SimulatorFrameOptions = {}) {
    super();
    const { url = iframe.src, graceMs = GRACE_MS, readyTimeoutMs = READY_TIMEOUT_MS, ...look } = options;
    this.#iframe = iframe;
    this.#origin = originOf(url);
    this.#graceMs = graceMs;
    this.ready = this.#firstReady(readyTimeoutMs);
    const { signal } = this.#listening;
    // A caller that ignores `ready` must not get an unhandled rejection.
    this.ready.catch(() => undefined);
    addEventListener('message', (event) => this.#received(event), { signal });
    iframe.addEventListener('load', () => this.#hello(), { signal });
    this.#dress(withLook(iframe.src, look, iframe.dataset));
    // A readable document is the initial empty one, which the viewer will replace.
    if (iframe.contentDocument === null) this.#hello();
  }

  /** Changes how the viewer looks, without loading it again; absent parts stay as they are. */
  dress(look: Partial<ViewerLook>): void {
    this.#dress(withLook(this.#iframe.src, look));
  }

  /**
   * Turns the viewer's inspector on or off. While it is on, pointing at the screen frames and names elements, and a click taps nothing:
   * it comes as the event `inspected`, with the selector of the element. It stays on when the frame connects again.
   */
  inspect(on: boolean): void {
    this.#inspects = on;
    if (this.#frameId !== undefined) this.#post({ type: 'service:inspect', on });
  }

  override async interact<Name extends ActionName>(
    request: Asked<Name>,
    options: InteractOptions = {},
  ): Promise<InteractionResult<Name>> {
    const { signal, timeoutMs = request.timeoutMs ?? TIMEOUT_MS } = options;
    const requestId = request.requestId ?? this.#newRequestId();
    const message: InteractionMessage = { ...request, type: 'service:interaction', requestId, timeoutMs };
    const allowedMs = timeoutMs >= 0 ? Math.min(timeoutMs, TIMEOUT_MS_MAX) : TIMEOUT_MS;
    return this.#call(message, allowedMs, signal) as Promise<InteractionResult<Name>>;
  }

  override async getClipboard({ signal }: ClipboardOptions = {}): Promise<ClipboardResult> {
    const message = { type: 'service:clipboard', requestId: this.#newRequestId(), action: 'clipboard.get' } as const;
    return this.#call(message, TIMEOUT_MS_MAX, signal) as Promise<ClipboardResult>;
  }

  override async setClipboard(text: string, { signal }: ClipboardOptions = {}): Promise<ClipboardResult> {
    const requestId = this.#newRequestId();
    const message = { type: 'service:clipboard', requestId, action: 'clipboard.set', text } as const;
    return this.#call(message, TIMEOUT_MS_MAX, signal) as Promise<ClipboardResult>;
  }

  async #call(message: CallMessage, allowedMs: number, signal?: AbortSignal): ReturnType<Calls['add']> {
    const { requestId } = message;
    signal?.throwIfAborted();
    if (this.#listening.signal.aborted) return lost(message, 'The simulator frame was disposed of.');
    if (this.#calls.has(requestId)) {
      return unacknowledged(message, 'duplicate_request', 'A request with this id is already pending on this page.');
    }
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
    this.#waiting = readWaiting(data) ?? this.#waiting;
    const event = readEvent(data);
    if (event) this.#emitter.emit('event', event);
  }

  #firstReady(timeoutMs: number): Promise<FrameReady> {
    const { signal } = this.#listening;
    return new Promise((resolve, reject) => {
      const fail = (code: FrameFailureCode, message: string) => reject(new SimulatorFrameError(code, message));
      const timer = setTimeout(() => {
        const within = `within ${timeoutMs / 1_000} s`;
        if (this.#waiting === undefined) fail('no_answer', `The viewer did not answer ${within}. ${remedy()}`);
        else fail('not_connected', `The viewer did not connect ${within}. ${this.#waiting}`);
      }, timeoutMs);
      this.#emitter.on('ready', (ready) => {
        clearTimeout(timer);
        resolve(ready);
      });
      this.#emitter.on('event', (event) => {
        const { event: name } = event;
        if (name !== 'disconnected' && name !== 'session.ended') return;
        clearTimeout(timer);
        fail('disconnected', `The viewer is disconnected: ${event.reason}.`);
      });
      signal.addEventListener('abort', () => {
        clearTimeout(timer);
        fail('disposed', 'The simulator frame was disposed of.');
      });
    });
  }

  #connected(ready: FrameReady): void {
    this.#frameId = ready.frameId;
    this.#calls.failOthers(ready.frameId, 'The frame was loaded again before it answered.');
    for (const message of this.#calls.unposted()) this.#send(message, ready.frameId);
    if (this.#inspects) this.inspect(true);
    this.#emitter.emit('ready', ready);
  }

  #send(message: CallMessage, frameId: string): void {
    try {
      this.#post(message);
      this.#calls.posted(message.requestId, frameId);
    } catch {
      const sentence = 'The request holds something that cannot be sent.';
      this.#calls.settle(unacknowledged(message, 'invalid_interaction', sentence));
    }
  }

  /** Only the fragment changes, so the viewer is not loaded again. */
  #dress(address: string): void {
    if (this.#iframe.src !== '' && address !== this.#iframe.src) this.#iframe.src = address;
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

const remedy = (): string =>
  `This page's origin, ${location.origin}, must be one of the session's embedOrigins; open the address by itself to see whether it is valid.`;

function originOf(address: string): string {
  const { origin, protocol } = new URL(address, document.baseURI);
  if (protocol !== 'https:' && protocol !== 'http:') throw new TypeError('The iframe needs the address of a session.');
  return origin;
}

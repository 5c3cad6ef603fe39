import type { Acknowledgement } from '@runcloud/protocol';
import { isWellFormed } from '../../protocol/characters.ts';
import { encodeMessage } from '../core/codec.ts';
import type { ConnectionState } from '../core/connection.ts';
import { type ClipboardAction, type Fields, isFields, type ToPage } from '../embed/messages.ts';
import type { Ending } from './connection/ending.ts';
import type { Inspector } from './inspector/inspector.ts';
import { LIMITS } from './protocol.ts';
import type { Interaction, Viewer } from './viewer.ts';

/** The parts of a browser that a bridge needs. */
export interface BridgeParts {
  readonly viewer: Viewer;
  readonly inspector: Inspector;
  /** The frame's own window. */
  readonly frame: Window;
  /** Origins of the pages that may talk to the frame; the server wrote them on the page. */
  readonly origins: readonly string[];
}

const REQUEST_ID = /^[A-Za-z0-9._:-]{1,128}$/;

/**
 * Connects the viewer to the page that embeds it. Listens to its parent alone, and only where the parent's origin is one
 * of the session's; everybody else gets no answer. What it says goes to these exact origins, and never holds the token.
 */
export class Bridge {
  readonly #viewer: Viewer;
  readonly #inspector: Inspector;
  readonly #parent: Window;
  readonly #origins: readonly string[];
  readonly #frameId = Math.random().toString(36).slice(2);
  /** Requests of the parent that have no result yet: it cannot cancel what others asked. */
  readonly #pending = new Set<string>();
  #ended = false;

  private constructor({ viewer, inspector, frame, origins }: BridgeParts) {
    this.#viewer = viewer;
    this.#inspector = inspector;
    this.#parent = frame.parent;
    this.#origins = origins;
    frame.addEventListener('message', (event) => this.#received(event));
    const told = possibleOrigins(frame, origins);
    const tell = (message: ToPage): void => {
      for (const origin of told) this.#post(message, origin);
    };
    viewer.on('ready', () => this.#sayReady(tell));
    this.#sayReady(tell);
    viewer.on('event', (event) => {
      if (event.event === 'viewers') return;
      if (event.event === 'session.ended') this.#ended = true;
      // The service's own record goes on as it came.
      tell({ ...event, type: 'service:event' } as ToPage);
    });
    inspector.on('chosen', (chosen) => tell({ type: 'service:event', event: 'inspected', ...chosen }));
    viewer.on('state', (state) => {
      if (state.kind !== 'ended' || this.#ended) return;
      this.#ended = true;
      tell({ type: 'service:event', event: 'disconnected', reason: state.ending.title });
    });
  }

  /** Does nothing in a page that is not framed, or that nobody may talk to. */
  static open({ frame, origins, ...parts }: BridgeParts): void {
    const exact = origins.map(originOf).filter((origin) => origin !== undefined);
    if (frame.parent !== frame && exact.length > 0) new Bridge({ ...parts, frame, origins: exact });
  }

  #received({ source, origin, data }: MessageEvent<unknown>): void {
    if (source !== this.#parent || !this.#origins.includes(origin) || !isFields(data)) return;
    if (data.type === 'service:hello') this.#sayReady((message) => this.#post(message, origin));
    else if (data.type === 'service:interaction' || data.type === 'service:clipboard') void this.#answer(data, origin);
    else if (data.type === 'service:interaction-cancel') this.#cancel(data);
    else if (data.type === 'service:inspect') this.#inspector.toggle(data.on === true, 'page');
  }

  /** Says that the frame is connected, or why it is not. */
  #sayReady(tell: (message: ToPage) => void): void {
    const { ready, orientation, state } = this.#viewer;
    if (!ready || state.kind !== 'connected') return tell({ type: 'service:waiting', why: whyNot(state) });
    tell({
      type: 'service:ready',
      version: 1,
      frameId: this.#frameId,
      platform: ready.session.platform,
      role: ready.role,
      orientation,
      capabilities: ready.capabilities,
    });
  }

  async #answer(data: Fields, origin: string): Promise<void> {
    const { requestId } = data;
    // Nobody could tell what an answer without an id belongs to.
    if (typeof requestId !== 'string') return;
    const request = toInteraction(data);
    const acknowledgement =
      typeof request === 'string'
        ? refusal(data, requestId, request)
        : await this.#carryOut(data.type, request, requestId);
    const { action, status, acceptedAt, completedAt, durationMs, result, error } = acknowledgement;
    const platform = acknowledgement.platform ?? this.#viewer.platform;
    this.#post(
      {
        type: 'service:interaction-result',
        requestId,
        ...(platform === undefined ? {} : { platform }),
        action: action ?? String(data.action),
        status,
        acceptedAt,
        completedAt,
        durationMs,
        timing: { acceptedAt, completedAt, durationMs },
        ...(result === undefined ? {} : { result }),
        ...(error === undefined ? {} : { error }),
      },
      origin,
    );
  }

  async #carryOut(type: unknown, request: Interaction, requestId: string): Promise<Acknowledgement> {
    if (this.#pending.has(requestId)) {
      return refusal(
        request,
        requestId,
        'A request with this id is already pending on this page.',
        'duplicate_request',
      );
    }
    this.#pending.add(requestId);
    const { action, text } = request;
    const acknowledgement =
      type === 'service:clipboard' && isClipboard(action)
        ? await this.#viewer.clipboard(action, requestId, text)
        : await this.#viewer.interact(request);
    this.#pending.delete(requestId);
    return acknowledgement;
  }

  #cancel({ requestId, action }: Fields): void {
    if (typeof requestId !== 'string' || !this.#pending.has(requestId)) return;
    this.#viewer.cancel(requestId, typeof action === 'string' ? action : undefined);
  }

  #post(message: ToPage, origin: string): void {
    this.#parent.postMessage(message, origin);
  }
}

const whyNot = (state: ConnectionState<Ending>): string =>
  state.kind === 'ended' ? `${state.ending.title}. ${state.ending.detail}` : 'It is connecting to the session.';

/** An origin as browsers write it: lower case, without the default port. `*` and `null` are not origins. */
function originOf(address: string): string | undefined {
  return /^https?:/i.test(address) && URL.canParse(address) ? new URL(address).origin : undefined;
}

/** The `origins` that the parent may have. If the browser does not reveal it, `postMessage` delivers only to a match. */
function possibleOrigins({ location }: Window, origins: readonly string[]): readonly string[] {
  const parent: string | undefined = location.ancestorOrigins?.[0];
  return parent === undefined ? origins : origins.filter((origin) => origin === parent);
}

/** The interaction in a message, as plain data that the control socket takes; otherwise what is wrong with it. */
function toInteraction({ type, ...fields }: Fields): Interaction | string {
  if (!REQUEST_ID.test(String(fields.requestId))) return '"requestId" is not valid.';
  try {
    // A message can hold what the contract does not know: dates, maps, cycles.
    const plain: unknown = JSON.parse(JSON.stringify(fields), inUnicode);
    if (!isInteraction(plain)) return '"action" is required.';
    if (type === 'service:clipboard' && !isClipboard(plain.action)) return CLIPBOARD_ACTIONS;
    if (depthOf(plain) > LIMITS.clientMessageDepth) return 'The request is nested too deeply.';
    const { byteLength } = encodeMessage({ ...plain, type: 'interaction' });
    return byteLength > LIMITS.clientMessageBytes ? 'The request is too large.' : plain;
  } catch {
    return 'The request is not plain data in Unicode.';
  }
}

const CLIPBOARD_ACTIONS = '"action" must be "clipboard.get" or "clipboard.set".';
const isClipboard = (action: string): action is ClipboardAction =>
  action === 'clipboard.get' || action === 'clipboard.set';

/** Half of a surrogate pair cannot be sent: the service would close the connection. */
function inUnicode(key: string, value: unknown): unknown {
  if (isWellFormed(key) && (typeof value !== 'string' || isWellFormed(value))) return value;
  throw new TypeError('half of a surrogate pair');
}

const depthOf = (value: unknown): number =>
  typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0;

const isInteraction = (value: unknown): value is Interaction => isFields(value) && typeof value.action === 'string';

function refusal(
  { action }: Fields,
  requestId: string,
  message: string,
  code: 'invalid_interaction' | 'duplicate_request' = 'invalid_interaction',
): Acknowledgement {
  const now = new Date().toISOString();
  return {
    ok: false,
    requestId,
    action: String(action),
    status: 'failed',
    acceptedAt: now,
    completedAt: now,
    durationMs: 0,
    error: { code, message, retryable: false },
  };
}

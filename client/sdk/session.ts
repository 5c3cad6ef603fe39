import { routeTo } from '../../protocol/routes/address.ts';
import { type ActionOptions, type CallOptions, SessionActions } from './actions.ts';
import { readBytes } from './answer-body.ts';
import {
  checkedId,
  checkedInteraction,
  checkedPlatform,
  checkedRequestId,
  checkedTimeoutMs,
  checkedWaitMs,
} from './arguments.ts';
import { checkedUrl } from './checked-url.ts';
import { Buffered } from './control/buffered.ts';
import { Control } from './control/control.ts';
import { connectedTooLate } from './control/ending.ts';
import type { LivePointer } from './control/live-pointer.ts';
import type { Stage } from './control/messages.ts';
import type { Message } from './control/requests.ts';
import { Deadline } from './deadline.ts';
import { failureOf, RunCloudError, unanswered } from './error.ts';
import type { Http, HttpCall } from './http.ts';
import type { InteractionRequest } from './interactions.ts';
import { general, INTERACT, OPEN_URL, SCREENSHOT } from './operations.ts';
import { pngFault } from './png.ts';
import { Recordings } from './recordings.ts';
import type { Surroundings } from './surroundings.ts';
import type { Acknowledgement, OpenUrlResult, Platform, Point, SessionRecord } from './types.ts';

/** The service's own timeout for opening a URL. */
const OPEN_URL_MS = 15_000;
/** A cancel is answered at once. */
const CANCEL_MS = 10_000;
/** Many more stages than a gesture of 1,000 steps has. */
const STAGES_MAX = 10_000;

export interface ConnectOptions extends CallOptions {
  /** Milliseconds until opening the socket fails; default 15,000. */
  readonly timeoutMs?: number;
}

/** A client's handle of a session: its platform and id, with a method for everything you can do with a session. */
export class SessionHandle extends SessionActions {
  readonly id: string;
  readonly platform: Platform;
  readonly recordings: Recordings;
  readonly #http: Http;
  readonly #surroundings: Surroundings;
  #control: Control | undefined;
  #connecting: Promise<Control> | undefined;

  constructor(
    http: Http,
    surroundings: Surroundings,
    { id, platform }: { readonly id: string; readonly platform: Platform },
  ) {
    super();
    this.id = checkedId('id', id);
    this.platform = checkedPlatform(platform);
    this.#http = http;
    this.#surroundings = surroundings;
    this.recordings = new Recordings(http, this.#about);
  }

  /** The control socket, if it is open; calls then use it instead of REST. */
  get control(): Control | undefined {
    return this.#control?.closed ? undefined : this.#control;
  }

  /** Opens the control socket, or returns the open one. */
  async connect({ timeoutMs = this.#http.bounds.connectMs, signal }: ConnectOptions = {}): Promise<Control> {
    checkedWaitMs(timeoutMs);
    if (this.control) return this.control;
    this.#connecting ??= this.#connect(timeoutMs, signal).finally(() => {
      this.#connecting = undefined;
    });
    return this.#connecting;
  }

  /** Closes the control socket, if it is open; calls then use REST. The session stays active. */
  disconnect(): void {
    this.#control?.close();
    this.#control = undefined;
  }

  async interact(request: InteractionRequest, { signal }: CallOptions = {}): Promise<Acknowledgement> {
    return complete('interact', await this.#interact(request, signal));
  }

  /**
   * Performs one interaction and yields its stages. The last stage is its `result`, even for a failure; over REST it is the
   * only stage.
   */
  stages(request: InteractionRequest, { signal }: CallOptions = {}): AsyncIterableIterator<Stage> {
    const controller = new AbortController();
    const stages = new Buffered<Stage>(STAGES_MAX, () => controller.abort());
    const ends = signal ? AbortSignal.any([signal, controller.signal]) : controller.signal;
    const told = new Set<string>();
    const onStage = (stage: Stage): void => {
      // After a lost connection the service repeats all stages.
      const key = JSON.stringify(stage);
      if (stage.type !== 'result' && !told.has(key)) stages.push(stage);
      told.add(key);
    };
    this.#interact(request, ends, onStage).then(
      (acknowledgement) => {
        stages.push({ type: 'result', ...acknowledgement });
        stages.end();
      },
      (error: unknown) => stages.end({ error }),
    );
    return stages;
  }

  /** Cancels an interaction. Resolves with whether it was pending; the interaction's own call tells how it ended. */
  async cancel(requestId: string, { signal }: CallOptions = {}): Promise<boolean> {
    const params = { ...this.#about, requestId: checkedRequestId(requestId) };
    const to = routeTo('DELETE /service/{platform}/{sessionId}/interactions/{requestId}', params);
    const call = { operation: general('cancel'), ...to, signal, repeatable: true, waitMs: CANCEL_MS };
    return (await this.#http.json<{ readonly cancelled: boolean }>(call)).cancelled === true;
  }

  /** Puts down one or two fingers that you can move live; opens the control socket if it is not open. */
  async pointer(points: Point | readonly Point[], { requestId, signal }: ActionOptions = {}): Promise<LivePointer> {
    const control = await this.connect({ signal });
    return control.pointer('x' in points ? [points] : points, requestId);
  }

  /** A PNG of the current display. */
  async screenshot({ timeoutMs, requestId, signal }: ActionOptions = {}): Promise<Uint8Array> {
    const id = checkedRequestId(requestId);
    const waitMs = checkedTimeoutMs(timeoutMs) + this.#http.bounds.graceMs;
    signal?.throwIfAborted();
    const about = { ...this.#about, requestId: id, action: 'screenshot' };
    const { control } = this;
    const image = control?.connected
      ? await this.#pictureFrom(control, { type: 'screenshot', requestId: id, timeoutMs }, waitMs, signal)
      : await this.#pictureOverRest(id, waitMs, signal);
    const fault = image ? pngFault(image) : 'there is no picture in it';
    if (image && fault === undefined) return image;
    throw unanswered(SCREENSHOT, 'invalid', `The service gave a wrong answer: ${fault}.`, about);
  }

  /** Opens an HTTPS URL, or hands a custom scheme to the app that registered it. */
  async openUrl(url: string, { signal }: CallOptions = {}): Promise<OpenUrlResult> {
    const result = await this.#http.json<OpenUrlResult>({
      operation: OPEN_URL,
      ...routeTo('POST /service/{platform}/{sessionId}/open-url', this.#about),
      json: { url: checkedUrl(url) },
      signal,
      waitMs: OPEN_URL_MS + this.#http.bounds.graceMs,
      about: this.#about,
    });
    if (result.ok === true && result.url === url) return result;
    throw unanswered(OPEN_URL, 'invalid', 'The service gave a wrong answer: another URL.', this.#about);
  }

  /** The current record of the session, even after its end. */
  async read({ signal }: CallOptions = {}): Promise<SessionRecord> {
    const to = routeTo('GET /service/sessions/{sessionId}', { sessionId: this.id });
    return this.#http.json({ operation: general('sessions.get'), ...to, signal });
  }

  /** Releases the session; an active recording is finalized first. Idempotent. */
  async delete({ signal }: CallOptions = {}): Promise<SessionRecord> {
    const record = await this.#http.json<SessionRecord>({
      operation: general('sessions.delete'),
      ...routeTo('DELETE /service/sessions/{sessionId}', { sessionId: this.id }),
      signal,
      repeatable: true,
      waitMs: this.#http.bounds.workMs,
    });
    this.disconnect();
    return record;
  }

  get #about(): { readonly sessionId: string; readonly platform: Platform } {
    return { sessionId: this.id, platform: this.platform };
  }

  async #connect(timeoutMs: number, signal: AbortSignal | undefined): Promise<Control> {
    const viewerUrl = async () => (await this.read({ signal })).url;
    const target = { platform: this.platform, sessionId: this.id, viewerUrl };
    const deadline = new Deadline(signal, timeoutMs);
    const parts = await deadline
      .within(this.#surroundings.socketTo(target, this.#http))
      .catch((error: unknown) => {
        throw deadline.expired ? connectedTooLate() : error;
      })
      .finally(() => deadline.end());
    const control = new Control(parts);
    await control.open(timeoutMs, { signal });
    this.#control = control;
    return control;
  }

  async #interact(
    request: InteractionRequest,
    signal: AbortSignal | undefined,
    onStage?: (stage: Stage) => void,
  ): Promise<Acknowledgement> {
    const body = checkedInteraction(request);
    signal?.throwIfAborted();
    const waitMs = body.timeoutMs + this.#http.bounds.graceMs;
    const about = { ...this.#about, requestId: body.requestId, action: body.action };
    const call: HttpCall = {
      operation: INTERACT,
      ...routeTo('POST /service/{platform}/{sessionId}/interactions', this.#about),
      json: body,
      waitMs,
      about,
      // The service keeps outcomes by request id.
      repeatable: true,
    };
    const overRest = (over: AbortSignal) =>
      this.#http.json<Acknowledgement>({ ...call, signal: over }).catch(acknowledged);
    const { control } = this;
    if (!control) {
      const answer = this.#http.json<Acknowledgement>({ ...call, signal });
      return onStage ? answer.catch(acknowledged) : answer;
    }
    const message = { type: 'interaction', ...body, ...(onStage ? {} : { acks: 'final' }) } as const;
    const asked = control.ask({
      message,
      operation: INTERACT,
      waitMs,
      repeatable: true,
      overRest,
      ...(onStage ? { onStage } : {}),
    });
    return unlessAborted(asked, signal);
  }

  async #pictureFrom(control: Control, message: Message, waitMs: number, signal: AbortSignal | undefined) {
    const asked = control.ask({ message, operation: SCREENSHOT, waitMs, repeatable: true });
    const { result } = complete('screenshot', await unlessAborted(asked, signal));
    return result?.image instanceof Uint8Array ? result.image : undefined;
  }

  #pictureOverRest(
    requestId: string,
    waitMs: number,
    signal: AbortSignal | undefined,
  ): Promise<Uint8Array | undefined> {
    const call: HttpCall = {
      operation: SCREENSHOT,
      ...routeTo('GET /service/{platform}/{sessionId}/screenshot', this.#about),
      headers: { 'X-Service-Request-ID': requestId },
      signal,
      waitMs,
      about: { ...this.#about, requestId },
    };
    const { screenshotBytes } = this.#http.bounds;
    return this.#http.read(call, async (response, deadline) => {
      if (response.status === 200 && response.headers.get('Content-Type')?.startsWith('image/png')) {
        const image = await readBytes(response, screenshotBytes, deadline);
        if (image) return image;
        throw this.#http.invalid(call, `it is longer than ${screenshotBytes} bytes`, response);
      }
      await response.body?.cancel();
      return undefined;
    });
  }
}

function complete(operation: string, acknowledgement: Acknowledgement): Acknowledgement {
  if (acknowledgement.ok === true) return acknowledgement;
  throw failureOf(operation, acknowledgement);
}

/** The acknowledgement in a refusal over REST, as the control socket would have sent it. */
function acknowledged(error: unknown): Acknowledgement {
  if (!(error instanceof RunCloudError) || error.acceptedAt === undefined) throw error;
  return error.toJSON() as unknown as Acknowledgement;
}

/** The abort ends only the wait: the request goes on, and its outcome is ignored. */
function unlessAborted<T>(asked: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return asked;
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    asked.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}

/// <reference lib="esnext.disposable" preserve="true" />
import type { ActionName } from '../../protocol/actions/index.ts';
import { routeTo } from '../../protocol/routes/address.ts';
import { Emitter } from '../core/emitter.ts';
import {
  type ActionOptions,
  type CallOptions,
  type InputOptions,
  type OpenUrlOptions,
  type ScreenshotOptions,
  SessionActions,
} from './actions.ts';
import {
  checkedId,
  checkedInteraction,
  checkedPlatform,
  checkedRequestId,
  checkedSnapshotName,
  checkedTimeoutMs,
  checkedWaitMs,
} from './arguments.ts';
import { checkedUrl } from './checked-url.ts';
import { Clipboard } from './clipboard.ts';
import { type Completed, completed } from './completed.ts';
import { Buffered } from './control/buffered.ts';
import { Control, type Reconnected, type ReconnectOptions } from './control/control.ts';
import { connectedTooLate } from './control/ending.ts';
import type { LivePointer } from './control/live-pointer.ts';
import type { Stage } from './control/messages.ts';
import type { Message } from './control/requests.ts';
import { ControlLease } from './control-lease.ts';
import { Deadline } from './deadline.ts';
import { DeviceFiles } from './device-files.ts';
import { failureOf, RunCloudError, unanswered } from './error.ts';
import type { SnapshotRecord } from './files.ts';
import { checkedHistory, entriesOf, type HistoryOptions } from './history.ts';
import type { Http, HttpCall } from './http.ts';
import { type Asked, waitMsOf } from './interactions.ts';
import { Locator } from './locator.ts';
import { checkedLogs, type LogEntry, type LogOptions, linesOf } from './logs.ts';
import { Media } from './media.ts';
import { forced, general, INTERACT, OPEN_URL, SCREENSHOT } from './operations.ts';
import { readPicture } from './picture.ts';
import { pngFault } from './png.ts';
import { Recordings } from './recordings.ts';
import type { Surroundings } from './surroundings.ts';
import type {
  Acknowledgement,
  HistoryEntry,
  InteractionState,
  OpenUrlResult,
  Platform,
  Point,
  SessionRecord,
  Target,
  UiAnswer,
  UiCondition,
  UiTree,
  UiWait,
} from './types.ts';
import { askUi, readOutline, readUi } from './ui.ts';

/** The service's own timeout for opening a URL. */
const OPEN_URL_MS = 15_000;
/** A cancel is answered at once. */
const CANCEL_MS = 10_000;
/** Many more stages than a gesture of 1,000 steps has. */
const STAGES_MAX = 10_000;

export interface ConnectOptions extends CallOptions, ReconnectOptions {
  /** Milliseconds until opening the socket fails; default 15,000. */
  readonly timeoutMs?: number;
}

export interface WaitOptions extends CallOptions {
  /** Milliseconds to wait, 100 to 60,000; default 15,000. */
  readonly timeoutMs?: number | undefined;
}

/** What a session tells of its control socket. */
export interface SessionHandleEvents {
  /** A lost control socket was opened again. */
  readonly reconnected: Reconnected;
  /** A lost control socket was given up. Calls use REST from now on, until you connect again. */
  readonly lost: RunCloudError;
}

/** A handle of a session: its platform and id, with a method for everything you can do with a session. */
export class SessionHandle extends SessionActions {
  readonly id: string;
  readonly platform: Platform;
  readonly recordings: Recordings;
  readonly clipboard: Clipboard;
  readonly media: Media;
  readonly files: DeviceFiles;
  readonly controlLease: ControlLease;
  readonly #http: Http;
  readonly #surroundings: Surroundings;
  #control: Control | undefined;
  #connecting: Promise<Control> | undefined;
  readonly #emitter = new Emitter<SessionHandleEvents>();

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
    this.clipboard = new Clipboard(http, this.#about);
    this.media = new Media(http, this.#about, surroundings.sendsStreams);
    this.files = new DeviceFiles(http, this.#about, surroundings.sendsStreams);
    this.controlLease = new ControlLease(http, this.#about, () => this.control);
  }

  /** The control socket, if it is open; calls then use it instead of REST. */
  get control(): Control | undefined {
    return this.#control?.closed ? undefined : this.#control;
  }

  /** Calls `listener` for each event of the control socket; the returned function removes it. */
  on<Name extends keyof SessionHandleEvents>(
    name: Name,
    listener: (value: SessionHandleEvents[Name]) => void,
  ): () => void {
    return this.#emitter.on(name, listener);
  }

  /** Opens the control socket, or returns the open one. */
  async connect({ timeoutMs, reconnectMs, reconnectSignal, signal }: ConnectOptions = {}): Promise<Control> {
    const { bounds } = this.#http;
    const waitMs = checkedWaitMs(timeoutMs ?? bounds.connectMs);
    const reconnect = { reconnectMs: checkedWaitMs(reconnectMs ?? bounds.reconnectMs, 'reconnectMs'), reconnectSignal };
    if (this.control) return this.control;
    this.#connecting ??= this.#connect(waitMs, reconnect, signal).finally(() => {
      this.#connecting = undefined;
    });
    return this.#connecting;
  }

  /** Closes the control socket, if it is open; calls then use REST. The session stays active. */
  disconnect(): void {
    this.#control?.close();
    this.#control = undefined;
  }

  async interact<Name extends ActionName>(
    request: Asked<Name>,
    { signal, force }: InputOptions = {},
  ): Promise<Completed<Name>> {
    return completed<Name>('interact', await this.#interact(request, signal, undefined, force));
  }

  /**
   * Performs one interaction and yields its stages. The last stage is its `result`, even for a failure; over REST it is the
   * only stage.
   */
  stages<Name extends ActionName>(
    request: Asked<Name>,
    { signal }: CallOptions = {},
  ): AsyncIterableIterator<Stage<Name>> {
    const controller = new AbortController();
    const stages = new Buffered<Stage<Name>>(STAGES_MAX, () => controller.abort());
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
        stages.push({ type: 'result', ...acknowledgement } as Stage<Name>);
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
  async screenshot({ timeoutMs, requestId, settled, signal }: ScreenshotOptions = {}): Promise<Uint8Array> {
    const id = checkedRequestId(requestId);
    const waitMs = checkedTimeoutMs(timeoutMs) + this.#http.bounds.graceMs;
    signal?.throwIfAborted();
    const about = { ...this.#about, requestId: id, action: 'screenshot' };
    const { control } = this;
    const image = control?.connected
      ? await this.#pictureFrom(control, { type: 'screenshot', requestId: id, timeoutMs, settled }, waitMs, signal)
      : await this.#pictureOverRest(id, settled, waitMs, signal);
    const fault = pngFault(image);
    if (fault === undefined) return image;
    throw unanswered(SCREENSHOT, 'invalid', `The service gave a wrong answer: ${fault}.`, about);
  }

  /** A JPEG of the current display, 768 pixels at most on its long edge: small enough for a language model. */
  picture({ settled, signal }: Pick<ScreenshotOptions, 'settled' | 'signal'> = {}): Promise<Uint8Array> {
    return this.#pictureOverRest(checkedRequestId(undefined), settled, this.#http.bounds.answerMs, signal, 'jpeg');
  }

  /** What is on the screen, with everything that was accepted before; for devices with `capabilities.ui`. */
  ui(options: CallOptions = {}): Promise<UiTree> {
    return readUi(this.#http, this.#about, options);
  }

  /** The elements on the screen that can be used or read, as lines of text for people and language models, 20 KB at most. */
  outline(options: CallOptions = {}): Promise<string> {
    return readOutline(this.#http, this.#about, options);
  }

  /** An element of the screen, to be tapped, typed into, waited for, and expected to be something (`runcloud/expect`). */
  get(target: Target): Locator {
    return new Locator(this, target);
  }

  /** Whether something is so on the screen now; that it is not is no failure: `holds` says it, and `found` what is there instead. */
  check(condition: UiCondition, options: CallOptions = {}): Promise<UiAnswer> {
    return askUi(this.#http, this.#about, 'check', condition, options);
  }

  /**
   * Waits until something is so on the screen, while other calls go on; fails with `wait_timeout`, which says what is there instead.
   * `{ idle: true }` waits until the screen stands still, 2 seconds at most.
   */
  waitFor(wait: UiWait, options: WaitOptions = {}): Promise<UiAnswer> {
    return askUi(this.#http, this.#about, 'wait', wait, options);
  }

  /** Opens an HTTPS URL, or hands a custom scheme to the app that registered it. */
  async openUrl(url: string, { signal, force, requestId }: OpenUrlOptions = {}): Promise<OpenUrlResult> {
    const result = await this.#http.json<OpenUrlResult>({
      operation: OPEN_URL,
      ...forced(routeTo('POST /service/{platform}/{sessionId}/open-url', this.#about), force),
      json: { url: checkedUrl(url), requestId },
      signal,
      waitMs: OPEN_URL_MS + this.#http.bounds.graceMs,
      about: this.#about,
    });
    if (result.ok === true && result.url === url) return result;
    throw unanswered(OPEN_URL, 'invalid', 'The service gave a wrong answer: another URL.', this.#about);
  }

  /**
   * Keeps the state of the device under a name, for `snapshot` of new sessions; behind earlier interactions. Never retried: a second
   * try would find its own name.
   */
  async snapshot(name: string, { signal, force }: InputOptions = {}): Promise<SnapshotRecord> {
    const to = forced(routeTo('POST /service/{platform}/{sessionId}/snapshots', this.#about), force);
    const json = { name: checkedSnapshotName(name) };
    const { workMs, graceMs } = this.#http.bounds;
    const waitMs = workMs + graceMs;
    return this.#http.json({ operation: general('snapshot'), ...to, json, signal, waitMs, about: this.#about });
  }

  /** The current record of the session, even after its end. */
  async read({ signal }: CallOptions = {}): Promise<SessionRecord> {
    const to = routeTo('GET /service/sessions/{sessionId}', { sessionId: this.id });
    return this.#http.json({ operation: general('sessions.get'), ...to, signal });
  }

  /** What was done in the session, oldest first, even after its end; pages are read as you iterate. */
  history(options: HistoryOptions = {}): AsyncIterableIterator<HistoryEntry> {
    checkedHistory(options);
    const { signal } = options;
    const isOver = async () => !/^(?:starting|active)$/.test((await this.read({ signal })).status);
    return entriesOf(this.#http, this.#about, options, isOver);
  }

  /** The log of the device, oldest first; pages are read as you iterate. Texts are as apps wrote them, control characters included. */
  logs(options: LogOptions = {}): AsyncIterableIterator<LogEntry> {
    checkedLogs(options);
    return linesOf(this.#http, this.#about, options);
  }

  /** How a request stands, and its outcome once it has one; even after the session's end. */
  async outcome(requestId: string, { signal }: CallOptions = {}): Promise<InteractionState> {
    const params = { ...this.#about, requestId: checkedRequestId(requestId) };
    const to = routeTo('GET /service/{platform}/{sessionId}/interactions/{requestId}', params);
    return this.#http.json({ operation: general('outcome'), ...to, signal, about: params });
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

  /** Closes the control socket at the end of an `await using`. The session stays active, unless this program created it. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.disconnect();
  }

  get #about(): { readonly sessionId: string; readonly platform: Platform } {
    return { sessionId: this.id, platform: this.platform };
  }

  async #connect(timeoutMs: number, reconnect: ReconnectOptions, signal: AbortSignal | undefined): Promise<Control> {
    const viewerUrl = async () => (await this.read({ signal })).url;
    const target = { platform: this.platform, sessionId: this.id, viewerUrl };
    const deadline = new Deadline(signal, timeoutMs);
    const parts = await deadline
      .within(this.#surroundings.socketTo(target, this.#http))
      .catch((error: unknown) => {
        throw deadline.expired ? connectedTooLate() : error;
      })
      .finally(() => deadline.end());
    const control = new Control(parts, reconnect);
    control.on('reconnected', (reconnected) => this.#emitter.emit('reconnected', reconnected));
    control.on('lost', (error) => this.#emitter.emit('lost', error));
    await control.open(timeoutMs, { signal });
    this.#control = control;
    return control;
  }

  async #interact(
    request: object,
    signal: AbortSignal | undefined,
    onStage?: (stage: Stage) => void,
    force?: boolean,
  ): Promise<Acknowledgement> {
    const body = checkedInteraction(request);
    signal?.throwIfAborted();
    const waitMs = waitMsOf(body) + this.#http.bounds.graceMs;
    const about = { ...this.#about, requestId: body.requestId, action: body.action };
    const call: HttpCall = {
      operation: INTERACT,
      ...forced(routeTo('POST /service/{platform}/{sessionId}/interactions', this.#about), force),
      json: body,
      waitMs,
      about,
      // The service keeps outcomes by request id.
      repeatable: true,
    };
    const overRest = (over: AbortSignal) =>
      this.#http.json<Acknowledgement>({ ...call, signal: over }).catch(acknowledged);
    const { control } = this;
    if (!control || force) {
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
    const acknowledgement = await unlessAborted(asked, signal);
    if (!acknowledgement.ok) throw failureOf('screenshot', acknowledgement);
    const { image } = acknowledgement.result ?? {};
    return image instanceof Uint8Array ? image : new Uint8Array(0);
  }

  #pictureOverRest(
    requestId: string,
    settled: boolean | undefined,
    waitMs: number,
    signal: AbortSignal | undefined,
    format: 'png' | 'jpeg' = 'png',
  ): Promise<Uint8Array> {
    const { method, path } = routeTo('GET /service/{platform}/{sessionId}/screenshot', this.#about);
    const query = [...(settled ? ['settled=true'] : []), ...(format === 'png' ? [] : [`format=${format}`])].join('&');
    const call: HttpCall = {
      operation: SCREENSHOT,
      method,
      path: query === '' ? path : `${path}?${query}`,
      headers: { 'X-Service-Request-ID': requestId },
      signal,
      waitMs,
      about: { ...this.#about, requestId },
    };
    return readPicture(this.#http, call, `image/${format}`);
  }
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

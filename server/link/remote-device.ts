import type {
  DeviceCapabilities,
  InteractionRequest,
  LogQuery,
  Orientation,
  UiCondition,
  UiFormat,
  UiWait,
} from '@runcloud/protocol';
import type { InstallableApp } from '../device/app-package.ts';
import type {
  DeviceDescriptor,
  DeviceOptions,
  Inspection,
  MediaFile,
  OpenedDevice,
  Point,
  PointerPhase,
} from '../device/driver.ts';
import type { FileOrder } from '../device/files.ts';
import type { LogIds } from '../observe/log-ids.ts';
import type {
  CallObserver,
  DeviceListener,
  HostLink,
  LinkCall,
  PictureSink,
  RecordingListener,
  Unnumbered,
} from './host-link.ts';
import type { Ask, CallKind, ScreenProfile, Screenshot, SmallEdge, Thumbnail, TouchPlace } from './messages.ts';
import type { RecordingOrder } from './recording-messages.ts';
import { type DeviceRecording, startRecording } from './remote-recording.ts';

/** A running stream. */
export interface DeviceStream {
  /** Requests a key picture. */
  requestKey(): void;
  /** Bounds its bytes per millisecond; `undefined`: no longer. */
  boundRate(bytesPerMs: number | undefined): void;
  /** Ends the stream; no further pictures come. */
  stop(): void;
}

/** Options of opening a device. */
export interface Opening {
  /** How long the session has waited already; subtracted from the host's time limit. */
  readonly waitedMs?: number;
  /** Cancels the opening; the host's answer still comes. */
  readonly signal?: AbortSignal;
  /** Id of the session. */
  readonly sessionId?: string;
}

/** A proxy of a device on the other side of a link, for the gateway's services. */
export class RemoteDevice {
  readonly capabilities: DeviceCapabilities;
  /** When it was opened. */
  readonly firstOrientation: Orientation;
  /** As in `Device`. */
  readonly outlives: boolean;
  readonly #link: HostLink;
  readonly #device: number;
  readonly #about: LogIds;
  #descriptor: DeviceDescriptor;

  private constructor(link: HostLink, device: number, about: LogIds, opened: OpenedDevice) {
    const { descriptor, capabilities, orientation, outlives } = opened;
    this.firstOrientation = orientation;
    this.outlives = outlives;
    this.#link = link;
    this.#device = device;
    this.#about = about;
    this.#descriptor = descriptor;
    this.capabilities = capabilities;
  }

  /** As of the last event that the listener heard. */
  get descriptor(): DeviceDescriptor {
    return this.#descriptor;
  }

  /** See `HostLink`. */
  get batch(): number {
    return this.#link.batch;
  }

  /** Opens a device on the link's host; rejects with a `DeviceFault` if it does not become ready. */
  static async open(
    link: HostLink,
    device: number,
    options: DeviceOptions,
    { waitedMs = 0, signal, sessionId }: Opening = {},
  ): Promise<RemoteDevice> {
    const about = sessionId === undefined ? {} : { sessionId };
    const { id, answered } = link.ask('open', device, { options, waitedMs }, about);
    const onAbort = () => link.cancel(id);
    signal?.addEventListener('abort', onAbort, { once: true });
    try {
      return new RemoteDevice(link, device, about, await answered);
    } finally {
      signal?.removeEventListener('abort', onAbort);
    }
  }

  /** Performs an interaction and notifies the receiver; returns the number for `cancel`. */
  perform(
    request: InteractionRequest,
    inputSeq: number,
    observer: CallObserver<'perform'>,
    app?: InstallableApp,
  ): number {
    const wantsSteps = observer.steps !== undefined;
    const device = this.#device;
    const question: Unnumbered<'perform'> = { kind: 'perform', call: 0, device, request, inputSeq, wantsSteps };
    return this.#link.begin(app ? { ...question, app } : question, observer, this.#about);
  }

  /** Performs an interaction whose effect is asked for with `observed` as soon as it has completed. */
  performObserved(
    request: InteractionRequest,
    inputSeq: number,
    observer: CallObserver<'performObserved'>,
    app?: InstallableApp,
  ): number {
    const wantsSteps = observer.steps !== undefined;
    const device = this.#device;
    const question: Unnumbered<'performObserved'> = {
      kind: 'performObserved',
      call: 0,
      device,
      request,
      inputSeq,
      wantsSteps,
      ...(app && { app }),
    };
    return this.#link.begin(question, observer, this.#about);
  }

  /** What was seen of the effect of an input. */
  observed(inputSeq: number, observer: CallObserver<'observed'>): number {
    return this.#link.begin({ kind: 'observed', call: 0, device: this.#device, inputSeq }, observer, this.#about);
  }

  /**
   * Sends a step of a live gesture and notifies the receiver; returns the number for `cancel`. Steps are taken in the order in which
   * they are sent.
   */
  pointer(phase: PointerPhase, points: readonly Point[], inputSeq: number, observer: CallObserver<'pointer'>): number {
    const device = this.#device;
    return this.#link.begin({ kind: 'pointer', call: 0, device, phase, points, inputSeq }, observer, this.#about);
  }

  openUrl(url: string, inputSeq: number, about?: LogIds): LinkCall<'openUrl'> {
    return this.#ask('openUrl', { url, inputSeq }, about);
  }

  /** Writes a text to the clipboard if there is one, and reads what it then holds. */
  clipboard(text: string | undefined, about?: LogIds): LinkCall<'clipboard'> {
    return this.#ask('clipboard', { text }, about);
  }

  /** Keeps the state of the device in a new file. */
  keep(file: string, about?: LogIds): LinkCall<'keep'> {
    return this.#ask('keep', { file }, about);
  }

  /** Adds a picture or a video to the photo library. */
  addMedia(media: MediaFile, about?: LogIds): LinkCall<'addMedia'> {
    return this.#ask('addMedia', { media }, about);
  }

  /** Reads a folder, or reads, writes or deletes a file. */
  files(order: FileOrder, about?: LogIds): LinkCall<'files'> {
    return this.#ask('files', { order }, about);
  }

  /** Reads the log, as the JSON of a `LogPage`. */
  logs(order: LogQuery, about?: LogIds): LinkCall<'logs'> {
    return this.#ask('logs', { order }, about);
  }

  /** Reads what is on the screen. */
  ui(format: UiFormat, about?: LogIds): LinkCall<'ui'> {
    return this.#ask('ui', { format }, about);
  }

  /** Looks once whether something is so on the screen. */
  checkUi(condition: UiCondition, about?: LogIds): LinkCall<'checkUi'> {
    return this.#ask('checkUi', { condition }, about);
  }

  /** Waits until something is so on the screen. */
  waitUi(wait: UiWait, about?: LogIds): LinkCall<'waitUi'> {
    return this.#ask('waitUi', { wait }, about);
  }

  /** Tells what is on the screen, and at a place of it, when what is sent next, in the same turn, reaches the device. */
  touchedAt(place: TouchPlace | undefined, about?: LogIds): LinkCall<'touchedAt'> {
    return this.#ask('touchedAt', { place }, about);
  }

  /** Cancels a call; its answer still comes. */
  cancel(call: number): void {
    this.#link.cancel(call);
  }

  releaseAll(): Promise<undefined> {
    return this.#ask('releaseAll', {}).answered;
  }

  screenshot(settled = false): Promise<Screenshot> {
    return this.#ask('screenshot', { settled }).answered;
  }

  thumbnail(longEdge: SmallEdge = 480, settled = false): Promise<Thumbnail> {
    return this.#ask('thumbnail', { longEdge, settled }).answered;
  }

  inspect(): Promise<Inspection> {
    return this.#ask('inspect', {}).answered;
  }

  /** Starts a stream of pictures. A stream that cannot start ends with the reason, like any other. */
  watch(profile: ScreenProfile, listener: PictureSink): DeviceStream {
    const stream = this.#link.openStream(this.#device, listener);
    this.#ask('watch', { stream, profile }).answered.catch((error) => {
      // The listener of a lost stream was notified; that of a stopped stream must not be.
      if (this.#link.endStream(stream)) listener.ended(error instanceof Error ? error.message : String(error));
    });
    // Not needed if the stream or the device has ended in the meantime.
    const told = ({ answered }: { readonly answered: Promise<unknown> }) => void answered.catch(() => undefined);
    return {
      requestKey: () => told(this.#ask('keyPicture', { stream })),
      boundRate: (bytesPerMs) =>
        told(this.#ask('streamRate', { stream, ...(bytesPerMs === undefined ? {} : { bytesPerMs }) })),
      stop: () => {
        this.#link.endStream(stream);
        told(this.#ask('unwatch', { stream }));
      },
    };
  }

  /** Starts a recording; settles when the first picture is on disk. Rejects with a `RecordingFault`. */
  startRecording(order: RecordingOrder, listener: RecordingListener, about?: LogIds): Promise<DeviceRecording> {
    return startRecording(this.#link, this.#device, order, listener, { ...this.#about, ...about });
  }

  listen(listener: DeviceListener): void {
    const told: DeviceListener = {
      lost: (reason) => listener.lost(reason),
      orientation: (orientation) => listener.orientation(orientation),
      displays: (descriptor) => {
        this.#descriptor = descriptor;
        listener.displays?.(descriptor);
      },
      clipboard: () => listener.clipboard?.(),
      crash: (crash) => listener.crash?.(crash),
    };
    this.#link.listen(this.#device, told, this.#about);
  }

  /** Releases the device; no further events come. */
  async close(): Promise<void> {
    this.#link.forget(this.#device);
    await this.#ask('close', {}).answered;
  }

  #ask<Kind extends CallKind>(kind: Kind, fields: Ask<Kind>, about?: LogIds): LinkCall<Kind> {
    return this.#link.ask(kind, this.#device, fields, { ...this.#about, ...about });
  }
}

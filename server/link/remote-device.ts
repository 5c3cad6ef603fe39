import type { DeviceCapabilities, InteractionRequest } from '@runcloud/protocol';
import type {
  DeviceDescriptor,
  DeviceOptions,
  Inspection,
  OpenedDevice,
  Point,
  PointerPhase,
} from '../device/driver.ts';
import type { DeviceListener, HostLink, LinkCall, PictureSink, Receiver, RecordingListener } from './host-link.ts';
import type { ScreenProfile, Screenshot, Thumbnail } from './messages.ts';
import type { RecordingOrder } from './recording-messages.ts';
import { type DeviceRecording, startRecording } from './remote-recording.ts';

/** A running stream, to those who watch it. */
export interface DeviceStream {
  /** Asks for a picture that is decodable by itself. */
  requestKey(): void;
  /** Ends the stream; nothing more comes of it. */
  stop(): void;
}

/** How a device is opened, beside what it is to be. */
export interface Opening {
  /** How long its session has waited already: the host has so much less time. */
  readonly waitedMs?: number;
  /** Tells the host that nobody waits any more; its answer still comes. */
  readonly signal?: AbortSignal;
}

/** A device on the other side of a link, as the gateway's services use it. */
export class RemoteDevice {
  readonly descriptor: DeviceDescriptor;
  readonly capabilities: DeviceCapabilities;
  readonly #link: HostLink;
  readonly #device: number;

  private constructor(link: HostLink, device: number, { descriptor, capabilities }: OpenedDevice) {
    this.#link = link;
    this.#device = device;
    this.descriptor = descriptor;
    this.capabilities = capabilities;
  }

  /** Opens a device on the link's host; rejects with a `DeviceFault` when it does not become usable. */
  static async open(
    link: HostLink,
    device: number,
    options: DeviceOptions,
    { waitedMs = 0, signal }: Opening = {},
  ): Promise<RemoteDevice> {
    const { id, answered } = link.ask('open', device, { options, waitedMs });
    const onAbort = () => link.cancel(id);
    signal?.addEventListener('abort', onAbort, { once: true });
    try {
      return new RemoteDevice(link, device, await answered);
    } finally {
      signal?.removeEventListener('abort', onAbort);
    }
  }

  /** Carries an interaction out and tells the receiver; gives the number to `cancel` it by. */
  perform(request: InteractionRequest, inputSeq: number, receiver: Receiver<'perform'>): number {
    const wantsSteps = receiver.steps !== undefined;
    const device = this.#device;
    return this.#link.begin({ kind: 'perform', call: 0, device, request, inputSeq, wantsSteps }, receiver);
  }

  pointer(phase: PointerPhase, points: readonly Point[], inputSeq: number): LinkCall<'pointer'> {
    return this.#link.ask('pointer', this.#device, { phase, points, inputSeq });
  }

  openUrl(url: string, inputSeq: number): LinkCall<'openUrl'> {
    return this.#link.ask('openUrl', this.#device, { url, inputSeq });
  }

  /** Asks the device to end a call; its answer still comes. */
  cancel(call: number): void {
    this.#link.cancel(call);
  }

  releaseAll(): Promise<undefined> {
    return this.#link.ask('releaseAll', this.#device, {}).answered;
  }

  screenshot(): Promise<Screenshot> {
    return this.#link.ask('screenshot', this.#device, {}).answered;
  }

  thumbnail(): Promise<Thumbnail> {
    return this.#link.ask('thumbnail', this.#device, {}).answered;
  }

  inspect(): Promise<Inspection> {
    return this.#link.ask('inspect', this.#device, {}).answered;
  }

  /** Begins a stream of pictures. A stream that cannot begin ends, with the reason, like any other. */
  watch(profile: ScreenProfile, listener: PictureSink): DeviceStream {
    const stream = this.#link.openStream(this.#device, listener);
    this.#link.ask('watch', this.#device, { stream, profile }).answered.catch((error) => {
      this.#link.endStream(stream);
      listener.ended(error instanceof Error ? error.message : String(error));
    });
    const ask = (kind: 'unwatch' | 'keyPicture') => {
      // A stream or a device that has ended in the meantime needs neither.
      this.#link.ask(kind, this.#device, { stream }).answered.catch(() => undefined);
    };
    return {
      requestKey: () => ask('keyPicture'),
      stop: () => {
        this.#link.endStream(stream);
        ask('unwatch');
      },
    };
  }

  /** Begins to record; settles when the first picture is on disk. Rejects with a `RecordingFault`. */
  startRecording(order: RecordingOrder, listener: RecordingListener): Promise<DeviceRecording> {
    return startRecording(this.#link, this.#device, order, listener);
  }

  listen(listener: DeviceListener): void {
    this.#link.listen(this.#device, listener);
  }

  /** Frees the device; afterwards nothing is heard of it. */
  async close(): Promise<void> {
    this.#link.forget(this.#device);
    await this.#link.ask('close', this.#device, {}).answered;
  }
}

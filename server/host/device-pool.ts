import type { Orientation } from '@runcloud/protocol';
import type { Device, DeviceDescriptor, DeviceOptions, OpenedDevice } from '../device/driver.ts';
import { DeviceFault } from '../device/fault.ts';
import type { DeviceTarget, DeviceWish, FoundDevice } from '../device/target.ts';
import { systemClock } from '../flow/clock.ts';
import type { HostService, StreamSink } from '../link/host-side.ts';
import type { LazyAbort } from '../link/lazy-abort.ts';
import type { Question } from '../link/messages.ts';
import type { CaptureEnding } from '../link/recording-messages.ts';
import { CaptureGate } from './capture-gate.ts';
import { InputCall } from './input-call.ts';
import { Recorder } from './recording/recorder.ts';
import { Screenshots } from './screenshots.ts';
import { type PipelineOptions, ScreenPipeline } from './stream/screen-pipeline.ts';
import { Thumbnails } from './thumbnails.ts';
import { Turns } from './turns.ts';

interface Opened {
  readonly device: Device;
  readonly turns: Turns;
  readonly screenshots: Screenshots;
  readonly thumbnails: Thumbnails;
  readonly screen: ScreenPipeline;
  readonly recorder: Recorder;
}

/** Where devices come from: the drivers of this host. */
export interface DeviceSource {
  discover(wish: DeviceWish): Promise<readonly FoundDevice[]>;
  makeReady(target: DeviceTarget): Promise<DeviceDescriptor>;
  open(options: DeviceOptions): Promise<Device>;
}

/** The devices of one host thread, by the numbers that the gateway gave them. */
export class DevicePool implements HostService {
  readonly #source: DeviceSource;
  readonly #pipeline: PipelineOptions;
  readonly #devices = new Map<number, Opened>();
  #tellRecordingEnded: (recording: number, ending: CaptureEnding) => void = () => undefined;
  #tellLost: (device: number, reason: string) => void = () => undefined;
  #tellOrientation: (device: number, orientation: Orientation) => void = () => undefined;

  /** Devices are opened before anybody has said where streams go. */
  readonly #streams: StreamSink = {
    picture: (stream, picture) => this.#sink?.picture(stream, picture),
    ended: (stream, reason) => this.#sink?.ended(stream, reason),
  };
  #sink: StreamSink | undefined;

  constructor(source: DeviceSource, pipeline: PipelineOptions = {}) {
    this.#source = source;
    this.#pipeline = pipeline;
  }

  onStreams(sink: StreamSink): void {
    this.#sink = sink;
  }

  onLost(listener: (device: number, reason: string) => void): void {
    this.#tellLost = listener;
  }

  onOrientation(listener: (device: number, orientation: Orientation) => void): void {
    this.#tellOrientation = listener;
  }

  onRecordingEnded(listener: (recording: number, ending: CaptureEnding) => void): void {
    this.#tellRecordingEnded = listener;
  }

  async answer(question: Question, abort: LazyAbort, onStep: (steps: number) => void): Promise<unknown> {
    if (question.kind === 'discover') return this.#source.discover(question.wish);
    if (question.kind === 'makeReady') return this.#source.makeReady(question.target);
    if (question.kind === 'open') return this.#open(question.device, question.options);
    const opened = this.#devices.get(question.device);
    if (!opened) throw new DeviceFault('unreachable', 'The device is not open.');
    const { device, turns, screenshots, thumbnails, screen, recorder } = opened;
    switch (question.kind) {
      case 'close':
        this.#devices.delete(question.device);
        await recorder.close('the device was closed');
        screen.close('the device was closed');
        try {
          return await device.releaseAll();
        } finally {
          await device.close();
        }
      case 'perform': {
        const { request, inputSeq, wantsSteps } = question;
        const context = new InputCall(inputSeq, abort, wantsSteps ? onStep : undefined);
        return turns.take(abort, () => device.perform(request, context));
      }
      case 'pointer':
        return device.pointer(question.phase, question.points, question.inputSeq);
      case 'openUrl':
        return device.openUrl(question.url, new InputCall(question.inputSeq, abort));
      case 'releaseAll':
        return device.releaseAll();
      case 'screenshot':
        if (device.screenshot) return device.screenshot();
        await device.refresh?.();
        return screenshots.take();
      case 'inspect':
        if (!device.inspect) throw new DeviceFault('failed', 'This device cannot be inspected.');
        return device.inspect();
      case 'watch':
        return screen.watch(question.stream, question.profile);
      case 'unwatch':
        return screen.unwatch(question.stream);
      case 'keyPicture':
        return screen.requestKey(question.stream);
      case 'startRecording':
        return recorder.start(question.recording, question.order);
      case 'stopRecording':
        return recorder.stop(question.recording);
      case 'thumbnail':
        return thumbnails.take();
    }
  }

  async #open(number: number, options: DeviceOptions): Promise<OpenedDevice> {
    const device = await this.#source.open(options);
    const gate = new CaptureGate(device);
    const screen = new ScreenPipeline(device, gate, this.#streams, this.#pipeline);
    const recorder = new Recorder(screen, this.#pipeline.clock ?? systemClock, (recording, ending) => {
      this.#tellRecordingEnded(recording, ending);
    });
    const stills = { screenshots: new Screenshots(gate), thumbnails: new Thumbnails(gate) };
    this.#devices.set(number, { device, turns: new Turns(), ...stills, screen, recorder });
    device.onOrientation((orientation) => this.#tellOrientation(number, orientation));
    device.onLost((reason) => {
      if (!this.#devices.delete(number)) return;
      void this.#lose(number, reason, { screen, recorder });
    });
    const { descriptor, capabilities } = device;
    return { descriptor, capabilities };
  }

  async #lose(number: number, reason: string, { screen, recorder }: Pick<Opened, 'screen' | 'recorder'>) {
    // Its files are closed when the gateway hears of the loss, so that it can finish them.
    await recorder.close(reason);
    screen.close(reason);
    this.#tellLost(number, reason);
  }
}

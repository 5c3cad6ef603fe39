import type { Device, DeviceScreen } from '../device/driver.ts';
import { DeviceFault } from '../device/fault.ts';
import type { NumberedPictureSink } from '../link/host-side.ts';
import type { ScreenProfile } from '../link/messages.ts';
import { CaptureGate } from './capture-gate.ts';
import { type PipelineOptions, ScreenPipeline } from './stream/screen-pipeline.ts';

/** The screen of one display that is watched by its name. */
interface NamedScreen {
  readonly screen: DeviceScreen;
  readonly gate: CaptureGate;
  pipeline: ScreenPipeline;
}

/**
 * The screens of one device: its own, which is that of the active display, and those of displays that are watched by name. Each has
 * its captures and streams to itself, so that a slow or failing display does not disturb the others.
 */
export class Screens {
  readonly gate: CaptureGate;
  readonly own: ScreenPipeline;
  readonly #device: Device;
  readonly #sink: NumberedPictureSink;
  readonly #options: PipelineOptions;
  readonly #named = new Map<string, NamedScreen>();

  constructor(device: Device, sink: NumberedPictureSink, options: PipelineOptions) {
    this.#device = device;
    this.#sink = sink;
    this.#options = options;
    this.gate = new CaptureGate(device);
    this.own = new ScreenPipeline(device, this.gate, sink, options);
  }

  /** Starts a stream of the profile's display. Throws an `unsupported` fault where there is none of this name. */
  async watch(stream: number, profile: ScreenProfile): Promise<void> {
    const pipeline = profile.display === undefined ? this.own : this.#pipelineOf(profile.display);
    return pipeline.watch(stream, profile);
  }

  unwatch(stream: number): void {
    for (const pipeline of this.#pipelines()) pipeline.unwatch(stream);
  }

  /** Bounds the bytes of a stream per millisecond; `undefined`: no longer. */
  boundRate(stream: number, bytesPerMs: number | undefined): void {
    for (const pipeline of this.#pipelines()) pipeline.boundRate(stream, bytesPerMs);
  }

  requestKey(stream: number): void {
    for (const pipeline of this.#pipelines()) pipeline.requestKey(stream);
  }

  /** Stops capturing without ending the streams. */
  quiesce(): void {
    for (const pipeline of this.#pipelines()) pipeline.quiesce();
  }

  /** Ends all streams for good. */
  close(reason: string): void {
    for (const pipeline of this.#pipelines()) pipeline.close(reason);
  }

  /** Settles when every requested picture is read and the device's memory can be freed; never rejects. */
  async settled(): Promise<void> {
    await Promise.all([this.gate, ...[...this.#named.values()].map(({ gate }) => gate)].map((gate) => gate.settled()));
  }

  #pipelines(): readonly ScreenPipeline[] {
    return [this.own, ...[...this.#named.values()].map(({ pipeline }) => pipeline)];
  }

  #pipelineOf(name: string): ScreenPipeline {
    const known = this.#named.get(name);
    if (known) {
      // It may have given up for good.
      if (known.pipeline.isIdle) known.pipeline = this.#begin(known.screen, known.gate);
      return known.pipeline;
    }
    if (!this.#device.display) throw new DeviceFault('unsupported', 'The device has one display.');
    const screen = this.#device.display(name);
    const gate = new CaptureGate(screen);
    const pipeline = this.#begin(screen, gate);
    this.#named.set(name, { screen, gate, pipeline });
    return pipeline;
  }

  #begin(screen: DeviceScreen, gate: CaptureGate): ScreenPipeline {
    return new ScreenPipeline(screen, gate, this.#sink, this.#options);
  }
}

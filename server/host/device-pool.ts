import type { Finding, Orientation, UiAnswer } from '@runcloud/protocol';
import type { Device, DeviceDescriptor, DeviceOptions, FoundDevice, OpenedDevice } from '../device/driver.ts';
import { DeviceFault } from '../device/fault.ts';
import type { Crash } from '../device/logs.ts';
import type { DeviceQuery, DeviceTarget, ToolEnvironment } from '../device/target.ts';
import { type Clock, systemClock } from '../flow/clock.ts';
import { withTimeout } from '../flow/timeout.ts';
import type { HostService, NumberedPictureSink } from '../link/host-side.ts';
import type { LazyAbort } from '../link/lazy-abort.ts';
import type { Question, SmallEdge } from '../link/messages.ts';
import type { CaptureEnding } from '../link/recording-messages.ts';
import { reached } from '../link/stages.ts';
import { accessClipboard, followClipboard } from './clipboard.ts';
import { DeviceLock } from './device-lock.ts';
import { DeviceLogReader } from './device-logs.ts';
import { carryOut } from './files.ts';
import { inFlight } from './in-flight.ts';
import { InputCall } from './input-call.ts';
import { LiveSteps } from './live-steps.ts';
import { Mutex } from './mutex.ts';
import { Observer } from './observe/observer.ts';
import { Recorder } from './recording/recorder.ts';
import { Screens } from './screens.ts';
import { Screenshots } from './screenshots.ts';
import { settled } from './settled.ts';
import type { PipelineOptions } from './stream/screen-pipeline.ts';
import { Thumbnails } from './thumbnails.ts';
import { Stillness } from './ui/stillness.ts';
import { hasTarget, Targets, withTargets } from './ui/targets.ts';
import { Touches } from './ui/touches.ts';
import { toldAs, UiFrames } from './ui/ui-frames.ts';
import { Waits } from './ui/waits.ts';

/** Time for a device to lift pressed fingers and keys and to give its last picture before it is closed. */
const QUIESCE_MS_MAX = 20_000;

const tellsNothing = () => new DeviceFault('unsupported', 'This device does not tell what is on its screen.');

interface Opened {
  readonly device: Device;
  readonly target: DeviceTarget | undefined;
  readonly mutex: Mutex;
  readonly steps: LiveSteps;
  readonly screenshots: Screenshots;
  readonly thumbnails: ReturnType<typeof smallPictures>;
  readonly screens: Screens;
  readonly recorder: Recorder;
  readonly observer: Observer;
  readonly logs: DeviceLogReader;
  /** Absent for a device that does not tell what is on its screen. */
  readonly frames: UiFrames | undefined;
  readonly targets: Targets | undefined;
  readonly waits: Waits | undefined;
  readonly stillness: Stillness | undefined;
  readonly touches: Touches | undefined;
}

/** The source of devices: the drivers of this host. A signal aborts when the caller stops waiting. */
export interface DeviceSource {
  diagnose(tools: ToolEnvironment): Promise<readonly Finding[]>;
  discover(query: DeviceQuery): Promise<readonly FoundDevice[]>;
  makeReady(target: DeviceTarget, signal: AbortSignal): Promise<DeviceDescriptor>;
  open(options: DeviceOptions, signal: AbortSignal): Promise<Device>;
}

/** The devices of one host thread by number. */
export class DevicePool implements HostService {
  readonly #source: DeviceSource;
  readonly #pipeline: PipelineOptions;
  readonly #clock: Clock;
  readonly #lock: DeviceLock;
  readonly #devices = new Map<number, Opened>();
  /** Devices that are lost and being reset; their promises never reject. */
  readonly #lost = new Map<number, Promise<unknown>>();
  #tellRecordingEnded: (recording: number, ending: CaptureEnding) => void = () => undefined;
  #tellLost: (device: number, reason: string) => void = () => undefined;
  #tellOrientation: (device: number, orientation: Orientation) => void = () => undefined;
  #tellDisplays: (device: number, descriptor: DeviceDescriptor) => void = () => undefined;
  #tellClipboard: (device: number) => void = () => undefined;
  #tellCrash: (device: number, crash: Crash) => void = () => undefined;

  /** Set after the first devices may already be open. */
  readonly #streams: NumberedPictureSink = {
    picture: (stream, picture) => this.#sink?.picture(stream, picture),
    ended: (stream, reason) => this.#sink?.ended(stream, reason),
  };
  #sink: NumberedPictureSink | undefined;

  constructor(source: DeviceSource, pipeline: PipelineOptions = {}) {
    this.#source = source;
    this.#pipeline = pipeline;
    this.#clock = pipeline.clock ?? systemClock;
    this.#lock = new DeviceLock(this.#clock);
  }

  onStreams(sink: NumberedPictureSink): void {
    this.#sink = sink;
  }

  onLost(listener: (device: number, reason: string) => void): void {
    this.#tellLost = listener;
  }

  onOrientation(listener: (device: number, orientation: Orientation) => void): void {
    this.#tellOrientation = listener;
  }

  onDisplays(listener: (device: number, descriptor: DeviceDescriptor) => void): void {
    this.#tellDisplays = listener;
  }

  onClipboard(listener: (device: number) => void): void {
    this.#tellClipboard = listener;
  }

  onCrash(listener: (device: number, crash: Crash) => void): void {
    this.#tellCrash = listener;
  }

  onRecordingEnded(listener: (recording: number, ending: CaptureEnding) => void): void {
    this.#tellRecordingEnded = listener;
  }

  /**
   * Stops capturing, and settles when all captured pictures are encoded. Reports nothing, because the thread is about
   * to end; recordings are resumed at the next start.
   */
  async quiesce(): Promise<void> {
    this.#lock.close();
    for (const { screens } of this.#devices.values()) screens.quiesce();
    await inFlight.settled();
  }

  answerNow(question: Question): unknown {
    if (question.kind !== 'perform' && question.kind !== 'pointer') return undefined;
    const opened = this.#devices.get(question.device);
    if (!opened || opened.mutex.isLocked) return undefined;
    const taken = takeNow(opened, question);
    if (taken !== undefined) reached('taken', question.inputSeq);
    return taken;
  }

  async answer(question: Question, abort: LazyAbort, onStep: (steps: number) => void): Promise<unknown> {
    if (question.kind === 'diagnose') return this.#source.diagnose(question.tools);
    if (question.kind === 'discover') return this.#source.discover(question.query);
    if (question.kind === 'makeReady') {
      const { target } = question;
      return this.#lock.run(target, 'made ready', (signal) => this.#source.makeReady(target, signal));
    }
    if (question.kind === 'open') return this.#open(question, abort.signal);
    const opened = this.#devices.get(question.device);
    if (!opened) {
      // The caller that returns a lost device learns when it is usable again.
      if (question.kind === 'close') await this.#lost.get(question.device);
      throw new DeviceFault('unreachable', 'The device is not open.');
    }
    const { device, mutex, steps, screenshots, thumbnails, screens, recorder, frames } = opened;
    const { targets, waits, stillness, touches } = opened;
    switch (question.kind) {
      case 'close':
        this.#devices.delete(question.device);
        waits?.close();
        opened.observer.close();
        return this.#lock.run(opened.target, 'reset', () => this.#close(opened));
      case 'perform': {
        const { request, inputSeq, wantsSteps, app } = question;
        const context = new InputCall(inputSeq, abort, wantsSteps ? onStep : undefined, app);
        return mutex.run(abort, () => {
          if (targets && hasTarget(request)) return targets.perform(request, context);
          frames?.expire();
          return device.perform(request, context);
        });
      }
      case 'performObserved': {
        const { request, inputSeq, wantsSteps, app } = question;
        const context = new InputCall(inputSeq, abort, wantsSteps ? onStep : undefined, app);
        return mutex.run(abort, () => opened.observer.perform(request, context));
      }
      case 'observed':
        return opened.observer.observed(question.inputSeq, abort.signal);
      case 'pointer':
        // Several may have been sent: each waits for the one before.
        return mutex.run(abort, () => {
          frames?.expire();
          return steps.take(question.phase, question.points, question.inputSeq);
        });
      case 'openUrl':
        frames?.expire();
        return device.openUrl(question.url, new InputCall(question.inputSeq, abort));
      case 'clipboard':
        return accessClipboard(device, question.text, abort.signal);
      case 'keep':
        if (!device.keep) throw new DeviceFault('unsupported', 'The state of this device cannot be kept.');
        // A device may have to start anew for it.
        return device.keep(question.file, abort.signal).finally(() => frames?.expire());
      case 'addMedia':
        if (!device.media) throw new DeviceFault('unsupported', 'This device has no photo library.');
        frames?.expire();
        return device.media.add(question.media, abort.signal);
      case 'files':
        if (!device.files) throw new DeviceFault('unsupported', 'The files of this device cannot be reached.');
        frames?.expire();
        return carryOut(device.files, question.order, abort.signal);
      case 'logs':
        return opened.logs.read(question.order);
      case 'ui':
        if (!frames) throw tellsNothing();
        return toldAs(await frames.read(abort.signal), question.format);
      case 'checkUi':
        if (!waits) throw tellsNothing();
        return waits.check(question.condition, abort.signal);
      case 'waitUi': {
        if (!waits || !stillness) throw tellsNothing();
        const { wait } = question;
        if (!('idle' in wait)) return waits.wait(wait, abort.signal);
        const holds = await stillness.wait(abort.signal);
        return { holds, idle: holds ? 'settled' : 'unsettled' } satisfies UiAnswer;
      }
      case 'touchedAt':
        // Behind the inputs that came before it, and before the one that follows.
        return mutex.run(abort, async () => touches?.at(question.place, abort.signal));
      case 'releaseAll':
        frames?.expire();
        return device.releaseAll();
      case 'screenshot':
        if (question.settled) await settled(screens.gate, this.#clock);
        if (device.screenshot) return device.screenshot();
        await device.refresh?.();
        return screenshots.take();
      case 'inspect':
        if (!device.inspect) throw new DeviceFault('failed', 'This device cannot be inspected.');
        return device.inspect();
      case 'watch':
        return screens.watch(question.stream, question.profile);
      case 'unwatch':
        return screens.unwatch(question.stream);
      case 'streamRate':
        return screens.boundRate(question.stream, question.bytesPerMs);
      case 'keyPicture':
        return screens.requestKey(question.stream);
      case 'startRecording':
        return recorder.start(question.recording, question.order);
      case 'stopRecording':
        return recorder.stop(question.recording);
      case 'thumbnail':
        if (question.settled) await settled(screens.gate, this.#clock);
        if (question.longEdge === 768) await device.refresh?.();
        return thumbnails[question.longEdge].take();
    }
  }

  async #open(
    { device: number, options, waitedMs }: Extract<Question, { kind: 'open' }>,
    abort: AbortSignal,
  ): Promise<OpenedDevice> {
    const { target } = options;
    const device = await this.#lock.run(target, 'opened', (signal) => this.#source.open(options, signal), {
      abort,
      waitedMs,
      undo: (late) => late.close(),
    });
    const screens = new Screens(device, this.#streams, this.#pipeline);
    const { gate } = screens;
    const recorder = new Recorder(screens.own, this.#clock, (recording, ending) => {
      this.#tellRecordingEnded(recording, ending);
    });
    const stills = { screenshots: new Screenshots(gate), thumbnails: smallPictures(gate) };
    const frames = device.ui && new UiFrames(device.ui);
    const targets = frames && new Targets(device, frames, this.#clock);
    const waits = frames && new Waits(frames, gate, this.#clock);
    const stillness = frames && device.ui && new Stillness(frames, gate, this.#clock, device.ui);
    const touches = frames && device.ui && new Touches(frames, device.ui);
    const ui = { frames, targets, waits, stillness, touches };
    const isLossy = device.encoded !== undefined;
    const isSlow = device.ui?.isSlow ?? false;
    const observer = new Observer({ device, gate, clock: this.#clock, frames, isSlow, isLossy });
    const logs = new DeviceLogReader(device, (crash) => this.#tellCrash(number, crash));
    this.#devices.set(number, {
      device,
      target,
      mutex: new Mutex(),
      steps: new LiveSteps(device),
      ...stills,
      screens,
      recorder,
      observer,
      logs,
      ...ui,
    });
    device.onOrientation((orientation) => this.#tellOrientation(number, orientation));
    device.onDisplays?.(() => this.#tellDisplays(number, device.descriptor));
    followClipboard(device, this.#clock, () => this.#tellClipboard(number));
    device.onLost((reason) => {
      if (!this.#devices.delete(number)) return;
      waits?.close();
      observer.close();
      void this.#lose(number, reason, { device, target, screens, recorder });
    });
    const { descriptor, capabilities, orientation, outlives = false } = device;
    return { descriptor, capabilities: withTargets(capabilities), orientation, outlives };
  }

  async #close({ device, screens, recorder }: Opened): Promise<void> {
    await recorder.close('the device was closed');
    screens.close('the device was closed');
    try {
      await withTimeout(QUIESCE_MS_MAX, this.#clock, device.releaseAll());
    } finally {
      await withTimeout(QUIESCE_MS_MAX, this.#clock, screens.settled()).catch(() => undefined);
      await device.close();
    }
  }

  async #lose(
    number: number,
    reason: string,
    { device, target, screens, recorder }: Pick<Opened, 'device' | 'target' | 'screens' | 'recorder'>,
  ) {
    // Ends the recording and closes its files before the gateway learns of the loss, so that it can finish them.
    const recorded = recorder.close(reason);
    screens.quiesce();
    // Started before the next session can request the device.
    const reset = async () => {
      // Its pictures may still be read by an encoder on another thread.
      await withTimeout(QUIESCE_MS_MAX, this.#clock, screens.settled()).catch(() => undefined);
      await device.close();
    };
    const over = this.#lock
      .run(target, 'reset', reset)
      .catch(() => undefined)
      .finally(() => this.#lost.delete(number));
    this.#lost.set(number, over);
    await recorded;
    screens.close(reason);
    this.#tellLost(number, reason);
  }
}

const smallPictures = (gate: Screens['gate']): Readonly<Record<SmallEdge, Thumbnails>> => ({
  480: new Thumbnails(gate, 480),
  768: new Thumbnails(gate, 768),
});

/** Carries out a tap or a step of a live gesture at once, where the device can; `undefined` where it cannot. */
function takeNow(
  { device, steps, frames }: Opened,
  question: Extract<Question, { kind: 'perform' | 'pointer' }>,
): unknown {
  if (question.kind === 'pointer') {
    if (device.pointerNow) frames?.expire();
    return steps.takeNow(question.phase, question.points, question.inputSeq) || undefined;
  }
  if (question.request.action !== 'tap') return undefined;
  frames?.expire();
  return device.tapNow?.(question.request, question.inputSeq);
}

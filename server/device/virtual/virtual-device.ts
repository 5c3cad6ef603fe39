import type { Image } from '@napi-rs/canvas';
import type { ActionFields } from '@runcloud/protocol';
import { CAPABILITIES, LIMITS, type Orientation, type Platform } from '@runcloud/protocol/terms';
import { type Clock, systemClock } from '../../flow/clock.ts';
import { sleepUntil } from '../../flow/sleep.ts';
import { type DeviceCapabilities, platformCapabilities } from '../capabilities.ts';
import type {
  Device,
  DeviceDescriptor,
  DeviceOptions,
  InputContext,
  InputResult,
  Inspection,
  OpenedUrl,
  Picture,
  Point,
  PointerPhase,
} from '../driver.ts';
import { DeviceFault } from '../fault.ts';
import { playGesture, swipeSteps, type TouchSurface } from '../gesture-player.ts';
import { installedApp } from './apps/installed-app.ts';
import { decodeIcons } from './art/decode-icons.ts';
import { VIRTUAL_MODELS } from './models.ts';
import { VirtualPhone } from './phone.ts';

/** The embedded phone behind the device interface: it gives each interaction its time and its end. */
export class VirtualDevice implements Device {
  readonly descriptor: DeviceDescriptor;
  readonly capabilities: DeviceCapabilities;
  readonly #platform: Platform;
  readonly #phone: VirtualPhone;
  readonly #clock: Clock;
  #orientationListener: (orientation: Orientation) => void = () => undefined;
  #changeListener: () => void = () => undefined;
  #told = false;
  #inputSeq = 0;
  #picture: Picture | undefined;

  /** @param icons decoded icons of the apps to install, by identifier; the others get a letter */
  constructor(
    { platform, orientation = 'portrait', apps = [] }: DeviceOptions,
    clock: Clock = systemClock,
    icons: ReadonlyMap<string, Image> = new Map(),
  ) {
    this.descriptor = VIRTUAL_MODELS[platform];
    this.capabilities = platformCapabilities(platform);
    const { width, height, scale } = this.descriptor;
    this.#platform = platform;
    this.#phone = new VirtualPhone({
      platform,
      width,
      height,
      scale,
      orientation,
      apps: apps.map(({ app }) => installedApp(app, icons.get(app.identifier))),
    });
    this.#clock = clock;
    this.#phone.onChange(() => this.#tellChange());
  }

  /** A device whose installed apps show their own icons, where these can be decoded. */
  static async open(options: DeviceOptions, clock: Clock = systemClock): Promise<VirtualDevice> {
    return new VirtualDevice(options, clock, await decodeIcons(options.apps ?? []));
  }

  get orientation(): Orientation {
    return this.#phone.orientation;
  }

  async perform(request: ActionFields, context: InputContext): Promise<InputResult> {
    const { inputSeq } = context;
    // Actions that take time report their input at the first touch.
    if (request.action !== 'swipe' && request.action !== 'gesture') this.#received(inputSeq);
    switch (request.action) {
      case 'tap':
        return this.tapNow(request, inputSeq);
      case 'swipe': {
        const { from, to, durationMs } = request;
        await this.#play(swipeSteps(from, to, durationMs), context);
        return { pointCount: 1, durationMs };
      }
      case 'gesture': {
        const dispatchedSteps = await this.#play(request.steps, context);
        return { pointCount: request.steps[0]?.points.length ?? 0, dispatchedSteps };
      }
      case 'typeText':
        this.#phone.typeText(request.text, inputSeq);
        return { characterCount: request.text.length };
      case 'pressKey': {
        const { key, modifiers, durationMs } = request;
        this.#phone.keyDown(key, modifiers, inputSeq);
        await this.#hold(durationMs, context.signal, () => this.#phone.keyUp(key, modifiers, inputSeq));
        return { key, modifiers, durationMs };
      }
      case 'pressButton': {
        const { button } = request;
        const momentary = CAPABILITIES[this.#platform].momentaryButtons.includes(button);
        const durationMs = momentary ? LIMITS.holdDurationMs.default : request.durationMs;
        this.#phone.buttonDown(button, inputSeq);
        await this.#hold(durationMs, context.signal, () => this.#phone.buttonUp(button, inputSeq));
        return { button, durationMs };
      }
      case 'rotate':
        this.#phone.rotate(request.orientation, inputSeq);
        this.#orientationListener(this.#phone.orientation);
        return { orientation: this.#phone.orientation };
      case 'reload':
        this.#phone.reload(inputSeq);
        return undefined;
      case 'scroll': {
        const { deltaX, deltaY, x, y } = request;
        this.#phone.scroll(deltaX, deltaY, x === undefined || y === undefined ? undefined : { x, y }, inputSeq);
        return { deltaX, deltaY };
      }
      case 'toggleSoftwareKeyboard':
        this.#phone.toggleSoftwareKeyboard(inputSeq);
        return undefined;
      case 'simulateMemoryWarning':
        this.#phone.simulateMemoryWarning(inputSeq);
        return undefined;
      case 'setRenderDebug':
        this.#phone.setRenderDebug(request.option, request.enabled, inputSeq);
        return { option: request.option, enabled: request.enabled };
      case 'rotateDigitalCrown':
        throw new DeviceFault('failed', 'A phone has no digital crown.');
    }
  }

  tapNow({ x, y }: Point, inputSeq: number): InputResult {
    this.#received(inputSeq);
    const points = [{ x, y }];
    this.#phone.touch('begin', points, inputSeq);
    this.#phone.touch('end', points, inputSeq);
    return { pointCount: 1 };
  }

  async pointer(phase: PointerPhase, points: readonly Point[], inputSeq: number): Promise<void> {
    this.#received(inputSeq);
    this.#phone.touch(phase, points, inputSeq);
  }

  async openUrl(url: string, { inputSeq }: Pick<InputContext, 'inputSeq'>): Promise<OpenedUrl> {
    this.#received(inputSeq);
    return { handler: this.#phone.openUrl(url, inputSeq) };
  }

  async releaseAll(): Promise<void> {
    this.#phone.releaseAll();
  }

  async capture(): Promise<Picture> {
    this.#told = false;
    const drawn = this.#phone.render();
    if (drawn.version !== this.#picture?.version) this.#picture = drawn;
    // An input that changes no pixel has been received all the same.
    if (this.#picture.inputSeq < this.#inputSeq) this.#picture = { ...this.#picture, inputSeq: this.#inputSeq };
    if (this.#phone.animating) this.#tellChange();
    return this.#picture;
  }

  async inspect(): Promise<Inspection> {
    return this.#phone.inspect();
  }

  onChange(listener: () => void): void {
    this.#changeListener = listener;
  }

  onOrientation(listener: (orientation: Orientation) => void): void {
    this.#orientationListener = listener;
  }

  /** A virtual phone lives as long as its host thread. */
  onLost(): void {}

  async close(): Promise<void> {
    this.#phone.close();
  }

  /** The next picture tells of the input, even if it changes nothing. */
  #received(inputSeq: number): void {
    if (inputSeq <= this.#inputSeq) return;
    this.#inputSeq = inputSeq;
    this.#tellChange();
  }

  #tellChange(): void {
    if (this.#told) return;
    this.#told = true;
    this.#changeListener();
  }

  #play(steps: Parameters<typeof playGesture>[1], { inputSeq, signal, onStep }: InputContext): Promise<number> {
    const touch: TouchSurface['touch'] = (phase, points) => {
      this.#received(inputSeq);
      this.#phone.touch(phase, points, inputSeq);
    };
    return playGesture({ touch }, steps, { signal, clock: this.#clock, ...(onStep ? { onStep } : {}) });
  }

  async #hold(durationMs: number, signal: AbortSignal, release: () => void): Promise<void> {
    try {
      await sleepUntil(this.#clock.monotonicMs() + durationMs, this.#clock, signal);
    } catch {
      // A button's effect on release, such as turning the screen off, is not wanted any more.
      this.#phone.releaseAll();
      throw new DeviceFault('aborted', 'The hold was ended early.');
    }
    release();
  }
}

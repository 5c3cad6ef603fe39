import type { Image } from '@napi-rs/canvas';
import type { ActionFields, DeviceCapabilities, ResultOf } from '@runcloud/protocol';
import {
  CAPABILITIES,
  characterCount,
  LIMITS,
  type Orientation,
  type Platform,
  platformControls,
} from '@runcloud/protocol/terms';
import { withActive } from '../../device/displays.ts';
import type {
  Device,
  DeviceClipboard,
  DeviceDescriptor,
  DeviceMedia,
  DeviceOptions,
  DeviceScreen,
  InputContext,
  InputResult,
  Inspection,
  KeptFile,
  OpenedUrl,
  Picture,
  Point,
  PointerPhase,
} from '../../device/driver.ts';
import { DeviceFault } from '../../device/fault.ts';
import type { DeviceFiles } from '../../device/files.ts';
import { actionsOf, type Handlers, handle } from '../../device/handlers.ts';
import type { DeviceLogs } from '../../device/logs.ts';
import type { DeviceUi } from '../../device/ui.ts';
import { type Clock, systemClock } from '../../flow/clock.ts';
import { sleepUntil } from '../../flow/sleep.ts';
import { installedApp } from '../../phone/apps/installed-app.ts';
import { decodeIcons } from '../../phone/art/decode-icons.ts';
import { virtualModel } from '../../phone/models.ts';
import { VirtualPhone } from '../../phone/phone.ts';
import type { SavedPhone } from '../../phone/saved-state.ts';
import { playGesture, swipeSteps, type TouchSurface } from '../gesture-player.ts';
import { RoutePlayer } from '../route-player.ts';
import { appHandlers } from './app-handlers.ts';
import { filesOf } from './files.ts';
import { locationHandlers } from './location-handlers.ts';
import { logsOf } from './logs.ts';
import { mediaOf } from './media.ts';
import { readPhone, writePhone } from './phone-file.ts';
import { resetHandlers } from './reset-handlers.ts';
import { settingsHandlers } from './settings-handlers.ts';
import { VirtualScreen } from './virtual-screen.ts';

/** The embedded phone behind the device interface: it gives each interaction its time and its end. */
export class VirtualDevice implements Device {
  descriptor: DeviceDescriptor;
  readonly capabilities: DeviceCapabilities;
  readonly clipboard: DeviceClipboard;
  readonly media: DeviceMedia;
  readonly files: DeviceFiles;
  readonly logs: DeviceLogs;
  readonly ui: DeviceUi;
  readonly #phone: VirtualPhone;
  readonly #platform: Platform;
  readonly #clock: Clock;
  readonly #route: RoutePlayer;
  readonly #handlers: Handlers;
  readonly #screen: VirtualScreen;
  /** Of displays that somebody looks at by name. */
  readonly #displays = new Map<string, VirtualScreen>();
  #orientationListener: (orientation: Orientation) => void = () => undefined;
  #displaysListener: () => void = () => undefined;

  /**
   * @param icons decoded icons of the apps to install, by identifier; the others get a letter
   * @param saved the state that it begins with
   */
  constructor(
    { platform, model, orientation = 'portrait', apps = [] }: DeviceOptions,
    clock: Clock = systemClock,
    icons: ReadonlyMap<string, Image> = new Map(),
    saved?: SavedPhone,
  ) {
    this.descriptor = virtualModel(platform, model);
    const { width, height, scale, displays = [] } = this.descriptor;
    this.#phone = new VirtualPhone({
      platform,
      model: this.descriptor.model,
      width,
      height,
      scale,
      displays,
      orientation,
      apps: apps.map(({ app }) => installedApp(app, icons.get(app.identifier))),
    });
    if (saved) this.#phone.restore(saved);
    if (this.#phone.display !== undefined) this.descriptor = withActive(this.descriptor, this.#phone.display);
    this.#platform = platform;
    this.#clock = clock;
    this.#route = new RoutePlayer(
      async (location) => {
        this.#phone.location = location;
      },
      {
        clock,
        moved: () => {
          this.#phone.route = this.#route.progress;
        },
      },
    );
    this.#handlers = this.#handlersOf(platform);
    this.capabilities = {
      ...platformControls(platform),
      ui: true,
      media: true,
      files: true,
      logs: true,
      snapshots: true,
      actions: actionsOf(this.#handlers),
    };
    this.ui = { read: () => this.#phone.describe() };
    this.clipboard = clipboardOf(this.#phone);
    this.media = mediaOf(this.#phone);
    this.files = filesOf(this.#phone);
    this.logs = logsOf(this.#phone);
    this.#screen = new VirtualScreen(this.#phone);
    this.#phone.onFold(() => {
      this.descriptor = withActive(this.descriptor, this.#phone.display ?? '');
      this.#displaysListener();
    });
  }

  /** A device whose installed apps show their own icons, where these can be decoded. Rejects with a `damaged` fault. */
  static async open(options: DeviceOptions, clock: Clock = systemClock): Promise<VirtualDevice> {
    const { platform, model, snapshot, apps = [] } = options;
    if (!snapshot) return new VirtualDevice(options, clock, await decodeIcons(apps));
    const kept = await readPhone(snapshot, { platform, model: virtualModel(platform, model).model });
    const brought = new Set(apps.map(({ app }) => app.identifier));
    const all = [...kept.apps.filter((app) => !brought.has(app.identifier)).map((app) => ({ app, file: '' })), ...apps];
    const installed = new Set([...kept.phone.installed, ...brought]);
    const saved = { ...kept.phone, installed: [...installed] };
    return new VirtualDevice({ ...options, apps: all }, clock, await decodeIcons(all), saved);
  }

  get orientation(): Orientation {
    return this.#phone.orientation;
  }

  perform(request: ActionFields, context: InputContext): Promise<InputResult> {
    // Actions that take time report their input at the first touch.
    if (request.action !== 'swipe' && request.action !== 'gesture') this.#received(context.inputSeq);
    return handle(this.#handlers, request, context);
  }

  tapNow({ x, y }: Point, inputSeq: number): ResultOf<'tap'> {
    this.#received(inputSeq);
    const points = [{ x, y }];
    this.#phone.touch('begin', points, inputSeq);
    this.#phone.touch('end', points, inputSeq);
    return { pointCount: 1 };
  }

  async pointer(phase: PointerPhase, points: readonly Point[], inputSeq: number): Promise<void> {
    this.pointerNow(phase, points, inputSeq);
  }

  pointerNow(phase: PointerPhase, points: readonly Point[], inputSeq: number): void {
    this.#received(inputSeq);
    this.#phone.touch(phase, points, inputSeq);
  }

  async openUrl(url: string, { inputSeq }: Pick<InputContext, 'inputSeq'>): Promise<OpenedUrl> {
    this.#received(inputSeq);
    return { handler: this.#phone.openUrl(url, inputSeq) };
  }

  keep(file: string, signal: AbortSignal): Promise<KeptFile> {
    const { installed } = this.#phone.apps;
    const apps = installed.flatMap(({ package: app }) => (app ? [app] : []));
    const kept = { platform: this.#platform, model: this.descriptor.model, apps, phone: this.#phone.save() };
    return writePhone(file, kept, signal);
  }

  async releaseAll(): Promise<void> {
    this.#phone.releaseAll();
  }

  capture(): Promise<Picture> {
    return this.#screen.capture();
  }

  display(name: string): DeviceScreen {
    const view = this.#phone.viewOf(name);
    if (!view) throw new DeviceFault('unsupported', `The device has no display "${name}".`);
    const screen = this.#displays.get(name) ?? new VirtualScreen(view);
    this.#displays.set(name, screen);
    return screen;
  }

  async inspect(): Promise<Inspection> {
    return this.#phone.inspect();
  }

  onChange(listener: () => void): void {
    this.#screen.onChange(listener);
  }

  onDisplays(listener: () => void): void {
    this.#displaysListener = listener;
  }

  onOrientation(listener: (orientation: Orientation) => void): void {
    this.#orientationListener = listener;
  }

  /** A virtual phone lives as long as its host thread. */
  onLost(): void {}

  async close(): Promise<void> {
    await this.#route.stop();
    this.#phone.close();
  }

  #handlersOf(platform: Platform): Handlers {
    const phone = this.#phone;
    return {
      tap: (at, { inputSeq }) => this.tapNow(at, inputSeq),
      swipe: async ({ from, to, durationMs }, context) => {
        await this.#play(swipeSteps(from, to, durationMs), context);
        return { pointCount: 1, durationMs };
      },
      gesture: async ({ steps }, context) => ({
        pointCount: steps[0]?.points.length ?? 0,
        dispatchedSteps: await this.#play(steps, context),
      }),
      typeText: ({ text }, { inputSeq }) => {
        phone.typeText(text, inputSeq);
        return { characterCount: text.length };
      },
      insertText: ({ text }, { inputSeq }) => {
        phone.insertText(text, inputSeq);
        return { characterCount: characterCount(text) };
      },
      pressKey: async ({ key, modifiers, durationMs }, { inputSeq, signal }) => {
        phone.keyDown(key, modifiers, inputSeq);
        await this.#hold(durationMs, signal, () => phone.keyUp(key, modifiers, inputSeq));
        return { key, modifiers, durationMs };
      },
      pressButton: async ({ button, durationMs: askedMs }, { inputSeq, signal }) => {
        const momentary = CAPABILITIES[platform].momentaryButtons.includes(button);
        const durationMs = momentary ? LIMITS.holdDurationMs.default : askedMs;
        phone.buttonDown(button, inputSeq);
        await this.#hold(durationMs, signal, () => phone.buttonUp(button, inputSeq));
        return { button, durationMs };
      },
      ...appHandlers(phone),
      ...locationHandlers(phone, this.#route),
      ...settingsHandlers(phone),
      ...resetHandlers(phone, this.#route, () => this.#orientationListener(phone.orientation)),
      rotate: ({ orientation }, { inputSeq }) => {
        phone.rotate(orientation, inputSeq);
        this.#orientationListener(phone.orientation);
        return { orientation: phone.orientation };
      },
      reload: (_none, { inputSeq }) => phone.reload(inputSeq),
      scroll: ({ deltaX, deltaY, x, y }, { inputSeq }) => {
        phone.scroll(deltaX, deltaY, x === undefined || y === undefined ? undefined : { x, y }, inputSeq);
        return { deltaX, deltaY };
      },
      toggleSoftwareKeyboard: (_none, { inputSeq }) => phone.toggleSoftwareKeyboard(inputSeq),
      simulateMemoryWarning: (_none, { inputSeq }) => phone.simulateMemoryWarning(inputSeq),
      setRenderDebug:
        CAPABILITIES[platform].renderOptions.length === 0
          ? undefined
          : ({ option, enabled }, { inputSeq }) => {
              phone.setRenderDebug(option, enabled, inputSeq);
              return { option, enabled };
            },
    };
  }

  /** The next picture tells of the input, even if it changes nothing. */
  #received(inputSeq: number): void {
    this.#screen.received(inputSeq);
    for (const screen of this.#displays.values()) screen.received(inputSeq);
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

/** The phone's own, which its keys copy to and paste from. */
const clipboardOf = (phone: VirtualPhone): DeviceClipboard => ({
  read: async () => phone.clipboard,
  write: async (text) => {
    phone.clipboard = text;
  },
  onChange: (listener) => phone.onClipboard(listener),
});

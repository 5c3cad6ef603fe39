import type { ActionFields, DeviceCapabilities, FieldsOf, ResultOf } from '@runcloud/protocol';
import {
  CAPABILITIES,
  characterCount,
  LIMITS,
  type Orientation,
  platformControls,
  urlParts,
} from '@runcloud/protocol/terms';
import type { IosApp } from '../../device/app-package.ts';
import type {
  Device,
  DeviceClipboard,
  DeviceDescriptor,
  DeviceMedia,
  EncodedScreen,
  InputContext,
  InputResult,
  KeptFile,
  OpenedUrl,
  Picture,
  Point,
  PointerPhase,
  StillPicture,
} from '../../device/driver.ts';
import { DeviceFault } from '../../device/fault.ts';
import type { DeviceFiles } from '../../device/files.ts';
import { actionsOf, appOf, type Handlers, handle } from '../../device/handlers.ts';
import type { DeviceLogs } from '../../device/logs.ts';
import type { ToolEnvironment } from '../../device/target.ts';
import type { DeviceUi, UiScreen } from '../../device/ui.ts';
import { urlHandler } from '../../device/url-handler.ts';
import { systemClock } from '../../flow/clock.ts';
import { type PlayedStep, playGesture, swipeSteps } from '../gesture-player.ts';
import { pngSize } from '../png-size.ts';
import { RoutePlayer } from '../route-player.ts';
import { scrollSteps } from './drag.ts';
import type { SimulatorHelper } from './helper.ts';
import type { PanelSize } from './physical-point.ts';
import type { Rotation } from './rotation.ts';
import type { Simctl } from './simctl.ts';
import { SimulatorApps } from './simulator-apps.ts';
import { biometricHandlers } from './simulator-biometric.ts';
import { simulatorFiles } from './simulator-files.ts';
import type { SimulatorKeeping } from './simulator-keeping.ts';
import { SimulatorKeyboard } from './simulator-keyboard.ts';
import { type KnownPlace, locationHandlers } from './simulator-location.ts';
import { simulatorLogs } from './simulator-logs.ts';
import { simulatorMedia } from './simulator-media.ts';
import type { SimulatorScreen } from './simulator-screen.ts';
import { settingsHandlers } from './simulator-settings.ts';
import { SimulatorTouchState } from './simulator-touch-state.ts';
import type { Udid } from './udid.ts';

/** A tap that is shorter than a frame of the guest's may be lost. */
const TAP_MS = 40;
/** An input that has ended waits for its helper for so long, so that the next one finds fingers and keys lifted. */
const ENDED_MS_MAX = 1_000;
/** Longer texts are pasted: typing them would take longer than a caller waits. */
const TYPED_CHARACTERS_MAX = 200;

const clock = systemClock;

/** The parts of one simulator, for as long as a session has it. */
export interface SimulatorParts {
  readonly udid: Udid;
  readonly descriptor: DeviceDescriptor;
  /** Its commands wait while the simulator is off to be kept. */
  readonly simctl: Simctl;
  readonly keeping: SimulatorKeeping;
  readonly helper: SimulatorHelper;
  readonly screen: SimulatorScreen;
  readonly rotation: Rotation;
  /** Those that the session has brought; it grows with each that it installs. */
  readonly apps: IosApp[];
  readonly tools: ToolEnvironment;
  readonly orientation: Orientation;
  /** Why the simulator is lost; settles once, if ever. */
  readonly lost: Promise<string>;
  /** Gives the simulator back. */
  readonly close: () => Promise<void>;
}

/** One simulator as a session has it. */
export class SimulatorDevice implements Device {
  readonly descriptor: DeviceDescriptor;
  readonly capabilities: DeviceCapabilities;
  readonly clipboard: DeviceClipboard;
  readonly media: DeviceMedia;
  readonly files: DeviceFiles;
  readonly logs: DeviceLogs;
  /** Absent where the helper does not tell. */
  readonly ui?: DeviceUi;
  readonly encoded: EncodedScreen;
  readonly #parts: SimulatorParts;
  readonly #panel: SimulatorTouchState;
  readonly #keyboard: SimulatorKeyboard;
  readonly #apps: SimulatorApps;
  readonly #handlers: Handlers;
  #orientation: Orientation;
  #orientationListener: (orientation: Orientation) => void = () => undefined;
  #turning = false;
  readonly #route = new RoutePlayer(() => undefined);
  readonly #place: KnownPlace = {};
  #closed = false;
  readonly #ending = new AbortController();

  constructor(parts: SimulatorParts) {
    this.#parts = parts;
    this.descriptor = parts.descriptor;
    const { simctl, udid } = parts;
    this.clipboard = {
      read: (signal) => simctl.copied(udid, signal),
      write: (text, signal) => simctl.copy(udid, text, signal),
    };
    this.media = simulatorMedia(simctl, udid);
    this.#apps = new SimulatorApps(simctl, udid, parts.apps);
    this.files = simulatorFiles(simctl, udid, this.#apps);
    this.logs = simulatorLogs(simctl, udid, parts.tools, this.#ending.signal, parts.keeping.running);
    void parts.lost.then(() => this.#ending.abort());
    this.encoded = parts.screen;
    this.#orientation = parts.orientation;
    this.#panel = new SimulatorTouchState(parts.helper, parts.descriptor, () => this.#orientation);
    this.#keyboard = new SimulatorKeyboard(parts.helper, clock);
    const { fingers, buttons, renderOptions } = parts.helper.can;
    this.#handlers = this.#handlersOf();
    this.capabilities = {
      ...platformControls('ios'),
      ...{ fingers, buttons, renderOptions },
      actions: actionsOf(this.#handlers),
      media: true,
      files: true,
      logs: true,
      snapshots: true,
      ...(parts.helper.readUi ? { ui: true } : {}),
    };
    if (parts.helper.readUi) this.ui = { isSlow: true, read: (signal) => this.#readUi(signal) };
    parts.screen.onTurned(() => void this.#follow());
  }

  get orientation(): Orientation {
    return this.#orientation;
  }

  async perform(request: ActionFields, context: InputContext): Promise<InputResult> {
    const { helper, keeping } = this.#parts;
    const { signal } = context;
    await keeping.running(signal);
    let result: InputResult;
    try {
      this.#sent(context.inputSeq);
      result = await handle(this.#handlers, request, context);
    } catch (error) {
      // The lifting has reached the simulator before the caller learns of the end, if the helper answers at all.
      await helper.taken(AbortSignal.timeout(ENDED_MS_MAX)).catch(() => undefined);
      throw error;
    }
    await helper.taken(signal);
    return result;
  }

  async pointer(phase: PointerPhase, points: readonly Point[], inputSeq: number): Promise<void> {
    // A finger is not to come down later than its person has moved it.
    if (this.#parts.keeping.isAway) {
      throw new DeviceFault('unavailable', 'The simulator is off for a moment, so that its state can be kept.');
    }
    this.#sent(inputSeq);
    this.#panel.touch(phase, points);
    if (phase !== 'move') await this.#parts.helper.taken();
  }

  async openUrl(url: string, { inputSeq, signal }: Pick<InputContext, 'inputSeq' | 'signal'>): Promise<OpenedUrl> {
    const { simctl, udid, apps } = this.#parts;
    this.#sent(inputSeq);
    await simctl.openUrl(udid, url, signal);
    const { scheme } = urlParts(url);
    // The command does not tell who took it: an app of the session's, or one that came with the guest.
    const own = urlHandler(apps, url)?.identifier;
    return {
      handler: own ?? (scheme === 'http' || scheme === 'https' ? 'com.apple.mobilesafari' : 'com.apple.springboard'),
    };
  }

  async #readUi(signal: AbortSignal): Promise<UiScreen> {
    await this.#parts.keeping.running(signal);
    const told = (await this.#parts.helper.readUi?.(signal)) ?? { nodes: [] };
    return { screen: 'on', orientation: this.#orientation, ...told };
  }

  /** Its apps are ended by that, and it goes on with the home screen. */
  keep(file: string, signal: AbortSignal): Promise<KeptFile> {
    const { keeping, apps } = this.#parts;
    const back = () => {
      // Nobody has told it yet where it is.
      this.#place.set = undefined;
      void this.#route.stop();
      if (this.#orientation !== 'portrait' && !this.#closed) this.#isTurned('portrait');
    };
    return keeping.keep({ file, apps, lift: () => this.#lift(), back }, signal);
  }

  async releaseAll(): Promise<void> {
    // While it is off, nothing is down.
    if (!this.#parts.keeping.isAway) await this.#lift();
  }

  async #lift(): Promise<void> {
    this.#panel.lift();
    this.#keyboard.releaseAll();
    await this.#parts.helper.taken();
  }

  capture(): Promise<Picture> {
    return this.#parts.screen.capture();
  }

  /** By the simulator itself: pictures of the video are not exact. */
  async screenshot(): Promise<StillPicture> {
    const { simctl, udid, screen } = this.#parts;
    const inputSeq = await screen.settled();
    const png = await simctl.screenshot(udid);
    const size = pngSize(png);
    if (!isOfPanel(size, this.descriptor)) {
      throw new DeviceFault('nonsense', `The simulator gave a screenshot of ${size.width}×${size.height} pixels.`);
    }
    return { png: Uint8Array.from(png), ...size, inputSeq };
  }

  onChange(listener: () => void): void {
    this.#parts.screen.onChange(listener);
  }

  onOrientation(listener: (orientation: Orientation) => void): void {
    this.#orientationListener = listener;
  }

  onLost(listener: (reason: string) => void): void {
    void this.#parts.lost.then((reason) => {
      if (!this.#closed) listener(reason);
    });
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#ending.abort();
    await this.#route.stop();
    await this.#parts.close();
  }

  #handlersOf(): Handlers {
    const { helper, simctl, udid, tools } = this.#parts;
    const { toggleSoftwareKeyboard, renderOptions } = helper.can;
    const apps = this.#apps;
    return {
      tap: async ({ x, y }, { inputSeq, signal }) => {
        await this.#play(tapSteps({ x, y }), { inputSeq, signal });
        return { pointCount: 1 };
      },
      swipe: async ({ from, to, durationMs }, context) => {
        await this.#play(swipeSteps(from, to, durationMs), context);
        return { pointCount: 1, durationMs };
      },
      gesture: async ({ steps }, context) => ({
        pointCount: steps[0]?.points.length ?? 0,
        dispatchedSteps: await this.#play(steps, context),
      }),
      typeText: async ({ text }, { signal }) => {
        await this.#type(text, signal);
        return { characterCount: text.length };
      },
      insertText: async ({ text }, { signal }) => {
        await this.#paste(text, signal);
        return { characterCount: characterCount(text) };
      },
      pressKey: async ({ key, modifiers, durationMs }, { signal }) => {
        await this.#keyboard.pressKey(key, modifiers, durationMs, signal);
        return { key, modifiers, durationMs };
      },
      pressButton: (press, { signal }) => this.#pressButton(press, signal),
      rotate: async ({ orientation }, { signal }) => {
        await this.#rotate(orientation, signal);
        return { orientation: this.#orientation };
      },
      reload: async (_none, { signal }) => {
        const bundle = await simctl.foreground(udid, signal);
        if (bundle === undefined) throw new DeviceFault('failed', 'No app is in front that could be reloaded.');
        await simctl.relaunch(udid, bundle, signal);
      },
      listApps: (_none, { signal }) => apps.list(signal),
      launchApp: (launch, { signal }) => apps.launch(launch, signal),
      terminateApp: ({ app }, { signal }) => apps.terminate(app, signal),
      installApp: (_asset, context) => apps.install(appOf(context), tools, context.signal),
      uninstallApp: ({ app }, { signal }) => apps.uninstall(app, signal),
      setPermission: (asked, { signal }) => apps.setPermission(asked, signal),
      sendPush: (asked, { signal }) => apps.push(asked, signal),
      ...locationHandlers(simctl, udid, this.#route, this.#place),
      ...settingsHandlers(simctl, udid),
      ...biometricHandlers(simctl, udid),
      scroll: async ({ deltaX, deltaY, x, y }, { inputSeq, signal }) => {
        const anchor = x === undefined || y === undefined ? undefined : { x, y };
        for (const drag of scrollSteps(deltaX, deltaY, anchor)) await this.#play(drag, { inputSeq, signal });
        return { deltaX, deltaY };
      },
      toggleSoftwareKeyboard: toggleSoftwareKeyboard ? () => helper.toggleSoftwareKeyboard() : undefined,
      simulateMemoryWarning: () => helper.simulateMemoryWarning(),
      setRenderDebug:
        renderOptions.length === 0
          ? undefined
          : async ({ option, enabled }) => {
              await helper.setRenderOption(option, enabled);
              return { option, enabled };
            },
    };
  }

  async #pressButton(
    { button, durationMs }: FieldsOf<'pressButton'>,
    signal: AbortSignal,
  ): Promise<ResultOf<'pressButton'>> {
    const { helper } = this.#parts;
    if (!CAPABILITIES.ios.momentaryButtons.includes(button)) {
      await this.#keyboard.pressButton(button, durationMs, signal);
      return { button, durationMs };
    }
    if (button === 'home') helper.home();
    else helper.appSwitcher();
    // The helper holds it for its own moment; the next input comes after that.
    const { default: momentMs } = LIMITS.holdDurationMs;
    await this.#keyboard.wait(momentMs, signal);
    return { button, durationMs: momentMs };
  }

  async #rotate(orientation: Orientation, signal: AbortSignal): Promise<void> {
    this.#panel.lift();
    this.#turning = true;
    try {
      await this.#parts.rotation.turn(orientation, this.#orientation, signal);
    } finally {
      this.#turning = false;
    }
    this.#isTurned(orientation);
  }

  /** An app may turn the guest by itself; touches are told where they are seen all the same. */
  async #follow(): Promise<void> {
    if (this.#turning) return;
    const seen = await this.#parts.rotation.seen().catch(() => undefined);
    if (this.#parts.keeping.isAway) return;
    if (seen !== undefined && seen !== this.#orientation && !this.#turning && !this.#closed) this.#isTurned(seen);
  }

  #isTurned(orientation: Orientation): void {
    this.#orientation = orientation;
    this.#parts.screen.orientation = orientation;
    this.#orientationListener(orientation);
  }

  async #type(text: string, signal: AbortSignal): Promise<void> {
    if (text.length <= TYPED_CHARACTERS_MAX) await this.#keyboard.type(text, signal);
    else await this.#paste(text, signal);
  }

  async #paste(text: string, signal: AbortSignal): Promise<void> {
    const { simctl, udid } = this.#parts;
    await simctl.copy(udid, text, signal);
    await this.#keyboard.pressKey('v', ['meta'], TAP_MS, signal);
  }

  #play(steps: readonly PlayedStep[], { inputSeq, signal, onStep }: InputContext): Promise<number> {
    this.#sent(inputSeq);
    const taken = () => this.#parts.helper.taken(signal);
    return playGesture(this.#panel, steps, { signal, clock, taken, ...(onStep ? { onStep } : {}) });
  }

  #sent(inputSeq: number): void {
    this.#parts.screen.sent(inputSeq);
  }
}

/** Upright or on its side. */
const isOfPanel = (size: PanelSize, { width, height }: PanelSize): boolean =>
  Math.min(size.width, size.height) === Math.min(width, height) &&
  Math.max(size.width, size.height) === Math.max(width, height);

const tapSteps = (point: Point): PlayedStep[] => [
  { phase: 'begin', points: [point], delayMs: TAP_MS },
  { phase: 'end', points: [point], delayMs: 0 },
];

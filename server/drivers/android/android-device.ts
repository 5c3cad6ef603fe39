import type { ActionFields, DeviceCapabilities, Orientation } from '@runcloud/protocol';
import { characterCount } from '@runcloud/protocol/terms';
import { withActive } from '../../device/displays.ts';
import type {
  Device,
  DeviceClipboard,
  DeviceDescriptor,
  DeviceMedia,
  DeviceScreen,
  EncodedScreen,
  InputContext,
  InputResult,
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
import type { DeviceUi, UiScreen } from '../../device/ui.ts';
import { pngSize } from '../png-size.ts';
import type { VideoScreen } from '../video/video-screen.ts';
import type { GuestShell } from './adb/guest-shell.ts';
import { CapturedScreen } from './captured-screen.ts';
import { DisplayScreen } from './display-screen.ts';
import { displayShown } from './guest/displays.ts';
import type { Guest } from './guest/guest.ts';
import type { GuestApps } from './guest/guest-apps.ts';
import { GuestFiles } from './guest/guest-files.ts';
import { guestMedia } from './guest/guest-media.ts';
import { configureGuest } from './guest/guest-settings.ts';
import { readGuestUi } from './guest/guest-ui.ts';
import { type DisplaySize, orientationOf, turnsOf } from './guest/orientation.ts';
import type { LeftChanges } from './guest/shared-changes.ts';
import type { GuestClipboard, GuestLocation, GuestNetwork, InputBackend, VideoBackend } from './input-backend.ts';
import { scrollDrags } from './scroll.ts';

/** A device that takes longer does not answer. */
const CLEAR_MS_MAX = 3_000;

export interface AndroidDeviceParts {
  readonly descriptor: DeviceDescriptor;
  readonly backend: InputBackend;
  readonly guest: Guest;
  readonly apps: GuestApps;
  /** Absent for a device that does not let its clipboard be used. */
  readonly clipboard: GuestClipboard | undefined;
  /** Absent for a device whose location cannot be set. */
  readonly location: GuestLocation | undefined;
  /** Absent for a device whose network cannot be made slow. */
  readonly network: GuestNetwork | undefined;
  /** Absent for a device that does not tell the time, from which on it may be read. */
  readonly logs: DeviceLogs | undefined;
  /** As `Device.keep`; absent for a device whose state cannot be kept. */
  readonly keep: Device['keep'];
  readonly shell: GuestShell;
  /** As `Device.outlives`. */
  readonly outlives: boolean;
  /** Packages that the session has used before, if it goes on. */
  readonly used: readonly string[];
  /** What it has changed in the shared folder before, if it goes on. */
  readonly changes: LeftChanges | undefined;
  /** Called with all packages that the session has used, each time another one is added. */
  readonly noteUsed: (used: readonly string[]) => Promise<void>;
  /** Called before a package comes that the session brings. */
  readonly noteInstalled: (name: string) => Promise<void>;
  /** Makes the device what it was before, given the packages that the session has used. */
  readonly restore: (used: ReadonlySet<string>) => Promise<void>;
  /** Lets go of the device, at its end. */
  readonly release: () => void;
}

/** One Android device, for one session. */
export class AndroidDevice implements Device {
  descriptor: DeviceDescriptor;
  readonly capabilities: DeviceCapabilities;
  readonly clipboard: DeviceClipboard | undefined;
  readonly media: DeviceMedia;
  readonly files: DeviceFiles;
  readonly logs: DeviceLogs | undefined;
  readonly ui: DeviceUi;
  readonly keep: Device['keep'];
  readonly outlives: boolean;
  /** Absent where frames are captured. */
  readonly encoded?: EncodedScreen;
  /** Absent where captures are exact. */
  readonly screenshot?: () => Promise<StillPicture>;
  readonly #backend: InputBackend;
  readonly #handlers: Handlers;
  readonly #screen: VideoScreen | CapturedScreen;
  readonly #guest: Guest;
  readonly #parts: AndroidDeviceParts;
  /** Packages that the session has used, as far as this service had a part in it. */
  readonly #used: Set<string>;
  /** Of displays that somebody looks at by name. */
  readonly #displays = new Map<string, DisplayScreen>();
  #orientationListener: (orientation: Orientation) => void = () => undefined;
  #displaysListener: () => void = () => undefined;
  #lostListener: (reason: string) => void = () => undefined;
  #orientation: Orientation;
  #lostReason: string | undefined;
  #closed = false;

  constructor(parts: AndroidDeviceParts) {
    const { descriptor, backend, guest } = parts;
    this.descriptor = descriptor;
    this.#backend = backend;
    this.#guest = guest;
    this.#handlers = this.#handlersOf(parts);
    this.clipboard = parts.clipboard;
    const clipboard = parts.clipboard !== undefined;
    this.logs = parts.logs;
    this.capabilities = {
      ...{ ...backend.controls, clipboard, ui: true, media: true, files: true },
      ...(parts.logs && { logs: true }),
      ...(parts.keep && { snapshots: true }),
      actions: actionsOf(this.#handlers),
    };
    this.keep = parts.keep;
    this.outlives = parts.outlives;
    this.#used = new Set(parts.used);
    this.media = guestMedia(parts.shell);
    this.files = new GuestFiles(parts.shell, parts.apps, parts.changes);
    this.ui = { isSlow: true, read: (signal) => this.#readUi(signal) };
    this.#parts = parts;
    this.#orientation = orientationOf(backend.turns);
    this.#screen = backend.video ?? new CapturedScreen(backend);
    if (backend.video === undefined) return;
    this.encoded = {
      start: ({ packet, ended }) => backend.video.start({ packet: (coded) => packet(this.#named(coded)), ended }),
      requestKey: () => backend.video.requestKey(),
    };
    this.screenshot = () => stillOf(backend, displayShown(this.descriptor, backend.size)?.name);
  }

  get orientation(): Orientation {
    return this.#orientation;
  }

  /** The screen shows something else now. */
  changed(): void {
    this.#notice();
    // A video tells of its pictures itself.
    if (this.#screen instanceof CapturedScreen) this.#screen.changed();
  }

  /** The device is gone. */
  lost(reason: string): void {
    if (this.#closed || this.#lostReason !== undefined) return;
    this.#lostReason = reason;
    this.#closeScreens();
    this.#backend.close();
    this.#lostListener(reason);
  }

  async perform(request: ActionFields, context: InputContext): Promise<InputResult> {
    this.#received(context.inputSeq);
    return handle(this.#handlers, request, context);
  }

  async pointer(phase: PointerPhase, points: readonly Point[], inputSeq: number): Promise<void> {
    this.#received(inputSeq);
    await this.#backend.pointer(phase, points);
  }

  async openUrl(url: string, { inputSeq, signal }: Pick<InputContext, 'inputSeq' | 'signal'>): Promise<OpenedUrl> {
    this.#received(inputSeq);
    const handler = await this.#guest.openUrl(url, signal);
    await this.#uses(handler);
    return { handler };
  }

  releaseAll(): Promise<void> {
    return this.#lostReason === undefined ? this.#backend.releaseAll() : Promise.resolve();
  }

  async capture(): Promise<Picture> {
    const picture = this.#named(await this.#screen.capture());
    this.#notice();
    return picture;
  }

  display(name: string): DeviceScreen {
    const known = this.#displays.get(name);
    if (known) return known;
    if (!this.descriptor.displays?.some((display) => display.name === name)) {
      throw new DeviceFault('unsupported', `The device has no display "${name}".`);
    }
    const isActive = () => this.descriptor.displays?.some((display) => display.name === name && display.active);
    const screen = new DisplayScreen(this.#parts.shell, name, () => (isActive() ? this.#backend.turns : 0));
    this.#displays.set(name, screen);
    return screen;
  }

  async refresh(): Promise<void> {
    if (this.#screen instanceof CapturedScreen) await this.#screen.refresh();
    this.#notice();
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

  onLost(listener: (reason: string) => void): void {
    this.#lostListener = listener;
    if (this.#lostReason !== undefined) listener(this.#lostReason);
  }

  /** Undoes the session's changes to the device, as far as it can be reached. */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#closeScreens();
    try {
      if (this.#lostReason !== undefined) return;
      await clearClipboard(this.#parts.clipboard);
      // Where this fails, the trace of the session stays, and the next one finds it.
      await this.#parts.location?.clear();
      await this.#parts.network?.clear();
      await this.#parts.restore(this.#used);
    } finally {
      this.#backend.close();
      this.#parts.release();
    }
  }

  #handlersOf({ backend, clipboard, location, apps }: AndroidDeviceParts): Handlers {
    return {
      tap: async ({ x, y }, { signal }) => {
        await backend.tap({ x, y }, signal);
        return { pointCount: 1 };
      },
      swipe: async ({ from, to, durationMs }, context) => {
        await backend.swipe(from, to, durationMs, context);
        return { pointCount: 1, durationMs };
      },
      gesture: backend.controls.freeGestures
        ? async ({ steps }, context) => ({
            pointCount: steps[0]?.points.length ?? 0,
            dispatchedSteps: await backend.play(steps, context),
          })
        : undefined,
      typeText: async ({ text }, { signal }) => {
        await backend.type(text, signal);
        return { characterCount: text.length };
      },
      insertText: clipboard
        ? async ({ text }, { signal }) => {
            await clipboard.write(text, signal);
            await clipboard.paste(signal);
            return { characterCount: characterCount(text) };
          }
        : undefined,
      pressKey: async ({ key, modifiers, durationMs }, { signal }) => {
        await backend.pressKey(key, modifiers, durationMs, signal);
        return { key, modifiers, durationMs };
      },
      pressButton: async ({ button, durationMs }, { signal }) => {
        await backend.pressButton(button, durationMs, signal);
        return { button, durationMs };
      },
      rotate: async ({ orientation }, { signal }) => {
        await backend.rotate(turnsOf(orientation), signal);
        this.changed();
        return { orientation: this.#orientation };
      },
      reload: async (_none, { signal }) => this.#uses(await this.#guest.reload(signal)),
      scroll: async ({ deltaX, deltaY, x = 0.5, y = 0.5 }, { signal }) => {
        for (const { from, to, durationMs } of scrollDrags({ x, y }, deltaX, deltaY)) {
          await backend.drag(from, to, durationMs, { signal });
        }
        return { deltaX, deltaY };
      },
      listApps: (_none, { signal }) => apps.list(signal),
      launchApp: async (launch, { signal }) => {
        const launched = await apps.launch(launch, signal);
        await this.#uses(launch.app);
        return launched;
      },
      terminateApp: ({ app }, { signal }) => apps.terminate(app, signal),
      clearAppData: ({ app }, { signal }) => apps.clear(app, signal),
      installApp: (_asset, context) => apps.install(appOf(context), context.signal, this.#parts.noteInstalled),
      uninstallApp: ({ app }, { signal }) => apps.uninstall(app, signal),
      setPermission: (asked, { signal }) => apps.setPermission(asked, signal),
      ...(location && {
        setLocation: (place) => location.set(place),
        clearLocation: () => location.clear(),
        followRoute: (route) => location.follow(route),
        readLocation: () => location.told(),
      }),
      configureDevice: (settings, { signal }) =>
        configureGuest(this.#parts.shell, settings, this.#parts.network, signal),
      toggleSoftwareKeyboard: (_none, { signal }) => this.#guest.toggleKeyboard(signal),
      simulateMemoryWarning: (_none, { signal }) => this.#guest.warnOfMemory(signal),
    };
  }

  #readUi(signal: AbortSignal): Promise<UiScreen> {
    const { width, height, displays } = this.descriptor;
    const name = displays?.find(({ active }) => active)?.name;
    return readGuestUi(this.#parts.shell, { name, width, height, turns: this.#backend.turns }, signal);
  }

  /** A picture with the display that it shows. */
  #named<T extends DisplaySize>(picture: T): T & { readonly display?: string } {
    const shown = displayShown(this.descriptor, picture);
    return shown ? { ...picture, display: shown.name } : picture;
  }

  #closeScreens(): void {
    this.#screen.close();
    for (const screen of this.#displays.values()) screen.close();
  }

  async #uses(name: string): Promise<void> {
    if (this.#used.has(name)) return;
    this.#used.add(name);
    await this.#parts.noteUsed([...this.#used]);
  }

  #received(inputSeq: number): void {
    if (this.#lostReason !== undefined) throw new DeviceFault('unreachable', this.#lostReason);
    this.#screen.sent(inputSeq);
    for (const screen of this.#displays.values()) screen.sent(inputSeq);
  }

  #notice(): void {
    const { size } = this.#backend;
    const shown = displayShown(this.descriptor, size);
    if (shown && !shown.active) {
      this.descriptor = withActive(this.descriptor, shown.name);
      this.#displaysListener();
    }
    const orientation = orientationOf(this.#backend.turns);
    if (orientation === this.#orientation) return;
    this.#orientation = orientation;
    this.#orientationListener(orientation);
  }
}

/** It stays as it is. */
export async function keptClipboard(clipboard: GuestClipboard | undefined): Promise<GuestClipboard | undefined> {
  return ifAllowed(clipboard, async () => void (await clipboard?.read(AbortSignal.timeout(CLEAR_MS_MAX))));
}

/** The next session finds nothing in it. A device that does not allow that has no clipboard for a session. */
export async function clearClipboard(clipboard: GuestClipboard | undefined): Promise<GuestClipboard | undefined> {
  return ifAllowed(clipboard, async () => clipboard?.write('', AbortSignal.timeout(CLEAR_MS_MAX)));
}

async function ifAllowed(
  clipboard: GuestClipboard | undefined,
  use: () => Promise<void>,
): Promise<GuestClipboard | undefined> {
  try {
    await use();
    return clipboard;
  } catch (error) {
    if (error instanceof DeviceFault) return undefined;
    throw error;
  }
}

async function stillOf(backend: VideoBackend, display: string | undefined): Promise<StillPicture> {
  const inputSeq = await backend.video.settled();
  const png = await backend.still(display);
  return { png: Uint8Array.from(png), ...pngSize(png), inputSeq };
}

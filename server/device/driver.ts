import type { ActionFields, Button, DeviceCapabilities, Modifier, Orientation, Platform } from '@runcloud/protocol';
import type { InstallableApp } from './app-package.ts';
import type { DeviceTarget } from './target.ts';

/**
 * The interface of every device to its host: the embedded virtual phone, an Android Emulator or an iOS Simulator. It
 * runs on a host thread, never on the gateway's.
 */

/** A point of the display in its current orientation, 0 to 1 on both axes, (0, 0) at the top left. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** A rectangle of the picture, in pixels. */
export interface Rect {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** The display as it is shown: upright for a person who holds the device in `orientation`. */
export interface Picture {
  /** RGBA, row by row, `width * height * 4` bytes. Owned by the device; it changes at the next capture. */
  readonly pixels: Uint8Array;
  readonly width: number;
  readonly height: number;
  readonly orientation: Orientation;
  /** Rises with each change of the pixels; equal versions have equal pixels. */
  readonly version: number;
  /** The areas that changed since the version before; the whole picture when unknown. */
  readonly damage: readonly Rect[];
  /** The newest input that the device had received when the picture was taken; 0 before the first. */
  readonly inputSeq: number;
}

/** A device as clients see it. */
export interface DeviceDescriptor {
  readonly model: string;
  readonly osVersion: string;
  /** Size of the display in portrait, in pixels. */
  readonly width: number;
  readonly height: number;
  /** Pixels for one point (iOS) or density-independent pixel (Android). */
  readonly scale: number;
  /** `virtual`, `android-emulator`, `android-adb` or `ios-simulator`. */
  readonly driver: string;
}

/** A device that the host could offer, before it is known whether it works. */
export interface FoundDevice {
  readonly platform: Platform;
  readonly target: DeviceTarget;
  /** As far as it is known before the device runs. */
  readonly descriptor: DeviceDescriptor;
}

/** The answer of a host that has opened a device. */
export interface OpenedDevice {
  readonly descriptor: DeviceDescriptor;
  readonly capabilities: DeviceCapabilities;
}

export interface DeviceOptions {
  readonly platform: Platform;
  /** Which device of the host; a virtual one when absent. */
  readonly target?: DeviceTarget;
  readonly model?: string;
  readonly osVersion?: string;
  readonly orientation?: Orientation;
  /** Installed before the device is usable; gone with it. */
  readonly apps?: readonly InstallableApp[];
}

/** The context of one call to the device. */
export interface InputContext {
  /** The number under which pictures will show that this input had arrived. */
  readonly inputSeq: number;
  /**
   * Fires on cancel and on time-out; the device then lifts what it holds down and rejects. Made when it is first read:
   * most inputs are over before anybody could cancel them.
   */
  readonly signal: AbortSignal;
  /** Told after each step of a gesture with the number of steps done so far. */
  readonly onStep?: (steps: number) => void;
}

/** The `result` object of the acknowledgement; `undefined` for actions that have none. */
export type InputResult = Readonly<Record<string, unknown>> | undefined;

/** `cancel` lifts the fingers without completing what they had begun. */
export type PointerPhase = 'begin' | 'move' | 'end' | 'cancel';

/** The app that opened a URL. */
export interface OpenedUrl {
  /** Identifier of the app: a bundle identifier, a package name, or the device's own name for an app of the system. */
  readonly handler: string;
}

/** One encoded picture of a device that encodes its screen itself. */
export interface ScreenPacket {
  /** Decodable without any packet before it: begins with SPS and PPS. */
  readonly key: boolean;
  /** H.264, Annex B, without B-frames. In memory of its own, to be given away. */
  readonly payload: Uint8Array<ArrayBuffer>;
  /** RFC 6381; at key packets. */
  readonly codec?: string;
  readonly width: number;
  readonly height: number;
  readonly orientation: Orientation;
  readonly inputSeq: number;
}

/** A screenshot that the device itself has made. */
export interface StillPicture {
  /** In memory of its own, to be given away. */
  readonly png: Uint8Array<ArrayBuffer>;
  readonly width: number;
  readonly height: number;
  readonly inputSeq: number;
}

/** The screen of a device that encodes it itself; its packets pass through to viewers and recordings as they are. */
export interface EncodedScreen {
  /**
   * Begins to tell packets, the first one a key packet; returns what ends that. It is started by one listener at a time;
   * `ended` is told at most once, and last.
   */
  start(listener: { packet(packet: ScreenPacket): void; ended(reason: string): void }): () => void;
  /** A key packet is to come soon, also of a still screen. */
  requestKey(): void;
}

export interface Device {
  readonly descriptor: DeviceDescriptor;
  readonly capabilities: DeviceCapabilities;
  /** Serves H.264 streams of full size; captures serve everything else. Absent: everything is captured. */
  readonly encoded?: EncodedScreen;
  readonly orientation: Orientation;
  /** Carries out one validated interaction; settles when the device has taken it, never before. */
  perform(request: ActionFields, context: InputContext): Promise<InputResult>;
  /**
   * Takes a tap, for which it need not wait, before it returns. Absent: taps are performed like everything else. It is
   * called when nothing else is being performed.
   */
  tapNow?(at: Point, inputSeq: number): InputResult;
  /** One step of a live pointer stream. */
  pointer(phase: PointerPhase, points: readonly Point[], inputSeq: number): Promise<void>;
  /**
   * Hands a URL over to the app that it belongs to, byte for byte; settles when the device has taken it, whatever the app
   * does with it then. `unhandled` when there is no such app; it installs and registers none.
   */
  openUrl(url: string, context: Pick<InputContext, 'inputSeq' | 'signal'>): Promise<OpenedUrl>;
  /** Lifts every pointer, key and button that is held down. */
  releaseAll(): Promise<void>;
  /** The newest picture; the same object as before when nothing changed. */
  capture(): Promise<Picture>;
  /** The display as it is shown, to the pixel. Absent: captures are exact, and serve screenshots as well. */
  screenshot?(): Promise<StillPicture>;
  /**
   * Sees to it that the next capture shows the display as it is now, for screenshots. Absent: captures always do; without
   * it they may be as late as the pictures that come by themselves.
   */
  refresh?(): Promise<void>;
  /** The device's state, for tests. Absent for devices that cannot report it. */
  inspect?(): Promise<Inspection>;
  /**
   * Tells when a capture would give another picture than the one before: once until the next capture. A device that
   * changes by itself (an animation) tells again after each capture.
   */
  onChange(listener: () => void): void;
  onOrientation(listener: (orientation: Orientation) => void): void;
  /** The device is gone and will not come back. */
  onLost(listener: (reason: string) => void): void;
  close(): Promise<void>;
}

/** A view into a device for tests: what a person would read off its screen. */
export interface Inspection {
  readonly screen: 'on' | 'off';
  /** Identifier of what is in front: an app's, `home` or `switcher`. */
  readonly foreground: string;
  readonly orientation: Orientation;
  readonly keyboardShown: boolean;
  readonly volume: number;
  readonly heldKeys: readonly string[];
  readonly heldButtons: readonly Button[];
  readonly modifiers: readonly Modifier[];
  /** Pointers that are down now, in pixels of the picture. */
  readonly pointers: readonly Point[];
  /** The state of the foreground app, under the app's own names. */
  readonly app: Readonly<Record<string, unknown>>;
  readonly renderOptions: readonly string[];
  readonly memoryWarnings: number;
  /** Newest last, at most 200. */
  readonly events: readonly { readonly atMs: number; readonly type: string; readonly detail?: unknown }[];
}

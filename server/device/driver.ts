import type {
  ActionFields,
  Button,
  DeviceCapabilities,
  DisplayRecord,
  MediaType,
  Modifier,
  Orientation,
  Platform,
} from '@runcloud/protocol';
import type { InstallableApp } from './app-package.ts';
import type { DeviceFiles } from './files.ts';
import type { DeviceLogs } from './logs.ts';
import type { DeviceTarget } from './target.ts';
import type { DeviceUi } from './ui.ts';

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

/** A picture of the display, upright in the current `orientation`. */
export interface Picture {
  /** RGBA, row by row, `width * height * 4` bytes. Owned by the device; it changes at the next capture. */
  readonly pixels: Uint8Array;
  readonly width: number;
  readonly height: number;
  readonly orientation: Orientation;
  /** The display that it shows; absent on devices with one. */
  readonly display?: string;
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
  /** Size of the active display in portrait, in pixels. */
  readonly width: number;
  readonly height: number;
  /** Pixels for one point (iOS) or density-independent pixel (Android). */
  readonly scale: number;
  /** `virtual`, `android-emulator`, `android-adb` or `ios-simulator`. */
  readonly driver: string;
  /** Of a device with more than one display: all of them, the main one first. Exactly one is active. */
  readonly displays?: readonly DisplayRecord[];
}

/** A device that the host could offer, before it is known whether it works. */
export interface FoundDevice {
  readonly platform: Platform;
  readonly target: DeviceTarget;
  /** As far as it is known before the device runs. */
  readonly descriptor: DeviceDescriptor;
}

/** The file of a snapshot. */
export interface KeptFile {
  readonly byteSize: number;
  /** SHA-256, 64 hex digits. */
  readonly checksum: string;
  /** The `id` of the `DeviceTarget` that alone can begin with it; absent where any device of the model and driver can. */
  readonly onlyOn?: string;
}

/** A snapshot that a device begins with. */
export interface SnapshotSource {
  readonly name: string;
  /** Of the device that it was. */
  readonly model: string;
  readonly driver: string;
  /** As in `KeptFile`. */
  readonly onlyOn?: string | undefined;
  /** Absolute path on this host. */
  readonly file: string;
  /** SHA-256 of the file, 64 hex digits. */
  readonly checksum: string;
}

/** The answer of a host that has opened a device. */
export interface OpenedDevice {
  readonly orientation: Orientation;
  readonly descriptor: DeviceDescriptor;
  readonly capabilities: DeviceCapabilities;
  /** As in `Device`. */
  readonly outlives: boolean;
}

export interface DeviceOptions {
  readonly platform: Platform;
  /** Which device of the host; a virtual one when absent. */
  readonly target?: DeviceTarget;
  /** Of a virtual device; default: the platform's phone. */
  readonly model?: string;
  readonly orientation?: Orientation;
  /** Installed before the device is usable; gone with it. */
  readonly apps?: readonly InstallableApp[];
  /** Of a device of the same model and driver; `orientation` does not count then. */
  readonly snapshot?: SnapshotSource;
  /** The id of the session that gets it. */
  readonly session?: string;
  /**
   * The session had it before, in a process that was killed, and goes on: the device stays as it is, and `orientation` and `apps` are not
   * acted on. A device that the session does not have any more is refused with a `missing` fault.
   */
  readonly goesOn?: boolean;
}

/** The context of one call to the device. */
export interface InputContext {
  /** The input number: later pictures carry it once the input has arrived. */
  readonly inputSeq: number;
  /**
   * Aborted on cancel and on timeout; the device then lifts pressed fingers and keys and rejects. Created when it is first read,
   * since most inputs end before a cancel is possible.
   */
  readonly signal: AbortSignal;
  /** Called after each step of a gesture with the number of steps done so far. */
  readonly onStep?: (steps: number) => void;
  /** The app that `installApp` installs. */
  readonly app?: InstallableApp;
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
  /** As in `Picture`. */
  readonly display?: string;
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
   * Starts sending packets to the listener, beginning with a key packet; returns a function that stops it. One listener at a time;
   * `ended` is called at most once, and last.
   */
  start(listener: { packet(packet: ScreenPacket): void; ended(reason: string): void }): () => void;
  /** Requests a key packet, which comes soon even if the screen is still. */
  requestKey(): void;
}

/** What the host captures and streams. */
export interface DeviceScreen {
  /** The newest picture; the same object as before if nothing has changed. */
  capture(): Promise<Picture>;
  /**
   * Called once when the display has changed since the last capture. During an animation it is called again after each capture.
   */
  onChange(listener: () => void): void;
}

/** The text in a device's clipboard. All methods reject with `DeviceFault`s. */
export interface DeviceClipboard {
  /** The text that it holds; empty where it holds none. */
  read(signal: AbortSignal): Promise<string>;
  /** Settles when it holds the text. */
  write(text: string, signal: AbortSignal): Promise<void>;
  /** Calls `listener` whenever it holds another text, for any reason. Absent where the device does not tell. */
  onChange?(listener: () => void): void;
}

/** A picture or a video for the photo library. */
export interface MediaFile {
  /** A name that no other has, of letters, digits, `-` and `.` alone, with the extension of its type. */
  readonly name: string;
  readonly mediaType: MediaType;
  /** Absolute path on this host. */
  readonly file: string;
}

/** The photo library of a device. */
export interface DeviceMedia {
  /** Settles when the library has it; tells whether that was seen. Rejects with a `DeviceFault`. */
  add(media: MediaFile, signal: AbortSignal): Promise<{ readonly readBack: boolean }>;
}

/** Its own screen is that of the active display; input goes there too. */
export interface Device extends DeviceScreen {
  readonly descriptor: DeviceDescriptor;
  readonly capabilities: DeviceCapabilities;
  /** It runs on when the process that has it is killed, so that its session can go on in the next one (`DeviceOptions.goesOn`). */
  readonly outlives?: boolean;
  /** The device's own encoder, for H.264 streams of full size; other streams use captures. Absent: all streams use captures. */
  readonly encoded?: EncodedScreen;
  readonly orientation: Orientation;
  /** Performs one validated interaction; settles when the device has taken it, never before. */
  perform(request: ActionFields, context: InputContext): Promise<InputResult>;
  /**
   * Performs a tap synchronously. Absent: taps are performed like other actions. Called only while no other action runs.
   * The bench's goal `tap`, 50 × 64 in flight, falls without it: 38 % fewer taps a second (bench/README.md).
   */
  tapNow?(at: Point, inputSeq: number): InputResult;
  /** A step of a live gesture, in the same way. */
  pointerNow?(phase: PointerPhase, points: readonly Point[], inputSeq: number): void;
  /** One step of a live pointer stream. */
  pointer(phase: PointerPhase, points: readonly Point[], inputSeq: number): Promise<void>;
  /**
   * Opens a URL, unchanged, in the app that handles it; settles when the device has taken it, regardless of the app's reaction.
   * Rejects with `unhandled` if there is no such app; it installs and registers none.
   */
  openUrl(url: string, context: Pick<InputContext, 'inputSeq' | 'signal'>): Promise<OpenedUrl>;
  /** Absent where there is no way to it; `capabilities` says so too. */
  readonly clipboard?: DeviceClipboard | undefined;
  /** Absent where nothing can be added to it; `capabilities` says so too. */
  readonly media?: DeviceMedia | undefined;
  /** Absent where there is no way to them; `capabilities` says so too. */
  readonly files?: DeviceFiles | undefined;
  /** Absent where it cannot be read; `capabilities` says so too. */
  readonly logs?: DeviceLogs | undefined;
  /** Tells what is on the screen. Absent where nothing does; `capabilities` says so too. */
  readonly ui?: DeviceUi;
  /**
   * Keeps its state in a new file, which is on disk and whole when this settles, and otherwise not there. Absent where it cannot be
   * kept; `capabilities` says so too.
   */
  readonly keep?: ((file: string, signal: AbortSignal) => Promise<KeptFile>) | undefined;
  /** Lifts every pointer, key and button that is held down. */
  releaseAll(): Promise<void>;
  /** The screen of the display with this name, active or not. Throws an `unsupported` fault for a name that is none. */
  display?(name: string): DeviceScreen;
  /** A pixel-exact picture of the display. Absent: captures are exact and are also used for screenshots. */
  screenshot?(): Promise<StillPicture>;
  /**
   * Makes the next capture show the current display, for screenshots. Absent: captures always do. Otherwise captures may be as old
   * as the last picture that the device has sent.
   */
  refresh?(): Promise<void>;
  /** The device's state, for tests. Absent for devices that cannot report it. */
  inspect?(): Promise<Inspection>;
  /** Called when another display is active, as `descriptor` then tells. Absent where there never is another. */
  onDisplays?(listener: () => void): void;
  onOrientation(listener: (orientation: Orientation) => void): void;
  /** The device is lost permanently. */
  onLost(listener: (reason: string) => void): void;
  close(): Promise<void>;
}

/** The state of a device for tests: what is visible on its screen. */
export interface Inspection {
  readonly screen: 'on' | 'off';
  /** Identifier of the foreground: an app's, `home` or `switcher`. */
  readonly foreground: string;
  readonly orientation: Orientation;
  /** The active display; absent on devices with one. */
  readonly display?: string;
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

/** The emulator's control service in the driver's words; `emulator-control.proto` has the layout. */

/** Paths of the methods that the driver calls, as HTTP/2 and the tokens for them name them. */
export const METHOD_PATHS: readonly string[] = [
  'getStatus',
  'sendTouch',
  'sendKey',
  'streamInputEvent',
  'getScreenshot',
  'streamScreenshot',
  'setPhysicalModel',
  'setClipboard',
  'getClipboard',
  'streamClipboard',
  'setGps',
  'getGps',
].map((method) => `/android.emulation.control.EmulatorController/${method}`);

/** Values of `KeyboardEvent.codeType`. */
const CODE_EVDEV = 1;

/** Values of `KeyboardEvent.eventType`. */
export const KEY_DOWN = 0;
export const KEY_UP = 1;
export const KEY_PRESS = 2;

/** Value of `Touch.expiration`: without it the emulator lifts a finger by itself after two minutes. */
export const NEVER_EXPIRE = 1;

/** Value of `ImageFormat.format`. */
export const RGBA8888 = 1;

/** Value of `ImageTransport.channel`. */
export const MMAP = 1;

/** Value of `PhysicalModelValue.target`. */
export const PHYSICAL_ROTATION = 1;

/** Pressure of a finger that is down; 0 lifts it. */
export const PRESSED = 0x400;

export interface Touch {
  readonly x: number;
  readonly y: number;
  readonly identifier: number;
  readonly pressure: number;
  readonly expiration?: number;
}

export interface KeyboardEvent {
  readonly codeType?: number;
  readonly eventType: number;
  readonly keyCode?: number;
  readonly key?: string;
  readonly text?: string;
}

/** A key by its code in Linux. */
export const evdevKey = (keyCode: number, eventType: number): KeyboardEvent => ({
  codeType: CODE_EVDEV,
  keyCode,
  eventType,
});

export interface InputEvent {
  readonly touch_event?: { readonly touches: readonly Touch[] };
  readonly key_event?: KeyboardEvent;
}

export interface ImageFormat {
  readonly format: number;
  readonly rotation?: { readonly rotation: number } | null;
  readonly width: number;
  readonly height: number;
  readonly transport?: { readonly channel: number; readonly handle: string } | null;
  /** The display that a folded emulator shows, as it is built; absent while it is unfolded, and of those that do not fold. */
  readonly foldedDisplay?: { readonly width: number; readonly height: number } | null;
}

export interface Image {
  readonly format?: ImageFormat | null;
  readonly image: Buffer;
  readonly seq: number;
  /** When the picture was taken; 0 from emulators that do not tell. */
  readonly timestampUs: number;
}

/** Where the emulator is; what it was set to last, by whomever. */
export interface GpsState {
  /** The window of the emulator may set its own location at any time. */
  readonly passiveUpdate: boolean;
  readonly latitude: number;
  readonly longitude: number;
  /** Metres above the ellipsoid. */
  readonly altitude: number;
  readonly satellites: number;
}

export interface ClipData {
  readonly text: string;
}

export interface EmulatorStatus {
  readonly version: string;
  readonly booted: boolean;
  readonly hardwareConfig?: { readonly entry: readonly { readonly key: string; readonly value: string }[] } | null;
}

import type { Button, Controls, DeviceSettings, FieldsOf, Key, Modifier, ResultOf } from '@runcloud/protocol';
import type { DeviceClipboard, Point, PointerPhase } from '../../device/driver.ts';
import type { PlayedStep } from '../gesture-player.ts';
import type { VideoScreen } from '../video/video-screen.ts';
import type { DisplaySize, QuarterTurns } from './guest/orientation.ts';

/** A picture of the screen, upright. */
export interface Frame extends DisplaySize {
  /** RGBA, row by row from the top; valid until the next one is taken. */
  readonly pixels: Uint8Array;
  readonly turns: QuarterTurns;
}

export interface BackendContext {
  readonly signal: AbortSignal;
  readonly onStep?: (steps: number) => void;
}

/** The clipboard of a device, and a key that pastes from it. */
export interface GuestClipboard extends DeviceClipboard {
  /** Presses the paste key: the focused field takes what the clipboard holds. */
  paste(signal: AbortSignal): Promise<void>;
}

/** What may be asked of the network of a device. */
export interface NetworkSpeed {
  readonly downlinkKbps: number | undefined;
  readonly uplinkKbps: number | undefined;
  readonly networkDelayMs: number | undefined;
}

/** How slow the network of a device is, where that can be set. Rejects with `DeviceFault`s. */
export interface GuestNetwork {
  /**
   * Remembers how it is before the session, which is what it is put back to.
   * @param left what this gave to a session that has not ended properly; none where there was no such session
   * @param goesOn whether that session goes on, so that nothing is put back yet
   * @returns it in words of a trace
   */
  begin(left: readonly string[], goesOn?: boolean): Promise<readonly string[]>;
  /** Sets what is given; the rest stays. */
  limit(speed: NetworkSpeed, signal: AbortSignal): Promise<void>;
  /** What the device tells. */
  told(signal: AbortSignal): Promise<DeviceSettings>;
  /** Puts it back. */
  clear(): Promise<void>;
}

/** Where a device is. All methods reject with `DeviceFault`s. */
export interface GuestLocation {
  /**
   * Remembers where it is before the session, which is what it is put back to.
   * @param left what this gave to a session that has not ended properly; none where there was no such session
   * @param goesOn whether that session goes on, so that nothing is put back yet
   * @returns it in words of a trace
   */
  begin(left: readonly string[], goesOn?: boolean): Promise<readonly string[]>;
  /** Sets it; resolves with what the device tells then. */
  set(location: FieldsOf<'setLocation'>): Promise<ResultOf<'readLocation'>>;
  /** Moves it along a route, until it is set or put back; resolves with what the device tells at its first point. */
  follow(route: FieldsOf<'followRoute'>): Promise<ResultOf<'readLocation'>>;
  /** What the device tells. */
  told(): Promise<ResultOf<'readLocation'>>;
  /** Puts it back; resolves with what the device tells then. */
  clear(): Promise<ResultOf<'readLocation'>>;
}

/**
 * One way to send input to a device. Actions that are missing in its `controls` are never asked of it. All methods
 * reject with `DeviceFault`s.
 */
interface CommonBackend {
  readonly controls: Controls;
  /** The device's orientation, as far as its pictures have shown it. */
  readonly turns: QuarterTurns;
  /** Absent where there is no way to it. A device may still refuse it. */
  readonly clipboard?: GuestClipboard;
  /** Absent where there is no way to set it. */
  readonly location?: GuestLocation;
  /** Of its pictures, as they were seen last. */
  readonly size: DisplaySize;
  /** Checks that input arrives. */
  selfTest(): Promise<void>;
  tap(point: Point, signal: AbortSignal): Promise<void>;
  swipe(from: Point, to: Point, durationMs: number, context: BackendContext): Promise<void>;
  /** A swipe that does not throw what it moves. */
  drag(from: Point, to: Point, durationMs: number, context: BackendContext): Promise<void>;
  /** Plays the steps of a gesture; tells how many were played. */
  play(steps: readonly PlayedStep[], context: BackendContext): Promise<number>;
  pointer(phase: PointerPhase, points: readonly Point[]): Promise<void>;
  type(text: string, signal: AbortSignal): Promise<void>;
  pressKey(key: Key, modifiers: readonly Modifier[], durationMs: number, signal: AbortSignal): Promise<void>;
  pressButton(button: Button, durationMs: number, signal: AbortSignal): Promise<void>;
  rotate(turns: QuarterTurns, signal: AbortSignal): Promise<void>;
  /** Lifts every finger, key and button that is down. */
  releaseAll(): Promise<void>;
  close(): void;
}

/** A backend that reads the screen as frames. */
export interface FrameBackend extends CommonBackend {
  readonly video?: undefined;
  /** The newest picture that came. */
  frame(): Promise<Frame>;
  /** Sees to it that the next frame shows the screen as it is now. */
  refresh(): Promise<void>;
}

/** A backend that reads the screen as a video that the device encodes. */
export interface VideoBackend extends CommonBackend {
  /** Ends with the backend. */
  readonly video: VideoScreen;
  /**
   * A PNG of the screen, to the pixel: the video is not exact.
   * @param display the active one of several
   */
  still(display: string | undefined): Promise<Buffer>;
}

/** Input to a device, and its screen. */
export type InputBackend = FrameBackend | VideoBackend;

/** Events that a backend reports by itself. */
export interface BackendListener {
  /** The screen shows something else now. */
  changed(): void;
  /** Nothing more can be seen or touched. */
  lost(reason: string): void;
}

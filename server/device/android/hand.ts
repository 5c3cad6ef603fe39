import type { Button, Key, Modifier } from '@runcloud/protocol';
import type { DeviceCapabilities } from '../capabilities.ts';
import type { Point, PointerPhase } from '../driver.ts';
import type { PlayedStep } from '../gesture-player.ts';
import type { VideoScreen } from '../video/video-screen.ts';
import type { DisplaySize, QuarterTurns } from './guest/orientation.ts';

/** A picture of the screen, upright. */
export interface Frame extends DisplaySize {
  /** RGBA, row by row from the top; valid until the next one is taken. */
  readonly pixels: Uint8Array;
  readonly turns: QuarterTurns;
}

export interface HandContext {
  readonly signal: AbortSignal;
  readonly onStep?: (steps: number) => void;
}

/**
 * One way to touch a device. What a way cannot do is missing in its `capabilities`, and is never asked of it. All of it
 * rejects with `DeviceFault`s.
 */
interface Touching {
  readonly capabilities: DeviceCapabilities;
  /** How the device is turned, as far as the pictures have shown. */
  readonly turns: QuarterTurns;
  /** Makes sure that input arrives. */
  prove(): Promise<void>;
  tap(point: Point, signal: AbortSignal): Promise<void>;
  swipe(from: Point, to: Point, durationMs: number, context: HandContext): Promise<void>;
  /** A swipe that does not throw what it moves. */
  drag(from: Point, to: Point, durationMs: number, context: HandContext): Promise<void>;
  /** Plays the steps of a gesture; tells how many were played. */
  play(steps: readonly PlayedStep[], context: HandContext): Promise<number>;
  pointer(phase: PointerPhase, points: readonly Point[]): Promise<void>;
  type(text: string, signal: AbortSignal): Promise<void>;
  pressKey(key: Key, modifiers: readonly Modifier[], durationMs: number, signal: AbortSignal): Promise<void>;
  pressButton(button: Button, durationMs: number, signal: AbortSignal): Promise<void>;
  rotate(turns: QuarterTurns, signal: AbortSignal): Promise<void>;
  /** Lifts every finger, key and button that is down. */
  releaseAll(): Promise<void>;
  close(): void;
}

/** A way that sees a device by frames. */
export interface FramedHand extends Touching {
  readonly video?: undefined;
  /** The newest picture that came. */
  frame(): Promise<Frame>;
  /** Sees to it that the next frame shows the screen as it is now. */
  refresh(): Promise<void>;
}

/** A way that sees a device by a video that the device makes of its screen. */
export interface FilmedHand extends Touching {
  /** Ends with the hand. */
  readonly video: VideoScreen;
  /** A PNG of the screen, to the pixel: the video is not exact. */
  still(): Promise<Buffer>;
}

/** One way to touch and to see a device. */
export type Hand = FramedHand | FilmedHand;

/** Events that a backend reports by itself. */
export interface HandListener {
  /** The screen shows something else now. */
  changed(): void;
  /** Nothing more can be seen or touched. */
  lost(reason: string): void;
}

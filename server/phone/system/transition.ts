import type { Rect } from '../../device/driver.ts';
import type { App } from '../apps/app.ts';
import type { Command } from '../draw/command.ts';
import type { Scene } from '../draw/scene.ts';
import type { Environment } from '../environment.ts';
import type { Size } from '../geometry.ts';
import { done, type MotionClock, underWay } from '../glide.ts';

const DURATION_MS = 300;

/** The place and look of a moving app. */
export interface Pose {
  readonly area: Rect;
  /** Radius of the corners, in pixels. */
  readonly radius: number;
  /** From 0 to 1. */
  readonly alpha: number;
}

/** An app in front, or the part of the system that is. */
export type Front = App | 'home' | 'switcher';

/** The motion of an app that comes to the front or leaves it. Only the picture moves: the model has changed already. */
export interface Transition {
  readonly app: App;
  readonly from: Pose;
  readonly to: Pose;
  /** The picture below the app. */
  readonly below: Front;
  /** In animation time. */
  readonly startMs: number;
}

export function isRunning(
  clock: MotionClock,
  transition: Transition | undefined,
  animationMs: number,
): transition is Transition {
  return transition !== undefined && underWay(clock, transition.startMs, DURATION_MS, animationMs);
}

/** The whole picture. */
export const fullPose = ({ state, theme }: Environment): Pose => ({
  area: { x: 0, y: 0, ...state.size },
  radius: theme.px(30),
  alpha: 1,
});

/** Where an app opens from and closes to: its icon on iOS, a slightly smaller picture on Android. */
export function smallPose({ platform, theme, state }: Environment, icon: Rect): Pose {
  const { width, height } = state.size;
  const [x, y] = [Math.round(width * 0.07), Math.round(height * 0.07)];
  const middle = { x, y, width: width - 2 * x, height: height - 2 * y };
  return { area: platform === 'ios' ? icon : middle, radius: theme.px(platform === 'ios' ? 16 : 30), alpha: 0 };
}

export function poseAt(clock: MotionClock, { from, to, startMs }: Transition, animationMs: number): Pose {
  const share = done(clock, startMs, DURATION_MS, animationMs);
  const between = (a: number, b: number) => a + (b - a) * share;
  const pixels = (side: keyof Rect) => Math.round(between(from.area[side], to.area[side]));
  // Whatever fades does so at the small end of its way.
  const faded = between(from.alpha, to.alpha) * 2.5;
  return {
    area: { x: pixels('x'), y: pixels('y'), width: pixels('width'), height: pixels('height') },
    radius: Math.round(between(from.radius, to.radius)),
    alpha: Math.min(1, faded),
  };
}

/** Draws the moving app above the picture below it. */
export function paintTransition(scene: Scene, size: Size, pose: Pose, commands: readonly Command[]): void {
  const { area, alpha } = pose;
  const radius = Math.min(pose.radius, Math.floor(Math.min(area.width, area.height) / 2));
  scene.layer({ commands, width: size.width, height: size.height, radius }, area, alpha);
}

import type { Rect } from '../../device/driver.ts';
import type { App } from '../apps/app.ts';
import type { Command } from '../draw/command.ts';
import type { Scene } from '../draw/scene.ts';
import type { Environment } from '../environment.ts';
import type { Layout } from './layout.ts';

const DURATION_MS = 200;

/** The animation of an app that opens from its icon or closes. Only the picture moves: the model has changed already. */
export interface Transition {
  readonly kind: 'open' | 'close';
  readonly app: App;
  /** The icon or card at the small end. */
  readonly anchor: Rect;
  /** In animation time. */
  readonly startMs: number;
}

export function isRunning(transition: Transition | undefined, animationMs: number): transition is Transition {
  return transition !== undefined && animationMs - transition.startMs < DURATION_MS;
}

/** Draws the moving app above the background. */
export function paintTransition(
  scene: Scene,
  { theme, platform }: Environment,
  { picture }: Layout,
  transition: Transition,
  commands: readonly Command[],
  animationMs: number,
): void {
  const way = Math.max(0, (animationMs - transition.startMs) / DURATION_MS);
  const eased = 1 - (1 - way) ** 3;
  // 0 is small and invisible, 1 fills the screen.
  const size = transition.kind === 'open' ? eased : 1 - eased;
  const from = platform === 'ios' ? transition.anchor : smaller(picture);
  const between = (a: number, b: number) => Math.round(a + (b - a) * size);
  const area = {
    x: between(from.x, 0),
    y: between(from.y, 0),
    width: between(from.width, picture.width),
    height: between(from.height, picture.height),
  };
  const radius = Math.min(theme.px(30), Math.floor(Math.min(area.width, area.height) / 2));
  const alpha = Math.min(1, size * (platform === 'ios' ? 2.5 : 1.5));
  const layer = { commands, width: picture.width, height: picture.height, radius };
  scene.layer(layer, area, alpha);
}

/** Android's apps open from, and close to, a slightly smaller area in the middle. */
function smaller({ width, height }: Rect): Rect {
  const x = Math.round(width * 0.07);
  const y = Math.round(height * 0.07);
  return { x, y, width: width - 2 * x, height: height - 2 * y };
}

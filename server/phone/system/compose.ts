import type { UiNode } from '@runcloud/protocol';
import type { App } from '../apps/app.ts';
import { type Colour, colour } from '../draw/colour.ts';
import { NodeTree } from '../draw/node-tree.ts';
import { Scene } from '../draw/scene.ts';
import type { Frame } from '../draw/screen.ts';
import { SETTLED } from '../glide.ts';
import { paintNavigationBar, paintStatusBar } from './bars.ts';
import { paintPanel } from './panels.ts';
import { renderDebug } from './render-debug.ts';
import { isShade } from './shade.ts';
import type { Shell } from './shell.ts';
import type { TouchRouter } from './touch-router.ts';
import { type Front, type Pose, paintTransition, poseAt, type Transition } from './transition.ts';

const BLACK = colour(0x000000);
const WHITE = colour(0xffffff);
const DARK = colour(0x1a1a1f);

/** Composes the whole picture of the phone at this moment, from the wallpaper up to the markers of Touch Lab. */
export function compose(shell: Shell, router: TouchRouter): Frame {
  const { state, environment, rotation } = shell;
  const nowMs = environment.animationMs();
  const upright = composeUpright(shell, router);
  if (!state.screenOn) return upright;
  const frame = rotation.turned(upright, nowMs);
  const markers = new Scene(frame.width, frame.height, renderDebug(state.renderOptions));
  if (!state.locked) shell.front?.paintOverlay?.(markers);
  return markers.commands.length === 0 ? frame : { ...frame, commands: [...frame.commands, ...markers.commands] };
}

/** The same as if the phone had not just been turned, without the markers. */
export function composeUpright(shell: Shell, router: TouchRouter): Frame {
  const { state, environment } = shell;
  const { size, orientation, display } = state;
  if (!state.screenOn) return dark({ ...size, orientation, display });
  const { width, height } = size;
  const scene = new Scene(width, height, renderDebug(state.renderOptions));
  paintUpright(scene, shell, router, environment.animationMs());
  return { commands: scene.commands, width, height, orientation, display };
}

/**
 * What the picture means: a touch counts at once where a motion of the system ends, so that the nodes are there already.
 * The screen that is off has none.
 */
export function describe(shell: Shell, router: TouchRouter): readonly UiNode[] {
  const { size, screenOn } = shell.state;
  const tree = new NodeTree();
  if (screenOn) paintUpright(new Scene(size.width, size.height, undefined, tree), shell, router, SETTLED);
  return tree.nodes(size);
}

function paintUpright(scene: Scene, shell: Shell, router: TouchRouter, nowMs: number): void {
  const { layout, environment, state } = shell;
  if (!shell.lock.covers(nowMs)) paintOpen(scene, shell, router, nowMs);
  shell.lock.paint(scene, layout, nowMs);
  if (state.overlay && !isShade(state.overlay)) paintPanel(scene, state.overlay, environment, layout);
  shell.banner.paint(scene, layout, nowMs);
  shell.alerts.paint(scene, layout);
  shell.hud.paint(scene, layout, nowMs);
  shell.lock.paintDarkness(scene, layout, nowMs);
}

/** Whatever the lock screen would cover. */
function paintOpen(scene: Scene, shell: Shell, router: TouchRouter, nowMs: number): void {
  const { size } = shell.state;
  const moving = movingAt(shell, nowMs);
  paintFront(scene, shell, moving?.transition.below ?? shell.showing, nowMs, moving?.transition.app);
  if (moving) paintTransition(scene, size, moving.pose, shell.painter.paintApp(moving.transition.app, nowMs));
  paintBars(scene, shell, router, moving, nowMs);
  shell.shade.paint(scene, shell.layout, nowMs);
}

/** The picture of a display that is off. */
export function dark(frame: Omit<Frame, 'commands'>): Frame {
  const { width, height } = frame;
  const scene = new Scene(width, height);
  scene.rect({ x: 0, y: 0, width, height }, BLACK);
  return { ...frame, commands: scene.commands };
}

interface Moving {
  readonly transition: Transition;
  readonly pose: Pose;
}

function movingAt(shell: Shell, nowMs: number): Moving | undefined {
  const transition = shell.transition(nowMs);
  return transition && { transition, pose: poseAt(shell.environment, transition, nowMs) };
}

function paintFront(scene: Scene, shell: Shell, front: Front, nowMs: number, moving: App | undefined): void {
  if (front !== 'home' && front !== 'switcher') return shell.painter.paintAppInto(scene, front, nowMs);
  const { switcher } = shell;
  if (front === 'switcher' || switcher.isMoving(nowMs)) switcher.paint(scene, shell.layout, nowMs, moving);
  else {
    shell.home.paint(scene, shell.layout, nowMs);
    shell.search.paint(scene, shell.layout, nowMs);
  }
  shell.painter.paintKeyboard(scene, front, nowMs);
}

/** The bars take the ink that can be read over whatever is below them at this moment. */
function paintBars(scene: Scene, shell: Shell, router: TouchRouter, moving: Moving | undefined, nowMs: number): void {
  const { environment, layout } = shell;
  const { statusBar, navigationBar } = layout;
  const above = frontAt(shell, moving, Math.round(statusBar.height / 2));
  if (hasBars(above) && !shell.shade.hasStatusBar(nowMs)) paintStatusBar(scene, environment, layout, inkOver(above));
  const y = navigationBar.y + Math.round(navigationBar.height / 2);
  const below = frontAt(shell, moving, y);
  if (!hasBars(below)) return;
  const owner = typeof below === 'string' ? below : below.id;
  const keyboardInk = environment.theme.appearance === 'dark' ? WHITE : DARK;
  const ink = shell.painter.keyboardTop(owner, nowMs) < y ? keyboardInk : inkOver(below);
  paintNavigationBar(scene, environment, navigationBar, ink, router.pressedButton);
}

/** The app or the part of the system that is seen in a row of the picture, behind the symbols of the bars. */
function frontAt(shell: Shell, moving: Moving | undefined, y: number): Front {
  if (!moving) return shell.showing;
  const { area, alpha } = moving.pose;
  const isCovered = alpha > 0.5 && area.y <= y && area.y + area.height > y;
  return isCovered ? moving.transition.app : moving.transition.below;
}

const hasBars = (front: Front): boolean => typeof front === 'string' || !front.immersive;

function inkOver(front: Front): Colour {
  return typeof front !== 'string' && isLight(front.background) ? DARK : WHITE;
}

/** True if dark symbols are more readable than light ones on a background. */
function isLight(background: number): boolean {
  const red = background & 0xff;
  const green = (background >>> 8) & 0xff;
  const blue = (background >>> 16) & 0xff;
  return red * 0.3 + green * 0.59 + blue * 0.11 > 140;
}

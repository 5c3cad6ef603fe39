import { colour } from '../draw/colour.ts';
import { Scene } from '../draw/scene.ts';
import type { Frame } from '../draw/screen.ts';
import { paintNavigationBar, paintStatusBar } from './bars.ts';
import { paintPanel } from './panels.ts';
import { renderDebug } from './render-debug.ts';
import type { Shell } from './shell.ts';
import type { TouchRouter } from './touch-router.ts';
import { isRunning, paintTransition } from './transition.ts';

const BLACK = colour(0x000000);
const WHITE = colour(0xffffff);
const DARK = colour(0x1a1a1f);

/** Composes the whole picture of the phone at this moment, from the wallpaper up to the markers of Touch Lab. */
export function compose(shell: Shell, router: TouchRouter): Frame {
  const { state, environment } = shell;
  const { size, orientation, display } = state;
  if (!state.screenOn) return dark({ ...size, orientation, display });
  const { width, height } = size;
  const scene = new Scene(width, height, renderDebug(state.renderOptions));
  const frame = { commands: scene.commands, width, height, orientation, display };
  const nowMs = environment.animationMs();
  const layout = shell.layout;
  const moving = isRunning(shell.transition, nowMs) ? shell.transition : undefined;
  paintBase(scene, shell, nowMs, moving !== undefined);
  if (moving) {
    paintTransition(scene, environment, layout, moving, shell.paintApp(moving.app, nowMs), nowMs);
  }
  const { front } = shell;
  if (!front?.immersive) {
    const ink = front && isLight(front.background) ? DARK : WHITE;
    paintStatusBar(scene, environment, layout, ink);
    if (layout.keyboard) shell.keyboard.paint(scene, layout.keyboard, layout.navigationBar.height);
    const barInk = layout.keyboard ? DARK : ink;
    paintNavigationBar(scene, environment, layout.navigationBar, barInk, router.pressedButton);
  } else if (layout.keyboard) {
    shell.keyboard.paint(scene, layout.keyboard, layout.navigationBar.height);
  }
  if (state.overlay) paintPanel(scene, state.overlay, environment, layout);
  shell.urlPrompt.paint(scene, layout);
  shell.hud.paint(scene, layout, nowMs);
  front?.paintOverlay?.(scene);
  return frame;
}

/** The picture of a display that is off. */
export function dark(frame: Omit<Frame, 'commands'>): Frame {
  const { width, height } = frame;
  const scene = new Scene(width, height);
  scene.rect({ x: 0, y: 0, width, height }, BLACK);
  return { ...frame, commands: scene.commands };
}

function paintBase(scene: Scene, shell: Shell, nowMs: number, moving: boolean): void {
  const { front } = shell;
  if (shell.state.foreground === 'switcher') shell.switcher.paint(scene, shell.layout);
  else if (front && !moving) shell.paintAppInto(scene, front, nowMs);
  else shell.home.paint(scene, shell.layout);
}

/** True if dark symbols are more readable than light ones on a background. */
function isLight(background: number): boolean {
  const red = background & 0xff;
  const green = (background >>> 8) & 0xff;
  const blue = (background >>> 16) & 0xff;
  return red * 0.3 + green * 0.59 + blue * 0.11 > 140;
}

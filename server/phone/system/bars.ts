import type { Rect } from '../../device/driver.ts';
import { symbol } from '../art/symbols.ts';
import type { Colour } from '../draw/colour.ts';
import { TAP } from '../draw/node-tree.ts';
import type { Scene } from '../draw/scene.ts';
import { clockText, type Environment } from '../environment.ts';
import { centre, contains, type Pixel } from '../geometry.ts';
import { isLimited, limitsText } from '../network.ts';
import type { Layout } from './layout.ts';

export function paintStatusBar(scene: Scene, environment: Environment, layout: Layout, ink: Colour): void {
  const { platform } = environment;
  const time = clockText(environment.wallMs(), platform);
  scene.node({ role: 'other', name: 'Status bar', id: 'system.statusBar', system: true }, layout.statusBar, () => {
    if (platform === 'android') paintAndroidStatus(scene, environment, layout.statusBar, time, ink);
    else paintIosStatus(scene, environment, layout, time, ink);
  });
}

/** Of the clock, which changes by itself. */
export const CLOCK = { id: 'system.clock', system: true } as const;

function paintIosStatus(scene: Scene, environment: Environment, layout: Layout, time: string, ink: Colour): void {
  const { theme } = environment;
  const area = layout.statusBar;
  const { px, fonts } = theme;
  const margin = layout.turned ? px(28) : px(34);
  const baseline = layout.turned ? px(19) : px(34);
  const middle = baseline - px(5.5);
  scene.label(time, margin, baseline, fonts.status, ink, 'left', CLOCK);
  const right = area.width - margin;
  paintBattery(scene, { x: right - px(26), y: middle - px(6), width: px(24), height: px(12) }, ink, px(1));
  if (environment.state.network === 'offline')
    return paintAirplane(scene, { x: right - px(40), y: middle }, px(17), ink);
  if (isLimited(environment.state.networkLimits))
    return paintSlow(scene, environment, { x: right - px(32), y: baseline }, ink);
  scene.symbol(symbol('wifi', px(17)), { x: right - px(40), y: middle }, ink);
  scene.symbol(symbol('bars', px(18)), { x: right - px(62), y: middle }, ink);
}

function paintBattery(scene: Scene, area: Rect, ink: Colour, unit: number): void {
  const faint = ((ink & 0xffffff) | (0x66 << 24)) >>> 0;
  scene.round(area, unit * 4, faint);
  scene.round({ ...area, width: Math.round(area.width * 0.82) }, unit * 4, ink);
  const knob = { x: area.x + area.width + unit, y: area.y + Math.round(area.height / 2) - unit * 2, width: unit * 2 };
  scene.round({ ...knob, height: unit * 4 }, unit, faint);
}

function paintAndroidStatus(scene: Scene, environment: Environment, area: Rect, time: string, ink: Colour): void {
  const { theme, state } = environment;
  const { px, fonts } = theme;
  const middle = Math.round(area.height / 2) + px(1);
  scene.label(time, px(20), middle + px(4.5), fonts.status, ink, 'left', CLOCK);
  const right = area.width - px(26);
  scene.symbol(symbol('batterySolid', px(15)), { x: right, y: middle }, ink);
  if (state.network === 'offline') return paintAirplane(scene, { x: right - px(18), y: middle }, px(15), ink);
  if (isLimited(state.networkLimits))
    return paintSlow(scene, environment, { x: right - px(12), y: middle + px(4.5) }, ink);
  scene.symbol(symbol('signalSolid', px(14)), { x: right - px(18), y: middle }, ink);
  scene.symbol(symbol('wifiSolid', px(15)), { x: right - px(37), y: middle }, ink);
}

/** In place of the strengths of the networks: they are slower than these would say. */
function paintSlow(scene: Scene, { theme, state }: Environment, { x, y }: Pixel, ink: Colour): void {
  const facts = { role: 'image', name: 'Slow network', value: limitsText(state.networkLimits) } as const;
  scene.label('Slow', x, y, theme.fonts.status, ink, 'right', { ...facts, id: 'system.slow', system: true });
}

/** In place of the strengths of the networks: there is none. */
function paintAirplane(scene: Scene, at: Pixel, size: number, ink: Colour): void {
  const area = { x: Math.round(at.x - size / 2), y: Math.round(at.y - size / 2), width: size, height: size };
  scene.node({ role: 'image', name: 'No network', id: 'system.offline', system: true }, area, () => {
    scene.symbol(symbol('airplane', size), at, ink);
  });
}

export type NavigationButton = 'back' | 'home' | 'recents';

const ORDER: readonly NavigationButton[] = ['back', 'home', 'recents'];
const SYMBOLS = { back: 'navBack', home: 'navHome', recents: 'navRecents' } as const;
const NAMES = { back: 'Back', home: 'Home', recents: 'Overview' } as const;

/** Areas of Android's three buttons, from left to right, each as high as the bar. */
export function navigationButtons(area: Rect): readonly { readonly button: NavigationButton; readonly area: Rect }[] {
  const width = Math.floor(Math.min(area.width, area.height * 12) / 3);
  const left = Math.round((area.width - width * 3) / 2);
  return ORDER.map((button, index) => ({ button, area: { ...area, x: left + index * width, width } }));
}

export function navigationButtonAt(area: Rect, at: Pixel): NavigationButton | undefined {
  return navigationButtons(area).find((button) => contains(button.area, at))?.button;
}

/** The home indicator of iOS or the buttons of Android. */
export function paintNavigationBar(
  scene: Scene,
  { theme, platform }: Environment,
  area: Rect,
  ink: Colour,
  pressed: NavigationButton | undefined,
): void {
  const { px } = theme;
  if (platform === 'ios') {
    const width = Math.min(px(136), Math.round(area.width * 0.36));
    const bar = { x: Math.round((area.width - width) / 2), y: area.y + area.height - px(13), width, height: px(5) };
    const facts = { role: 'other', name: 'Home indicator', id: 'system.homeIndicator', system: true } as const;
    return scene.node({ ...facts, covers: true }, area, () => scene.round(bar, px(3), ink));
  }
  const facts = { role: 'other', name: 'Navigation bar', id: 'system.navigationBar', system: true } as const;
  scene.node({ ...facts, covers: true }, area, () => {
    for (const { button, area: part } of navigationButtons(area)) {
      const id = `system.${button}`;
      scene.node({ role: 'button', name: NAMES[button], id, system: true, actions: TAP }, part, () => {
        if (button === pressed)
          scene.circle(centre(part), Math.round(area.height * 0.42), ((ink & 0xffffff) | (0x30 << 24)) >>> 0);
        scene.symbol(symbol(SYMBOLS[button], px(20)), centre(part), ink);
      });
    }
  });
}

import type { Rect } from '../../device/driver.ts';
import { type SymbolName, symbol } from '../art/symbols.ts';
import { colour } from '../draw/colour.ts';
import { TAP } from '../draw/node-tree.ts';
import type { Scene } from '../draw/scene.ts';
import type { Environment, PanelName } from '../environment.ts';
import { contains, type Pixel } from '../geometry.ts';
import type { Layout } from './layout.ts';

export type PanelAction = 'powerOff' | 'restart' | 'reload' | 'appInfo';

/** An entry that can be tapped. A tap anywhere else closes the panel. */
interface MenuEntry {
  readonly action: PanelAction;
  readonly name: string;
  readonly icon: SymbolName;
  readonly area: Rect;
}

const DIM = colour(0x000000, 0.5);
const DARK = colour(0x000000, 0.72);

function entries(
  overlay: PanelName,
  { theme, platform }: Environment,
  { picture, navigationBar }: Layout,
): MenuEntry[] {
  const { px } = theme;
  if (overlay === 'powerMenu' && platform === 'android') {
    const names = [
      { action: 'powerOff', name: 'Power off', icon: 'power' },
      { action: 'restart', name: 'Restart', icon: 'reload' },
    ] as const;
    const size = px(92);
    const x = picture.width - px(20) - size;
    return names.map((entry, index) => ({
      ...entry,
      area: { x, y: px(60) + index * (size + px(12)), width: size, height: size },
    }));
  }
  if (overlay !== 'menu') return [];
  const names = [
    { action: 'reload', name: 'Reload', icon: 'reload' },
    { action: 'appInfo', name: 'App info', icon: 'info' },
  ] as const;
  const width = px(220);
  const height = px(54);
  const x = picture.width - px(16) - width;
  const top = navigationBar.y - px(20) - height * names.length;
  return names.map((entry, index) => ({ ...entry, area: { x, y: top + index * height, width, height } }));
}

/** The action of a tap on an open panel; `undefined` closes the panel. */
export function panelActionAt(
  overlay: PanelName,
  environment: Environment,
  layout: Layout,
  at: Pixel,
): PanelAction | undefined {
  return entries(overlay, environment, layout).find(({ area }) => contains(area, at))?.action;
}

export function paintPanel(scene: Scene, overlay: PanelName, environment: Environment, layout: Layout): void {
  const facts = { role: 'sheet', name: NAMES[overlay], id: `system.${overlay}`, modal: true } as const;
  scene.node(facts, layout.picture, () => {
    scene.rect(layout.picture, overlay === 'powerMenu' ? DARK : DIM);
    if (overlay === 'assistant') return paintAssistant(scene, environment, layout);
    if (overlay === 'menu') return paintMenu(scene, environment, layout);
    if (environment.platform === 'ios') paintSlider(scene, environment, layout);
    else paintPowerButtons(scene, environment, layout);
  });
}

const NAMES: Readonly<Record<PanelName, string>> = { powerMenu: 'Power menu', assistant: 'Assistant', menu: 'Menu' };

/** An entry as a node. */
const factsOf = ({ action, name }: MenuEntry) =>
  ({ role: 'button', name, id: `system.${action}`, actions: TAP }) as const;

function paintSlider(scene: Scene, { theme }: Environment, { picture }: Layout): void {
  const { px, fonts, palette } = theme;
  const width = px(280);
  const area = {
    x: Math.round((picture.width - width) / 2),
    y: Math.round(picture.height * 0.16),
    width,
    height: px(66),
  };
  scene.node({ role: 'slider', name: 'slide to power off', id: 'system.powerOff' }, area, () => {
    scene.round(area, px(33), colour(0xffffff, 0.24));
    scene.circle({ x: area.x + px(33), y: area.y + px(33) }, px(28), palette.onAccent);
    scene.symbol(symbol('power', px(26)), { x: area.x + px(33), y: area.y + px(33) }, colour(0xff3b30));
    scene.text('slide to power off', area.x + px(76), area.y + px(39), fonts.body, palette.onAccent);
  });
  const middle = { x: Math.round(picture.width / 2), y: picture.height - px(90) };
  const cancel = { x: middle.x - px(30), y: middle.y - px(30), width: px(60), height: px(90) };
  scene.node({ role: 'button', name: 'Cancel', id: 'system.cancel', actions: TAP }, cancel, () => {
    scene.circle(middle, px(30), colour(0xffffff, 0.24));
    scene.symbol(symbol('close', px(24)), middle, palette.onAccent);
    scene.text('Cancel', middle.x, middle.y + px(52), fonts.label, palette.onAccent, 'centre');
  });
}

function paintPowerButtons(scene: Scene, environment: Environment, layout: Layout): void {
  const { px, fonts, palette } = environment.theme;
  for (const entry of entries('powerMenu', environment, layout)) {
    const { area, icon, name } = entry;
    const middle = { x: area.x + Math.round(area.width / 2), y: area.y + px(36) };
    scene.node(factsOf(entry), area, () => {
      scene.round(area, px(28), palette.card);
      scene.symbol(symbol(icon, px(28)), middle, palette.accent);
      scene.text(name, area.x + area.width / 2, area.y + px(74), fonts.small, palette.text, 'centre');
    });
  }
}

function paintMenu(scene: Scene, environment: Environment, layout: Layout): void {
  const { px, fonts, palette } = environment.theme;
  const all = entries('menu', environment, layout);
  const first = all[0];
  if (!first) return;
  const card = { ...first.area, y: first.area.y - px(8), height: first.area.height * all.length + px(16) };
  scene.shadow(card, px(16), px(6), palette.shadow);
  scene.round(card, px(18), palette.card);
  for (const entry of all) {
    const { area, icon, name } = entry;
    const middle = area.y + Math.round(area.height / 2);
    scene.node(factsOf(entry), area, () => {
      scene.symbol(symbol(icon, px(22)), { x: area.x + px(30), y: middle }, palette.accent);
      scene.text(name, area.x + px(56), middle + px(5.5), fonts.body, palette.text);
    });
  }
}

const ORB = [0xff5fa2, 0x8a6bff, 0x4cc4ff].map((hue) => colour(hue, 0.55));

function paintAssistant(scene: Scene, { theme, platform }: Environment, { picture, navigationBar }: Layout): void {
  const { px, fonts, palette } = theme;
  const width = Math.min(picture.width - px(32), px(420));
  const height = px(176);
  const x = Math.round((picture.width - width) / 2);
  const card = { x, y: navigationBar.y - px(14) - height, width, height };
  scene.shadow(card, px(20), px(8), colour(0x000000, 0.3));
  scene.round(card, px(platform === 'ios' ? 34 : 28), palette.card);
  const middle = Math.round(picture.width / 2);
  const y = card.y + px(52);
  ORB.forEach((hue, index) => {
    scene.circle({ x: middle + (index - 1) * px(11), y: y + (index % 2) * px(8) }, px(22), hue);
  });
  scene.symbol(symbol('sparkle', px(26)), { x: middle, y: y + px(3) }, palette.onAccent);
  scene.label('Assistant', middle, card.y + px(118), fonts.heading, palette.text, 'centre', { role: 'heading' });
  scene.label('What can I do for you?', middle, card.y + px(144), fonts.caption, palette.secondary, 'centre');
}

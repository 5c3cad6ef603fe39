import type { RenderOption } from '@runcloud/protocol';
import type { Rect } from '../../device/driver.ts';
import { colour } from '../draw/colour.ts';
import { type NodeFacts, SCROLL, TAP } from '../draw/node-tree.ts';
import type { Scene } from '../draw/scene.ts';
import type { Size } from '../geometry.ts';
import { fit } from '../text/fit.ts';
import type { Theme } from '../theme.ts';

/** What a switch turns on and off. */
export type Switch = RenderOption | 'folded' | 'darkMode' | 'animations';
/** What a tap on a row does. */
export type RowOption = Switch | 'biometric';

export interface Row {
  readonly name: string;
  /** Text, or the state of a switch. */
  readonly value: string | boolean;
  readonly option?: RowOption;
}

export interface Section {
  readonly title: string;
  readonly rows: readonly Row[];
}

export interface SettingsLayout {
  readonly contentHeight: number;
  readonly titles: readonly { readonly text: string; readonly baseline: number }[];
  readonly cards: readonly Rect[];
  readonly rows: readonly { readonly row: Row; readonly area: Rect; readonly last: boolean }[];
}

/** Places everything from the top of the content, which may be longer than the screen. */
export function layoutSettings(sections: readonly Section[], size: Size, { px }: Theme): SettingsLayout {
  const margin = px(16);
  const width = Math.min(size.width - 2 * margin, px(640));
  const x = Math.round((size.width - width) / 2);
  const rowHeight = px(48);
  const titles = [];
  const cards = [];
  const rows = [];
  let y = px(68);
  for (const section of sections) {
    titles.push({ text: section.title, baseline: y + px(22) });
    y += px(32);
    cards.push({ x, y, width, height: rowHeight * section.rows.length });
    for (const [index, row] of section.rows.entries()) {
      rows.push({ row, area: { x, y, width, height: rowHeight }, last: index === section.rows.length - 1 });
      y += rowHeight;
    }
    y += px(18);
  }
  return { contentHeight: y + px(20), titles, cards, rows };
}

export function paintSettings(scene: Scene, size: Size, theme: Theme, layout: SettingsLayout, offset: number): void {
  const list = { x: 0, y: 0, ...size };
  scene.node({ role: 'list', name: 'Settings', id: 'settings.list', actions: SCROLL }, list, () => {
    scene.within(list, () => paintList(scene, theme, layout, offset));
  });
}

function paintList(scene: Scene, theme: Theme, layout: SettingsLayout, offset: number): void {
  const { palette, fonts, px } = theme;
  const x = layout.cards[0]?.x ?? 0;
  const heading = { role: 'heading' } as const;
  scene.label('Settings', x + px(4), px(48) - offset, fonts.title, palette.text, 'left', heading);
  for (const [index, card] of layout.cards.entries()) {
    const title = layout.titles[index];
    const ink = theme.platform === 'ios' ? palette.secondary : palette.accent;
    if (title) scene.label(title.text, x + px(14), title.baseline - offset, fonts.label, ink, 'left', heading);
    scene.round({ ...card, y: card.y - offset }, theme.cardRadius, palette.card);
    for (const each of layout.rows) if (isWithin(each.area, card)) paintRow(scene, theme, each, offset);
  }
}

const isWithin = (row: Rect, card: Rect): boolean => row.y >= card.y && row.y < card.y + card.height;

function paintRow(
  scene: Scene,
  theme: Theme,
  { row, area, last }: SettingsLayout['rows'][number],
  offset: number,
): void {
  const { palette, fonts, px } = theme;
  const y = area.y - offset;
  scene.node(factsOf(row), { ...area, y }, () => {
    const baseline = y + Math.round(area.height / 2) + px(5.5);
    const right = area.x + area.width - px(16);
    scene.text(row.name, area.x + px(16), baseline, fonts.body, palette.text);
    if (typeof row.value === 'boolean') {
      paintSwitch(scene, theme, { x: right, y: y + area.height / 2 }, row.value);
    } else {
      const value = fit(row.value, fonts.body, area.width - px(48) - fonts.body.width(row.name));
      scene.text(value, right, baseline, fonts.body, palette.secondary, 'right');
    }
  });
  if (last) return;
  const line = { x: area.x + px(16), y: y + area.height - 1, width: area.width - px(16), height: 1 };
  scene.rect(line, palette.separator);
}

/** A row as a node. */
const factsOf = ({ name, value, option }: Row): NodeFacts =>
  typeof value === 'boolean'
    ? { role: 'switch', name, checked: value, id: `settings.${option}`, actions: TAP }
    : option
      ? { role: 'button', name, value, id: `settings.${option}`, actions: TAP }
      : { role: 'cell', name, value, id: `settings.${name}` };

/** A switch whose right end is at `end`. */
function paintSwitch(scene: Scene, { px, palette }: Theme, end: { x: number; y: number }, on: boolean): void {
  const width = px(50);
  const height = px(30);
  const y = Math.round(end.y - height / 2);
  scene.round({ x: end.x - width, y, width, height }, px(15), on ? colour(0x34c759) : palette.pressed);
  const radius = px(13);
  const x = on ? end.x - px(2) - radius : end.x - width + px(2) + radius;
  scene.circle({ x, y: y + Math.round(height / 2) }, radius, palette.onAccent);
}

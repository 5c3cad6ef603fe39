import type { Button, Modifier } from '@runcloud/protocol';
import { colour } from '../draw/colour.ts';
import type { Scene } from '../draw/scene.ts';
import type { Pixel, Size } from '../geometry.ts';
import { fit, fitEnd } from '../text/fit.ts';
import { graphemeAt } from '../text/graphemes.ts';
import type { Theme } from '../theme.ts';
import type { Gesture, GestureKind } from './gesture.ts';

export const LAB_BACKGROUND = colour(0x10131c);

/** The end of the typed text that can be in sight. */
const SHOWN_UNITS = 120;

const GRID = colour(0xffffff, 0.05);
const TILE = colour(0x1c2130);
const NAME = colour(0x8e97ad);
const VALUE = colour(0xf4f6fb);

const KINDS: Readonly<Record<GestureKind, string>> = {
  tap: 'Tap',
  longPress: 'Long press',
  swipe: 'Swipe',
  drag: 'Drag',
  pinch: 'Pinch',
  twoFinger: 'Two fingers',
};

export interface HeldKey {
  readonly key: string;
  readonly modifiers: readonly Modifier[];
  /** `undefined` while the key is down. */
  readonly heldMs: number | undefined;
}

export interface HeldButton {
  readonly button: Button;
  readonly heldMs: number;
}

/** The state that the screen of Touch Lab shows. */
export interface LabReadings {
  readonly lastTouch: Pixel | undefined;
  readonly pointerCount: number;
  readonly taps: number;
  readonly gesture: Gesture | undefined;
  readonly key: HeldKey | undefined;
  readonly button: HeldButton | undefined;
  readonly text: string;
}

const NOTHING = '–';

export function paintLab(scene: Scene, size: Size, theme: Theme, readings: LabReadings): void {
  const { px, fonts } = theme;
  scene.rect({ x: 0, y: 0, ...size }, LAB_BACKGROUND);
  paintGrid(scene, size, px(32));
  const margin = px(20);
  const turned = size.width > size.height;
  const top = turned ? px(24) : px(64);
  scene.label('Touch Lab', margin, top + px(30), fonts.title, VALUE, 'left', { role: 'heading' });
  scene.label('Every pixel of this screen is yours', margin, top + px(54), fonts.caption, NAME);
  const columns = turned ? 4 : 2;
  const gap = px(10);
  const width = Math.floor((size.width - 2 * margin - gap * (columns - 1)) / columns);
  const height = px(66);
  const first = top + px(74);
  tiles(readings, size).forEach(([name, value], index) => {
    const x = margin + (index % columns) * (width + gap);
    const y = first + Math.floor(index / columns) * (height + gap);
    paintTile(scene, theme, { x, y, width, height }, name, value, false);
  });
  const y = first + (8 / columns) * (height + gap);
  const end = readings.text.slice(graphemeAt(readings.text, readings.text.length - SHOWN_UNITS));
  const text = end.replaceAll(/\s/g, ' ') || NOTHING;
  paintTile(scene, theme, { x: margin, y, width: size.width - 2 * margin, height }, 'Typed text', text, true);
}

/** The names and values of the eight tiles. */
function tiles(readings: LabReadings, size: Size): readonly (readonly [string, string])[] {
  const { lastTouch, gesture, key, button } = readings;
  return [
    ['Position', lastTouch ? `${lastTouch.x}, ${lastTouch.y}` : NOTHING],
    ['Normalised', lastTouch ? `${ratio(lastTouch.x, size.width)}, ${ratio(lastTouch.y, size.height)}` : NOTHING],
    ['Pointers down', String(readings.pointerCount)],
    ['Taps', String(readings.taps)],
    ['Last gesture', gesture ? KINDS[gesture.kind] : NOTHING],
    ['Its duration', gesture ? `${gesture.durationMs} ms` : NOTHING],
    [key ? held('Key', key.heldMs) : 'Key', key ? [...key.modifiers, key.key].join(' + ') : NOTHING],
    [button ? held('Button', button.heldMs) : 'Button', button?.button ?? NOTHING],
  ];
}

function ratio(value: number, size: number): string {
  return (value / size).toFixed(3);
}

/** The time of the hold stands beside the name: in the value, several modifiers could push it out of sight. */
function held(name: string, heldMs: number | undefined): string {
  return heldMs === undefined ? `${name}, down` : `${name}, held ${heldMs} ms`;
}

function paintGrid(scene: Scene, size: Size, step: number): void {
  for (let x = step; x < size.width; x += step) scene.rect({ x, y: 0, width: 1, height: size.height }, GRID);
  for (let y = step; y < size.height; y += step) scene.rect({ x: 0, y, width: size.width, height: 1 }, GRID);
}

type Area = Parameters<Scene['rect']>[0];

function paintTile(scene: Scene, theme: Theme, area: Area, name: string, value: string, keepEnd: boolean): void {
  const { px, fonts } = theme;
  const room = area.width - px(22);
  scene.node({ role: 'text', name, value }, area);
  scene.round(area, theme.cardRadius, TILE);
  scene.text(name, area.x + px(14), area.y + px(25), fonts.small, NAME);
  const font = fonts.strong.width(value) <= room ? fonts.strong : fonts.label;
  const shown = keepEnd ? fitEnd(value, font, room) : fit(value, font, room);
  scene.text(shown, area.x + px(14), area.y + px(50), font, VALUE);
}

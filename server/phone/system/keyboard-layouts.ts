import type { Platform } from '@runcloud/protocol';
import type { Rect } from '../../device/driver.ts';
import type { Theme } from '../theme.ts';

export const KEYBOARD_PAGES = ['letters', 'numbers', 'symbols'] as const;
export type KeyboardPage = (typeof KEYBOARD_PAGES)[number];

/** The effect of tapping a key of the software keyboard. */
export type CapAction =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'shift' }
  | { readonly kind: 'delete' }
  | { readonly kind: 'return' }
  | { readonly kind: 'page'; readonly page: KeyboardPage; readonly label: string };

export interface Cap {
  readonly action: CapAction;
  readonly area: Rect;
}

/** A key and its width in tenths of the keyboard. */
type Unit = readonly [action: CapAction, width: number];

const text = (character: string, width = 1): Unit => [{ kind: 'text', text: character }, width];
const page = (target: KeyboardPage, label: string, width: number): Unit => [
  { kind: 'page', page: target, label },
  width,
];
const characters = (row: string, width = 1): Unit[] => [...row].map((character) => text(character, width));

const SHIFT: Unit = [{ kind: 'shift' }, 1.5];
const DELETE: Unit = [{ kind: 'delete' }, 1.5];

function lastRow(platform: Platform, toggle: (width: number) => Unit): Unit[] {
  const enter: CapAction = { kind: 'return' };
  if (platform === 'ios') return [toggle(2.5), text(' ', 5), [enter, 2.5]];
  return [toggle(1.5), text(','), text(' ', 5), text('.'), [enter, 1.5]];
}

function rows(platform: Platform, current: KeyboardPage): readonly Unit[][] {
  const digits = platform === 'ios' ? '123' : '?123';
  if (current === 'letters') {
    return [
      characters('qwertyuiop'),
      characters('asdfghjkl'),
      [SHIFT, ...characters('zxcvbnm'), DELETE],
      lastRow(platform, (width) => page('numbers', digits, width)),
    ];
  }
  const letters = (width: number) => page('letters', 'ABC', width);
  const punctuation = characters(".,?!'", 1.4);
  if (current === 'numbers') {
    return [
      characters('1234567890'),
      characters('-/:;()$&@"'),
      [page('symbols', '#+=', 1.5), ...punctuation, DELETE],
      lastRow(platform, letters),
    ];
  }
  return [
    characters('[]{}#%^*+='),
    characters('_\\|~<>`'),
    [page('numbers', '123', 1.5), ...punctuation, DELETE],
    lastRow(platform, letters),
  ];
}

/** The keys of a page, laid out in the keyboard's area. */
export function keyCaps(area: Rect, current: KeyboardPage, theme: Theme): readonly Cap[] {
  const { px, platform } = theme;
  const turned = area.width > px(600);
  const padding = turned ? px(56) : px(3);
  const gapX = platform === 'ios' ? px(6) : px(5);
  const gapY = turned ? px(6) : px(platform === 'ios' ? 11 : 9);
  const top = area.y + px(8);
  const all = rows(platform, current);
  const rowHeight = Math.floor((area.y + area.height - top - px(2)) / all.length);
  const unit = (area.width - 2 * padding) / 10;
  return all.flatMap((row, index) => {
    const total = row.reduce((sum, [, width]) => sum + width, 0);
    let at = area.x + padding + ((10 - total) / 2) * unit;
    return row.map(([action, width]) => {
      const left = Math.round(at);
      at += width * unit;
      const key = { x: left + Math.round(gapX / 2), y: top + index * rowHeight, width: 0, height: rowHeight - gapY };
      return { action, area: { ...key, width: Math.round(at) - left - gapX } };
    });
  });
}

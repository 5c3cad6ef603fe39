import { type Colour, colour, faded } from '../draw/colour.ts';
import { SCROLL } from '../draw/node-tree.ts';
import type { Scene } from '../draw/scene.ts';
import type { Environment } from '../environment.ts';
import type { Size } from '../geometry.ts';
import type { SavedOffset } from '../saved-state.ts';
import type { App, AppDefinition, TouchEvent } from './app.ts';
import { ScrollView } from './scroll-view.ts';

const ROWS = 500;
/** Points below the last row, so that it clears the home indicator. */
const FOOT = 24;

const HUES = [0xff6b6b, 0xf7a440, 0x3fbf7f, 0x2fa8d8, 0x6b7cff, 0xb06bf0].map((hue) => colour(hue));
const PLACES = ['Harbour', 'Orchard', 'Lighthouse', 'Meadow', 'Station', 'Library', 'Garden', 'Bridge'];

const nameOf = (row: number): string => `${PLACES[row % PLACES.length]} ${row + 1}`;

/** A long list, for scrolling and flicking. */
class Scroll implements App {
  readonly id = 'scroll';
  readonly immersive = false;
  readonly #environment: Environment;
  readonly #view: ScrollView;
  #size: Size = { width: 1, height: 1 };

  constructor(environment: Environment) {
    this.#environment = environment;
    this.#view = new ScrollView(environment);
  }

  get #rowHeight(): number {
    return this.#environment.theme.px(64);
  }

  get #top(): number {
    const { px } = this.#environment.theme;
    return this.#size.width > this.#size.height ? px(54) : px(62);
  }

  get background(): Colour {
    return this.#environment.theme.palette.background;
  }

  resize(size: Size): void {
    this.#size = size;
    const { px } = this.#environment.theme;
    this.#view.resize(ROWS * this.#rowHeight + px(FOOT), size.height - this.#top);
  }

  touch(event: TouchEvent): void {
    this.#view.touch(event);
  }

  scroll(_deltaX: number, deltaY: number): void {
    this.#view.scrollBy(deltaY);
  }

  animating(animationMs: number): boolean {
    return this.#view.animating(animationMs);
  }

  paint(scene: Scene, animationMs: number, seen: Size): void {
    const { palette, fonts, px } = this.#environment.theme;
    const { width, height } = seen;
    const offset = this.#view.offset(animationMs);
    const top = this.#top;
    const first = Math.floor(offset / this.#rowHeight);
    scene.label('Scroll', px(20), top - px(17), fonts.title, palette.text, 'left', { role: 'heading' });
    scene.label(`${first + 1} of ${ROWS}`, width - px(20), top - px(18), fonts.caption, palette.secondary, 'right');
    scene.rect({ x: 0, y: top - 1, width, height: 1 }, palette.separator);
    const area = { x: 0, y: top, width, height: height - top };
    const end = Math.min(ROWS, Math.ceil((offset + area.height) / this.#rowHeight));
    const names = [end, end + 1, end + 2].filter((row) => row < ROWS).map(nameOf);
    const offScreen = { before: first, after: ROWS - end, names };
    scene.node({ role: 'list', name: 'Scroll', id: 'scroll.list', actions: SCROLL, offScreen }, area, () => {
      scene.within(area, () => {
        for (let row = first; row < end; row++) this.#paintRow(scene, row, row * this.#rowHeight - offset);
        this.#paintBar(scene, offset, this.#size.height - top);
      });
    });
  }

  #paintRow(scene: Scene, row: number, y: number): void {
    const { palette, fonts, px } = this.#environment.theme;
    const middle = y + Math.round(this.#rowHeight / 2);
    const name = nameOf(row);
    const away = `${((row * 37) % 90) + 10} minutes away`;
    const area = { x: 0, y, width: this.#size.width, height: this.#rowHeight };
    scene.node({ role: 'cell', name, value: away, id: `scroll.${row + 1}` }, area);
    scene.circle({ x: px(42), y: middle }, px(21), HUES[row % HUES.length] ?? palette.accent);
    scene.text(name.charAt(0), px(42), middle + px(6), fonts.strong, palette.onAccent, 'centre');
    scene.text(name, px(78), middle - px(3), fonts.strong, palette.text);
    scene.text(away, px(78), middle + px(17), fonts.caption, palette.secondary);
    const line = { x: px(78), y: y + this.#rowHeight - 1, width: this.#size.width - px(78), height: 1 };
    scene.rect(line, palette.separator);
  }

  #paintBar(scene: Scene, offset: number, room: number): void {
    const { px, palette } = this.#environment.theme;
    const length = px(48);
    const way = (room - length - px(8)) * Math.min(1, offset / (ROWS * this.#rowHeight + px(FOOT) - room));
    const bar = { x: this.#size.width - px(6), y: px(4) + Math.round(way), width: px(3), height: length };
    scene.round(bar, px(2), faded(palette.text, 0.28));
  }

  save(): SavedOffset {
    return { offset: this.#view.offset() };
  }

  restore({ offset }: SavedOffset): void {
    this.#view.restore(offset);
  }

  inspect(): Readonly<Record<string, unknown>> {
    const offset = this.#view.offset();
    return { offset, velocity: this.#view.velocity(), firstRow: Math.floor(offset / this.#rowHeight) };
  }
}

export const scroll: AppDefinition = {
  id: 'scroll',
  name: 'Scroll',
  docked: false,
  create: (environment) => new Scroll(environment),
};

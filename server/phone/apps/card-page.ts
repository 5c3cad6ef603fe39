import type { Rect } from '../../device/driver.ts';
import { bitOf, bitRects, CARD_COLOURS, cardNonce, cornerRects } from '../../test-card/layout.ts';
import { encodeReadings } from '../../test-card/readings.ts';
import { TestCard } from '../../test-card/test-card.ts';
import { colour } from '../draw/colour.ts';
import type { Scene } from '../draw/scene.ts';
import type { Environment } from '../environment.ts';
import type { Pixel } from '../geometry.ts';
import type { SavedCard } from '../saved-state.ts';
import { pastes } from '../text/editing-keys.ts';
import type { KeyEvent, TouchEvent } from './app.ts';

const GROUND = colour(CARD_COLOURS.ground);
const CORNER = colour(CARD_COLOURS.corner);
const [ZERO, ONE] = [colour(CARD_COLOURS.zero), colour(CARD_COLOURS.one)];
const FINGERS = CARD_COLOURS.fingers.map((rgb) => colour(rgb));
const INK = colour(0x93a1c4);
export const CARD_NAME = 'RunCloud test card';

/** The test card as the browser shows it: the one page that this phone, which has no network, need not invent. */
export class CardPage {
  readonly #environment: Environment;
  readonly #card: TestCard;
  /** In pixels of the app. */
  #area: Rect = { x: 0, y: 0, width: 1, height: 1 };

  private constructor(environment: Environment, nonce: number, visits: number) {
    this.#environment = environment;
    this.#card = new TestCard({ nonce, visits, grain: 1, slop: environment.theme.px(10) });
  }

  /** @param visits of cards in this browser, this one included */
  static at(address: string, visits: number, environment: Environment): CardPage | undefined {
    const nonce = cardNonce(address);
    return nonce === undefined ? undefined : new CardPage(environment, nonce, visits);
  }

  resize(area: Rect): void {
    if (area.width !== this.#area.width) this.#card.forgetMarks();
    this.#area = area;
  }

  touch({ phase, points, atMs }: TouchEvent): void {
    const { x: left, y: top } = this.#area;
    const local = (at: Pixel): Pixel => ({ x: at.x - left, y: at.y - top });
    this.#card.touch(phase, points.map(local), atMs);
    this.#environment.changed();
  }

  save(): SavedCard {
    return this.#card.save();
  }

  restore(saved: SavedCard): void {
    this.#card.restore(saved);
  }

  typeText(text: string): void {
    this.#card.type(text);
    this.#environment.changed();
  }

  keyDown({ key, modifiers }: KeyEvent): void {
    this.#card.key(key, modifiers);
    if (pastes(key, modifiers)) this.#card.type(this.#environment.clipboard.text);
    this.#environment.changed();
  }

  paint(scene: Scene): void {
    const { width, height } = this.#area;
    const { fonts, px } = this.#environment.theme;
    scene.rect({ x: 0, y: 0, width, height }, GROUND);
    scene.text(CARD_NAME, width / 2, Math.floor(height * 0.25) - px(14), fonts.strong, INK, 'centre');
    for (const corner of cornerRects(this.#area)) scene.rect(corner, CORNER);
    const bytes = encodeReadings(this.#card.readings);
    for (const [bit, cell] of bitRects(this.#area).entries()) scene.rect(cell, bitOf(bytes, bit) ? ONE : ZERO);
    for (const { finger, x, y } of this.#card.marks) {
      scene.rect({ x, y, width: 1, height: 1 }, FINGERS[finger] ?? INK);
    }
  }
}

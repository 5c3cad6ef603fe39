import type { Rect } from '../../device/driver.ts';
import type { TouchEvent } from '../apps/app.ts';
import { symbol } from '../art/symbols.ts';
import { colour } from '../draw/colour.ts';
import type { Scene } from '../draw/scene.ts';
import type { Environment, PhoneState } from '../environment.ts';
import { centre, contains, inset, type Pixel } from '../geometry.ts';
import { type Cap, type KeyboardPage, keyCaps } from './keyboard-layouts.ts';

const LOOKS = {
  ios: { ground: 0xd3d5dc, key: 0xffffff, special: 0xabb0bb, pressed: 0xbfc4ce, enter: 0xabb0bb, enterInk: 0x111114 },
  android: {
    ground: 0xece6f2,
    key: 0xffffff,
    special: 0xd6cce2,
    pressed: 0xc9bfd8,
    enter: 0x5b4bb5,
    enterInk: 0xffffff,
  },
} as const;

const DOUBLE_TAP_MS = 350;

/** The receiver of the keys of the software keyboard. */
export interface KeyboardTarget {
  text(text: string): void;
  key(key: 'backspace' | 'enter'): void;
}

/** The software keyboard. It has three pages of keys; shift holds for one letter or, if tapped twice, until tapped again. */
export class OnScreenKeyboard {
  readonly #environment: Environment;
  readonly #state: PhoneState;
  readonly #target: KeyboardTarget;
  #page: KeyboardPage = 'letters';
  #pressed: readonly Cap[] = [];
  #shiftAtMs = Number.NEGATIVE_INFINITY;

  constructor(environment: Environment, state: PhoneState, target: KeyboardTarget) {
    this.#environment = environment;
    this.#state = state;
    this.#target = target;
  }

  /** Returns to the first page without shift, as the keyboard appears. */
  reset(): void {
    this.#page = 'letters';
    this.#pressed = [];
    this.#state.shift = 'off';
  }

  touch({ phase, points }: TouchEvent, area: Rect): void {
    const caps = keyCaps(area, this.#page, this.#environment.theme);
    const touched = phase === 'cancel' ? [] : points.flatMap((at) => capAt(caps, at, this.#environment) ?? []);
    this.#pressed = phase === 'end' ? [] : touched;
    if (phase === 'end') for (const cap of touched) this.#press(cap);
    this.#environment.changed();
  }

  #press({ action }: Cap): void {
    if (action.kind === 'text') {
      this.#target.text(this.#state.shift === 'off' ? action.text : action.text.toUpperCase());
      if (this.#state.shift === 'once') this.#state.shift = 'off';
    } else if (action.kind === 'shift') this.#shift();
    else if (action.kind === 'page') this.#page = action.page;
    else this.#target.key(action.kind === 'delete' ? 'backspace' : 'enter');
  }

  #shift(): void {
    const nowMs = this.#environment.nowMs();
    const again = nowMs - this.#shiftAtMs <= DOUBLE_TAP_MS;
    this.#shiftAtMs = nowMs;
    if (this.#state.shift === 'off') this.#state.shift = 'once';
    else this.#state.shift = this.#state.shift === 'once' && again ? 'locked' : 'off';
  }

  paint(scene: Scene, area: Rect, below: number): void {
    const look = LOOKS[this.#environment.platform];
    scene.rect({ ...area, height: area.height + below }, colour(look.ground));
    for (const cap of keyCaps(area, this.#page, this.#environment.theme)) this.#paintCap(scene, cap);
  }

  #paintCap(scene: Scene, { action, area }: Cap): void {
    const { platform, theme } = this.#environment;
    const { px, fonts, palette } = theme;
    const look = LOOKS[platform];
    const pressed = this.#pressed.some((cap) => cap.area.x === area.x && cap.area.y === area.y);
    const lit = action.kind === 'shift' && this.#state.shift !== 'off';
    const resting = action.kind === 'text' || lit ? look.key : action.kind === 'return' ? look.enter : look.special;
    const radius = platform === 'ios' ? px(5.5) : action.kind === 'return' ? px(24) : px(8);
    if (platform === 'ios') scene.round({ ...area, y: area.y + px(1) }, radius, colour(0x8a8d95));
    scene.round(area, radius, colour(pressed ? look.pressed : resting));
    const middle = centre(area);
    const size = Math.min(px(23), area.height - px(4));
    if (action.kind === 'text' && action.text === ' ') {
      scene.text('space', middle.x, middle.y + px(5), fonts.caption, palette.secondary, 'centre');
    } else if (action.kind === 'text') {
      const shown = this.#state.shift === 'off' ? action.text : action.text.toUpperCase();
      scene.text(shown, middle.x, middle.y + px(7), fonts.key, palette.text, 'centre');
    } else if (action.kind === 'page') {
      scene.text(action.label, middle.x, middle.y + px(5), fonts.label, palette.text, 'centre');
    } else if (action.kind === 'delete') scene.symbol(symbol('backspace', size), middle, palette.text);
    else if (action.kind === 'return' && platform === 'ios') {
      scene.text('return', middle.x, middle.y + px(5), fonts.label, palette.text, 'centre');
    } else if (action.kind === 'return') scene.symbol(symbol('enter', size), middle, colour(look.enterInk));
    else {
      const name = this.#state.shift === 'off' ? 'shift' : this.#state.shift === 'once' ? 'shiftFilled' : 'capsLock';
      scene.symbol(symbol(name, size), middle, palette.text);
    }
  }
}

/** The key under a point; the gaps between keys belong to the keys beside them. */
function capAt(caps: readonly Cap[], at: Pixel, { theme }: Environment): Cap | undefined {
  return caps.find((cap) => contains(cap.area, at)) ?? caps.find((cap) => contains(inset(cap.area, -theme.px(6)), at));
}

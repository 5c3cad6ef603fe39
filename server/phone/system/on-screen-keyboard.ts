import type { Platform } from '@runcloud/protocol';
import type { Rect } from '../../device/driver.ts';
import type { TouchEvent } from '../apps/app.ts';
import { symbol } from '../art/symbols.ts';
import { type Colour, colour } from '../draw/colour.ts';
import { type NodeFacts, TAP } from '../draw/node-tree.ts';
import type { Scene } from '../draw/scene.ts';
import type { Environment, PhoneState, Shift } from '../environment.ts';
import { centre, contains, inset, type Pixel, type Size } from '../geometry.ts';
import type { SavedKeyboard } from '../saved-state.ts';
import type { Appearance } from '../theme.ts';
import { type Cap, type KeyboardPage, keyCaps } from './keyboard-layouts.ts';

interface Look {
  readonly ground: Colour;
  readonly key: Colour;
  readonly special: Colour;
  readonly pressed: Colour;
  readonly enter: Colour;
  readonly enterInk: Colour;
  /** The edge below a key, on iOS. */
  readonly edge: Colour;
}

const look = (
  ground: number,
  key: number,
  special: number,
  pressed: number,
  enter: number,
  enterInk: number,
  edge: number,
) => {
  const [a, b, c, d, e, f, g] = [ground, key, special, pressed, enter, enterInk, edge].map((rgb) => colour(rgb));
  return { ground: a, key: b, special: c, pressed: d, enter: e, enterInk: f, edge: g } as Look;
};

const LOOKS: Readonly<Record<Platform, Readonly<Record<Appearance, Look>>>> = {
  ios: {
    light: look(0xd3d5dc, 0xffffff, 0xabb0bb, 0xbfc4ce, 0xabb0bb, 0x111114, 0x8a8d95),
    dark: look(0x2b2b2e, 0x6b6b6f, 0x48484c, 0x8a8a90, 0x48484c, 0xf2f2f5, 0x161618),
  },
  android: {
    light: look(0xece6f2, 0xffffff, 0xd6cce2, 0xc9bfd8, 0x5b4bb5, 0xffffff, 0xece6f2),
    dark: look(0x1d1b20, 0x36343b, 0x4a4458, 0x5a5560, 0xc5bdff, 0x2a1f6e, 0x1d1b20),
  },
};

const DOUBLE_TAP_MS = 350;

/** The receiver of the keys of the software keyboard. */
export interface KeyboardTarget {
  text(text: string): void;
  key(key: 'backspace' | 'enter'): void;
  /** True if the next letter should be a capital by itself. */
  beginsSentence(): boolean;
}

/**
 * The software keyboard. It has three pages of keys; shift holds for one letter or, if tapped twice, until tapped again. Where a
 * sentence begins, it comes by itself, and a tap takes it back.
 */
export class OnScreenKeyboard {
  readonly #environment: Environment;
  readonly #state: PhoneState;
  readonly #target: KeyboardTarget;
  #page: KeyboardPage = 'letters';
  #pressed: readonly Cap[] = [];
  /** True if shift was tapped where a capital would have come by itself. */
  #lowered = false;
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
    this.#lowered = false;
    this.#state.shift = 'off';
  }

  save(): SavedKeyboard {
    return { page: this.#page, lowered: this.#lowered };
  }

  restore({ page, lowered }: SavedKeyboard): void {
    this.#page = page;
    this.#pressed = [];
    this.#lowered = lowered;
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
      this.#target.text(this.#shown === 'off' ? action.text : action.text.toUpperCase());
      this.#lowered = false;
      if (this.#state.shift === 'once') this.#state.shift = 'off';
    } else if (action.kind === 'shift') this.#shift();
    else if (action.kind === 'page') this.#page = action.page;
    else this.#delegate(action.kind === 'delete' ? 'backspace' : 'enter');
  }

  #delegate(key: 'backspace' | 'enter'): void {
    this.#lowered = false;
    this.#target.key(key);
  }

  /** The shift in force, be it by itself. */
  get #shown(): Shift {
    const { shift } = this.#state;
    return shift === 'off' && !this.#lowered && this.#target.beginsSentence() ? 'once' : shift;
  }

  #shift(): void {
    const nowMs = this.#environment.nowMs();
    if (this.#state.shift === 'off' && this.#shown === 'once') {
      this.#lowered = true;
      return;
    }
    const again = nowMs - this.#shiftAtMs <= DOUBLE_TAP_MS;
    this.#shiftAtMs = nowMs;
    if (this.#state.shift === 'off') this.#state.shift = 'once';
    else this.#state.shift = this.#state.shift === 'once' && again ? 'locked' : 'off';
  }

  /** Paints the keyboard, its ground down to the foot of the picture. */
  paint(scene: Scene, area: Rect, picture: Size): void {
    scene.rect({ ...area, height: picture.height - area.y }, this.#look.ground);
    scene.node({ role: 'keyboard', name: 'Keyboard', value: this.#page, id: 'keyboard' }, area, () => {
      for (const cap of keyCaps(area, this.#page, this.#environment.theme)) this.#paintCap(scene, cap);
    });
  }

  get #look(): Look {
    const { platform, theme } = this.#environment;
    return LOOKS[platform][theme.appearance];
  }

  #paintCap(scene: Scene, cap: Cap): void {
    scene.node(factsOf(cap, this.#shown), cap.area, () => this.#paintKey(scene, cap));
  }

  #paintKey(scene: Scene, { action, area }: Cap): void {
    const { platform, theme } = this.#environment;
    const { px, fonts, palette } = theme;
    const look = this.#look;
    const pressed = this.#pressed.some((cap) => cap.area.x === area.x && cap.area.y === area.y);
    const shift = this.#shown;
    const lit = action.kind === 'shift' && shift !== 'off';
    const resting = action.kind === 'text' || lit ? look.key : action.kind === 'return' ? look.enter : look.special;
    const radius = platform === 'ios' ? px(5.5) : action.kind === 'return' ? px(24) : px(8);
    if (platform === 'ios') scene.round({ ...area, y: area.y + px(1) }, radius, look.edge);
    scene.round(area, radius, pressed ? look.pressed : resting);
    const middle = centre(area);
    const size = Math.min(px(23), area.height - px(4));
    if (action.kind === 'text' && action.text === ' ') {
      scene.text('space', middle.x, middle.y + px(5), fonts.caption, palette.secondary, 'centre');
    } else if (action.kind === 'text') {
      const shown = shift === 'off' ? action.text : action.text.toUpperCase();
      scene.text(shown, middle.x, middle.y + px(7), fonts.key, palette.text, 'centre');
    } else if (action.kind === 'page') {
      scene.text(action.label, middle.x, middle.y + px(5), fonts.label, palette.text, 'centre');
    } else if (action.kind === 'delete') scene.symbol(symbol('backspace', size), middle, palette.text);
    else if (action.kind === 'return' && platform === 'ios') {
      scene.text('return', middle.x, middle.y + px(5), fonts.label, palette.text, 'centre');
    } else if (action.kind === 'return') scene.symbol(symbol('enter', size), middle, look.enterInk);
    else {
      const name = shift === 'off' ? 'shift' : shift === 'once' ? 'shiftFilled' : 'capsLock';
      scene.symbol(symbol(name, size), middle, palette.text);
    }
  }
}

/** A key as a node. */
function factsOf({ action }: Cap, shift: Shift): NodeFacts {
  const button = { role: 'button', actions: TAP } as const;
  switch (action.kind) {
    case 'text': {
      const typed = shift === 'off' ? action.text : action.text.toUpperCase();
      return { ...button, name: typed === ' ' ? 'space' : typed, id: `keyboard.${action.text}` };
    }
    case 'page':
      return { ...button, name: action.label, id: `keyboard.${action.page}` };
    case 'shift':
      return { ...button, name: 'shift', id: 'keyboard.shift', selected: shift !== 'off' };
    default:
      return { ...button, name: action.kind, id: `keyboard.${action.kind}` };
  }
}

/** The key under a point; the gaps between keys belong to the keys beside them. */
function capAt(caps: readonly Cap[], at: Pixel, { theme }: Environment): Cap | undefined {
  return caps.find((cap) => contains(cap.area, at)) ?? caps.find((cap) => contains(inset(cap.area, -theme.px(6)), at));
}

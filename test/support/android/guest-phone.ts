import type { Button, Modifier, Orientation } from '@runcloud/protocol';
import { VirtualPhone } from '../../../server/phone/phone.ts';
import type { PhoneDisplay } from '../../../server/phone/phone-options.ts';
import { sharedNowMs } from '../late-timers.ts';
import { KEY_OF_NUMBER, MODIFIER_OF_NUMBER } from './linux-keys.ts';

/** The phone inside the stand-in of an emulator, with a touch screen, a keyboard and a sensor of its own. */

export const WIDTH = 540;
export const HEIGHT = 1_200;
export const DENSITY = 210;

export interface Finger {
  readonly x: number;
  readonly y: number;
  readonly identifier: number;
  readonly pressure: number;
  readonly expiration: unknown;
}

/** A report of fingers as it came, and when. */
export interface Report {
  readonly atMs: number;
  readonly fingers: readonly Finger[];
}

export interface KeyReport {
  readonly atMs: number;
  readonly name: string;
  readonly way: 'down' | 'up' | 'press';
}

const ORIENTATIONS: readonly Orientation[] = ['portrait', 'landscape_left', 'portrait_upside_down', 'landscape_right'];

const BUTTON_OF_NAME: Readonly<Record<string, Button>> = {
  GoHome: 'home',
  GoBack: 'back',
  AppSwitch: 'appSwitcher',
  Power: 'power',
  AudioVolumeUp: 'volumeUp',
  AudioVolumeDown: 'volumeDown',
};

const MENU_KEY = 139;

export class GuestPhone {
  readonly phone: VirtualPhone;
  /** Of a phone that folds: the inner one, then the outer one. */
  readonly displays: readonly PhoneDisplay[];
  readonly reports: Report[] = [];
  readonly keys: KeyReport[] = [];
  readonly texts: string[] = [];
  /** Inputs that no real touch screen or keyboard would send. */
  readonly violations: string[] = [];
  /** Makes the phone lose all input. */
  deaf = false;
  readonly #slots = new Map<number, Finger>();
  readonly #modifiers = new Set<Modifier>();
  readonly #modifiersOfKey = new Map<string, readonly Modifier[]>();
  readonly #watchers: ((line: string) => void)[] = [];
  #seq = 0;

  constructor(displays: readonly PhoneDisplay[] = []) {
    const { width, height } = displays[0] ?? { width: WIDTH, height: HEIGHT };
    this.displays = displays;
    this.phone = new VirtualPhone({ platform: 'android', width, height, scale: DENSITY / 160, displays });
  }

  /** The glass that is touched, as it is built. */
  get glass(): { readonly width: number; readonly height: number } {
    return this.displays.find(({ name }) => name === this.phone.display) ?? { width: WIDTH, height: HEIGHT };
  }

  /** Quarter turns counter-clockwise. */
  get scheduler(): number {
    return ORIENTATIONS.indexOf(this.phone.orientation);
  }

  turnTo(scheduler: number): void {
    this.phone.rotate(ORIENTATIONS[scheduler] ?? 'portrait', ++this.#seq);
  }

  touch(fingers: readonly Finger[]): void {
    if (this.deaf) return;
    this.reports.push({ atMs: sharedNowMs(), fingers });
    const { width, height } = this.glass;
    const before = this.#slots.size;
    const lifted: Finger[] = [];
    for (const finger of fingers) {
      if (finger.x < 0 || finger.y < 0 || finger.x >= width || finger.y >= height) {
        this.violations.push(`a finger at ${finger.x}, ${finger.y} is off the screen`);
      }
      if (finger.pressure > 0) this.#slots.set(finger.identifier, finger);
      else if (this.#slots.delete(finger.identifier)) lifted.push(finger);
      else this.violations.push(`finger ${finger.identifier} is lifted but was not down`);
    }
    const now = this.#slots.size;
    if (before > 0 && now > 0 && before !== now) this.violations.push(`${before} fingers became ${now}`);
    const place = (finger: Finger) => this.#upright(finger);
    if (now > 0) this.phone.touch(before === 0 ? 'begin' : 'move', [...this.#slots.values()].map(place), ++this.#seq);
    else if (lifted.length > 0) this.phone.touch('end', lifted.map(place), ++this.#seq);
  }

  key(event: { codeType: unknown; eventType: unknown; keyCode: number; key: string; text: string }): void {
    if (this.deaf) return;
    const way = (['down', 'up', 'press'] as const)[Number(event.eventType)] ?? 'press';
    if (event.text !== '') {
      if (!/^[ -~]+$/.test(event.text)) this.violations.push('a text has characters that no key types');
      this.texts.push(event.text);
      return this.phone.typeText(event.text, ++this.#seq);
    }
    if (event.key === '' && event.codeType !== 1) this.violations.push(`code type ${String(event.codeType)}`);
    this.keys.push({ atMs: sharedNowMs(), name: event.key || String(event.keyCode), way });
    if (way !== 'up') this.#pressed(event.key, event.keyCode, true);
    if (way !== 'down') this.#pressed(event.key, event.keyCode, false);
  }

  /** Resolves with the next key event as the kernel tells it. */
  nextKernelEvent(): Promise<string> {
    return new Promise((resolve) => void this.#watchers.push(resolve));
  }

  #pressed(name: string, code: number, down: boolean): void {
    const seq = ++this.#seq;
    const button = code === MENU_KEY && name === '' ? 'menu' : BUTTON_OF_NAME[name];
    const modifier = MODIFIER_OF_NUMBER.get(code);
    const key = KEY_OF_NUMBER.get(code);
    if (button) return down ? this.phone.buttonDown(button, seq) : this.phone.buttonUp(button, seq);
    const hex = (value: number, digits: number) => value.toString(16).padStart(digits, '0');
    const line = `/dev/input/event1: 0001 ${hex(code, 4)} ${hex(down ? 1 : 0, 8)}\n`;
    for (const watcher of this.#watchers.splice(0)) watcher(line);
    if (modifier) return void (down ? this.#modifiers.add(modifier) : this.#modifiers.delete(modifier));
    if (key === undefined) return void this.violations.push(`unknown key ${name || code}`);
    const order = (['shift', 'control', 'alt', 'meta'] as const).filter((one) => this.#modifiers.has(one));
    const modifiers = down ? order : (this.#modifiersOfKey.get(key) ?? []);
    this.#modifiersOfKey.set(key, modifiers);
    if (down) this.phone.keyDown(key, modifiers, seq);
    else this.phone.keyUp(key, modifiers, seq);
  }

  /** From the glass, which does not turn, to the picture, which does. */
  #upright({ x, y }: Finger) {
    const { width, height } = this.glass;
    const across = (x + 0.5) / width;
    const down = (y + 0.5) / height;
    switch (this.scheduler) {
      case 1:
        return { x: down, y: 1 - across };
      case 2:
        return { x: 1 - across, y: 1 - down };
      case 3:
        return { x: 1 - down, y: across };
      default:
        return { x: across, y: down };
    }
  }
}

import type { Modifier } from '@runcloud/protocol';
import { BUTTON_OF_KEYCODE, KEY_OF_KEYCODE, MODIFIER_OF_KEYCODE, PASTE_KEYCODE } from './android-keys.ts';
import type { GuestPhone } from './guest-phone.ts';

/** How much of a message there is to a type, beside its first byte; texts have their length in them. */
const BODY_BYTES: ReadonlyMap<number, number> = new Map([
  [0, 13],
  [2, 31],
  [8, 1],
  [17, 0],
]);
const TEXT = 1;
const TEXT_MAX = 300;
const GET_CLIPBOARD = 8;
const SET_CLIPBOARD = 9;
/** Bytes before the text of a message that has one; the last four are its length. */
const HEAD_BYTES: ReadonlyMap<number, number> = new Map([
  [TEXT, 5],
  [SET_CLIPBOARD, 14],
]);
/** Characters that no keyboard of Android's has. */
const PRIVATE = /[\ue000-\uf8ff]/g;
/** `KeyEvent.META_*_ON`, each with its left side. */
const META: readonly (readonly [Modifier, number])[] = [
  ['shift', 0x41],
  ['control', 0x3000],
  ['alt', 0x12],
  ['meta', 0x30000],
];
/** Fingers that change within this are one report to apps. */
const FRAME_MS = 2;

/** A finger that begins so close to the top pulls the shade down, as a share of the display. */
const SHADE_EDGE = 0.01;

interface Pointer {
  readonly x: number;
  readonly y: number;
}

/** One touch message as it came. */
export interface ArrivedTouch {
  readonly atMs: number;
  /** Messages of the same number came at once. */
  readonly arrival: number;
  readonly action: 'down' | 'up' | 'move' | 'cancel';
  readonly finger: number;
  readonly x: number;
  readonly y: number;
  readonly pressure: number;
}

/** Applies the control messages of scrcpy to a phone, as its server does. */
export class ScrcpyStandInInput {
  readonly touches: ArrivedTouch[] = [];
  /** The device lets nobody change its clipboard, or nobody read it. */
  keepsClipboard = false;
  hidesClipboard = false;
  /** Touches whose screen size differs from the size of the video. */
  dropped = 0;
  /** Pixels of the display that the shade of the notifications covers, pulled down by a finger that began at the top. */
  shade = 0;
  readonly #guest: GuestPhone;
  readonly #videoSize: () => { readonly width: number; readonly height: number };
  readonly #resetVideo: () => void;
  readonly #print: (line: string) => void;
  readonly #say: (bytes: Buffer) => void;
  #bytes = Buffer.alloc(0);
  #arrivals = 0;
  readonly #pointers = new Map<number, Pointer>();
  readonly #changed = new Set<number>();
  #lifted: Pointer[] = [];
  #before = 0;
  #pullsShade = false;
  #flushing: NodeJS.Timeout | undefined;
  readonly #held = new Set<Modifier>();
  readonly #modifiersOfKey = new Map<number, readonly Modifier[]>();

  constructor(
    guest: GuestPhone,
    videoSize: () => { readonly width: number; readonly height: number },
    resetVideo: () => void,
    print: (line: string) => void,
    say: (bytes: Buffer) => void,
  ) {
    this.#guest = guest;
    this.#videoSize = videoSize;
    this.#resetVideo = resetVideo;
    this.#print = print;
    this.#say = say;
  }

  heard(data: Buffer): void {
    this.#arrivals++;
    this.#bytes = Buffer.concat([this.#bytes, data]);
    for (;;) {
      const type = this.#bytes[0];
      if (type === undefined) return;
      const head = HEAD_BYTES.get(type);
      const least = head ?? 1 + (BODY_BYTES.get(type) ?? Number.NaN);
      if (Number.isNaN(least)) {
        this.#guest.violations.push(`a message of type ${type}`);
        this.#bytes = Buffer.alloc(0);
        return;
      }
      if (this.#bytes.length < least) return;
      const length = head === undefined ? least : head + this.#bytes.readUInt32BE(head - 4);
      if (this.#bytes.length < length) return;
      const message = this.#bytes.subarray(0, length);
      this.#bytes = this.#bytes.subarray(length);
      this.#take(type, message);
    }
  }

  /** Android cancels touches and keys that are still down when the server ends, so they have no effect. */
  close(): void {
    clearTimeout(this.#flushing);
    this.#guest.phone.releaseAll();
  }

  #take(type: number, message: Buffer): void {
    if (type === 17) return this.#resetVideo();
    if (this.#guest.deaf) return type === TEXT ? this.#complain(message.toString('utf8', 5)) : undefined;
    if (type === 2) return this.#touch(message);
    this.#flush();
    if (type === SET_CLIPBOARD) return this.#setClipboard(message);
    if (type === GET_CLIPBOARD) return this.#tellClipboard();
    if (type === 0) return this.#key(message.readUInt8(1), message.readInt32BE(2), message.readInt32BE(10));
    const text = message.toString('utf8', 5);
    if (message.length - 5 > TEXT_MAX) this.#guest.violations.push(`a text of ${message.length - 5} bytes`);
    this.#complain(text);
    const typed = text.replaceAll(PRIVATE, '');
    if (typed === '') return;
    this.#guest.texts.push(typed);
    this.#guest.phone.typeText(typed, 0);
  }

  #setClipboard(message: Buffer): void {
    if (message.readBigUInt64BE(1) !== 0n || message[9] !== 0)
      this.#guest.violations.push('a paste that is not awaited');
    if (!this.keepsClipboard) this.#guest.phone.clipboard = message.toString('utf8', 14);
  }

  #tellClipboard(): void {
    if (this.hidesClipboard) return;
    const text = Buffer.from(this.#guest.phone.clipboard);
    const head = Buffer.from([0, 0, 0, 0, 0]);
    head.writeUInt32BE(text.length, 1);
    this.#say(Buffer.concat([head, text]));
  }

  #complain(text: string): void {
    for (const [character] of text.matchAll(PRIVATE)) {
      this.#print(`[server] WARN: Could not inject char u+${character.charCodeAt(0).toString(16)}\n`);
    }
  }

  #touch(message: Buffer): void {
    const action = (['down', 'up', 'move', 'cancel'] as const)[message.readUInt8(1)] ?? 'cancel';
    const finger = Number(message.readBigUInt64BE(2));
    const [x, y] = [message.readInt32BE(10), message.readInt32BE(14)];
    const pressure = message.readUInt16BE(22);
    this.touches.push({ atMs: performance.now(), arrival: this.#arrivals, action, finger, x, y, pressure });
    const { width, height } = this.#videoSize();
    if (message.readUInt16BE(18) !== width || message.readUInt16BE(20) !== height) return void this.dropped++;
    if (x < 0 || y < 0 || x >= width || y >= height) this.#guest.violations.push(`a finger at ${x}, ${y}`);
    if ((action === 'up') !== (pressure === 0)) this.#guest.violations.push(`${action} with pressure ${pressure}`);
    if (this.#changed.has(finger)) this.#flush();
    const display = this.#guest.phone.render();
    const pointer = { x: Math.trunc((x * display.width) / width), y: Math.trunc((y * display.height) / height) };
    const down = this.#pointers.has(finger);
    if (action === 'down' ? down : !down) {
      // A lift that is told twice is let go by.
      if (action !== 'up') this.#guest.violations.push(`${action} of a finger that is ${down ? '' : 'not '}down`);
      return;
    }
    if (action === 'down' && pointer.y < display.height * SHADE_EDGE) this.#pullsShade = true;
    if (action === 'up') this.#pullsShade = false;
    this.shade = this.#pullsShade ? pointer.y : 0;
    this.#changed.add(finger);
    if (action === 'up') {
      this.#pointers.delete(finger);
      this.#lifted.push(pointer);
    } else this.#pointers.set(finger, pointer);
    this.#flushing ??= setTimeout(() => this.#flush(), FRAME_MS);
  }

  #flush(): void {
    clearTimeout(this.#flushing);
    this.#flushing = undefined;
    if (this.#changed.size === 0) return;
    const [before, now] = [this.#before, this.#pointers.size];
    const lifted = this.#lifted;
    this.#changed.clear();
    this.#lifted = [];
    this.#before = now;
    if (before > 0 && now > 0 && before !== now) this.#guest.violations.push(`${before} fingers became ${now}`);
    const { width, height } = this.#guest.phone.render();
    const place = ({ x, y }: Pointer) => ({ x: (x + 0.5) / width, y: (y + 0.5) / height });
    if (now === 0) this.#guest.phone.touch('end', lifted.map(place), 0);
    else this.#guest.phone.touch(before === 0 ? 'begin' : 'move', [...this.#pointers.values()].map(place), 0);
  }

  #key(action: number, code: number, meta: number): void {
    const down = action === 0;
    this.#guest.keys.push({ atMs: performance.now(), name: String(code), way: down ? 'down' : 'up' });
    const { phone } = this.#guest;
    if (code === PASTE_KEYCODE) return down ? phone.insertText(phone.clipboard, 0) : undefined;
    const button = BUTTON_OF_KEYCODE.get(code);
    if (button) return down ? phone.buttonDown(button, 0) : phone.buttonUp(button, 0);
    const modifier = MODIFIER_OF_KEYCODE.get(code);
    if (modifier) {
      if (down) this.#held.add(modifier);
      else this.#held.delete(modifier);
    }
    const wanted = META.filter(([name]) => this.#held.has(name)).reduce((state, [, bits]) => state | bits, 0);
    if (meta !== wanted) this.#guest.violations.push(`meta state ${meta.toString(16)} of key ${code}`);
    if (modifier) return;
    const key = KEY_OF_KEYCODE.get(code);
    if (key === undefined) return void this.#guest.violations.push(`unknown key ${code}`);
    const held = META.flatMap(([name]) => (this.#held.has(name) ? [name] : []));
    const modifiers = down ? held : (this.#modifiersOfKey.get(code) ?? []);
    this.#modifiersOfKey.set(code, modifiers);
    if (down) phone.keyDown(key, modifiers, 0);
    else phone.keyUp(key, modifiers, 0);
  }
}

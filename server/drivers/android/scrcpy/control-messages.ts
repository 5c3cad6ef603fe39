import type { Modifier } from '@runcloud/protocol';
import type { Point } from '../../../device/driver.ts';
import type { PictureSize } from '../../video/video-source.ts';

/** Messages to scrcpy's server, big-endian; the same in versions 3 and 4 (scrcpy, `app/src/control_msg.c`). */

const KEY = 0;
const TEXT = 1;
const TOUCH = 2;
const RESET_VIDEO = 17;

const ACTIONS = { down: 0, up: 1, move: 2 } as const;
/** A finger that presses as hard as it can, in fixed point. */
const PRESSURE_MAX = 0xffff;

/** The server cuts a longer text off. */
export const TEXT_BYTES_MAX = 300;

/** Bits of `android.view.KeyEvent`: the modifier, and that it is the left one. */
const META: Readonly<Record<Modifier, number>> = {
  shift: 0x1 | 0x40,
  control: 0x1000 | 0x2000,
  alt: 0x2 | 0x10,
  meta: 0x10000 | 0x20000,
};

/** The meta state of a key that is pressed together with modifiers. */
export const metaState = (modifiers: readonly Modifier[]): number =>
  modifiers.reduce((state, modifier) => state | META[modifier], 0);

/** Characters of private use that no keyboard has, apart from those that Android gives a meaning to. */
const SILENT = { first: 0xe000, count: 0x800 } as const;

/**
 * A question for which the server has no message: it cannot type this character, and says so. Handled in its turn, that
 * tells that everything before was taken, and does nothing to the device.
 */
export const questionMessage = (number: number): Buffer =>
  textMessage(String.fromCharCode(SILENT.first + (number % SILENT.count)));

/** Numbers of the questions that a line of the server's log answers, counted round. */
export function answersIn(line: string): number[] {
  return [...line.matchAll(/Could not inject char u\+([0-9a-f]{4})\b/g)].flatMap(([, code = '']) => {
    const number = Number.parseInt(code, 16) - SILENT.first;
    return number >= 0 && number < SILENT.count ? [number] : [];
  });
}

/** How far the numbers of questions go before they begin again. */
export const QUESTIONS = SILENT.count;

/** @param keycode of `android.view.KeyEvent` */
export function keyMessage(direction: 'down' | 'up', keycode: number, meta: number): Buffer {
  const message = Buffer.alloc(14);
  message[0] = KEY;
  message[1] = ACTIONS[direction];
  message.writeInt32BE(keycode, 2);
  message.writeInt32BE(0, 6);
  message.writeInt32BE(meta, 10);
  return message;
}

/** Throws a `RangeError` for a text that is longer than the server takes. */
export function textMessage(text: string): Buffer {
  const bytes = Buffer.from(text);
  if (bytes.length > TEXT_BYTES_MAX) throw new RangeError(`a text of ${bytes.length} bytes is too long`);
  const head = Buffer.alloc(5);
  head[0] = TEXT;
  head.writeUInt32BE(bytes.length, 1);
  return Buffer.concat([head, bytes]);
}

/**
 * One finger. Messages that follow each other without a pause are one touch of several fingers.
 * @param at a pixel of the video
 * @param video its present size: the server lets a touch go by that was meant for another
 */
export function touchMessage(action: keyof typeof ACTIONS, finger: number, at: Point, video: PictureSize): Buffer {
  const message = Buffer.alloc(32);
  message[0] = TOUCH;
  message[1] = ACTIONS[action];
  message.writeBigUInt64BE(BigInt(finger), 2);
  message.writeInt32BE(at.x, 10);
  message.writeInt32BE(at.y, 14);
  message.writeUInt16BE(video.width, 18);
  message.writeUInt16BE(video.height, 20);
  message.writeUInt16BE(action === 'up' ? 0 : PRESSURE_MAX, 22);
  return message;
}

/** The video begins anew, with a key picture. */
export const resetVideoMessage = (): Buffer => Buffer.of(RESET_VIDEO);

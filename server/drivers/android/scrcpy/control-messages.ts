import type { Modifier } from '@runcloud/protocol';
import {
  type AndroidKeyCode,
  AndroidKeyEventMeta,
  ScrcpyControlMessageSerializer,
  ScrcpyOptions3_0,
} from '@yume-chan/scrcpy';
import type { Point } from '../../../device/driver.ts';
import type { PictureSize } from '../../video/video-source.ts';

/** Versions 3 and 4 of scrcpy's server read the messages that are made here in the same form. */
const serializer = new ScrcpyControlMessageSerializer(new ScrcpyOptions3_0({}));

/** The serializer has no message of this type. */
const GET_CLIPBOARD = 8;
const COPY_KEY_NONE = 0;

const ACTIONS = { down: 0, up: 1, move: 2 } as const;

/** The server cuts a longer text off. */
export const TEXT_BYTES_MAX = 300;

/** The modifier, and that it is the left one. */
const META: Readonly<Record<Modifier, number>> = {
  shift: AndroidKeyEventMeta.Shift | AndroidKeyEventMeta.ShiftLeft,
  control: AndroidKeyEventMeta.Ctrl | AndroidKeyEventMeta.CtrlLeft,
  alt: AndroidKeyEventMeta.Alt | AndroidKeyEventMeta.AltLeft,
  meta: AndroidKeyEventMeta.Meta | AndroidKeyEventMeta.MetaLeft,
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
export const questionMessage = (number: number): Uint8Array =>
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
export const keyMessage = (direction: 'down' | 'up', keycode: number, meta: number): Uint8Array =>
  serializer.injectKeyCode({
    action: ACTIONS[direction],
    keyCode: keycode as AndroidKeyCode,
    repeat: 0,
    metaState: meta as AndroidKeyEventMeta,
  });

/** Throws a `RangeError` for a text that is longer than the server takes. */
export function textMessage(text: string): Uint8Array {
  const bytes = Buffer.byteLength(text);
  if (bytes > TEXT_BYTES_MAX) throw new RangeError(`a text of ${bytes} bytes is too long`);
  return serializer.injectText(text);
}

/**
 * One finger. Messages that follow each other without a pause are one touch of several fingers.
 * @param at a pixel of the video
 * @param video its present size: the server lets a touch go by that was meant for another
 */
export const touchMessage = (action: keyof typeof ACTIONS, finger: number, at: Point, video: PictureSize): Uint8Array =>
  serializer.injectTouch({
    action: ACTIONS[action],
    pointerId: BigInt(finger),
    pointerX: at.x,
    pointerY: at.y,
    videoWidth: video.width,
    videoHeight: video.height,
    pressure: action === 'up' ? 0 : 1,
    actionButton: 0,
    buttons: 0,
  });

/** The device's clipboard holds this text. */
export const setClipboardMessage = (text: string): Uint8Array =>
  // Without a sequence there is no acknowledgement to wait for.
  serializer.setClipboard({ sequence: 0n, paste: false, content: text }) as Uint8Array;

/** Asks what the clipboard holds, without a key that copies something into it before. */
export const getClipboardMessage = (): Uint8Array => Uint8Array.of(GET_CLIPBOARD, COPY_KEY_NONE);

/** The video begins anew, with a key picture. */
export const resetVideoMessage = (): Uint8Array => serializer.resetVideo();

import type { Button, Orientation, RenderOption } from '@runcloud/protocol';
import type { Point } from '../../../device/driver.ts';
import type { Direction, TouchPhase } from '../helper.ts';
import { PHYSICAL_BUTTONS } from '../hid-usage.ts';

/** serve-sim's messages: a byte that tells the kind, and JSON. */

const TOUCH = 0x03;
const BUTTON = 0x04;
const TWO_FINGERS = 0x05;
const KEY = 0x06;
const ORIENTATION = 0x07;
const RENDER_OPTION = 0x08;
const MEMORY_WARNING = 0x09;
const SOFTWARE_KEYBOARD = 0x0c;
const SCREEN = 0x82;

const RENDER_OPTION_NAMES: Readonly<Record<RenderOption, string>> = {
  colorBlendedLayers: 'debug_color_blended',
  colorCopiedImages: 'debug_color_copies',
  colorMisalignedImages: 'debug_color_misaligned',
  colorOffscreenRendered: 'debug_color_offscreen',
  slowAnimations: 'debug_slow_animations',
};

function message(kind: number, body?: object): Buffer {
  return Buffer.concat([Uint8Array.of(kind), Buffer.from(body === undefined ? '' : JSON.stringify(body))]);
}

/** One or two fingers; both of them in one message, so that they touch at the same time. */
export function touchMessage(phase: TouchPhase, [first, second]: readonly Point[]): Buffer {
  if (!first) throw new RangeError('a touch needs a point');
  const { x, y } = first;
  if (!second) return message(TOUCH, { type: phase, x, y });
  return message(TWO_FINGERS, { type: phase, x1: x, y1: y, x2: second.x, y2: second.y });
}

export const keyMessage = (type: Direction, usage: number): Buffer => message(KEY, { type, usage });

export function buttonMessage(phase: Direction, button: Button): Buffer {
  const control = PHYSICAL_BUTTONS[button];
  if (!control) throw new RangeError(`${button} is no physical button`);
  return message(BUTTON, { button, ...control, phase });
}

export const namedButtonMessage = (button: 'home' | 'app_switcher'): Buffer => message(BUTTON, { button });
export const orientationMessage = (orientation: Orientation): Buffer => message(ORIENTATION, { orientation });
export const memoryWarningMessage = (): Buffer => message(MEMORY_WARNING);
export const softwareKeyboardMessage = (): Buffer => message(SOFTWARE_KEYBOARD, {});

export const renderOptionMessage = (option: RenderOption, enabled: boolean): Buffer =>
  message(RENDER_OPTION, { option: RENDER_OPTION_NAMES[option], enabled });

/** True when a message of the helper describes the screen; other messages are ignored. */
export const tellsOfScreen = (bytes: Uint8Array): boolean => bytes[0] === SCREEN;

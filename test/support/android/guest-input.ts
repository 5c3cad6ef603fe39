import { setTimeout as sleep } from 'node:timers/promises';
import type { Modifier } from '@runcloud/protocol';
import type { VirtualPhone } from '../../../server/phone/phone.ts';
import { BUTTON_OF_KEYCODE, KEY_OF_KEYCODE, MODIFIER_OF_KEYCODE, PASTE_KEYCODE } from './android-keys.ts';
import type { CommandAnswer } from './guest-commands.ts';

const USAGE = `Usage: input [<source>] [-d DISPLAY_ID] <command> [<arg>...]
The commands and default sources are:
      text <string> (Default: keyboard)
      keyevent [--longpress|--doubletap|--async|--delay <duration between keycodes in ms>] <key code number or name> ...
      tap <x> <y> (Default: touchscreen)
      swipe <x1> <y1> <x2> <y2> [duration(ms)] (Default: touchscreen)
`;
const KEY_COMBINATION = '      keycombination [-t duration(ms)] <key code 1> <key code 2> ... (Default: keyboard)\n';
const REFUSED = 'java.lang.SecurityException: Injecting input events requires the caller to have INJECT_EVENTS\n';
const FRAME_MS = 16;
const SWIPE_MS = 300;

/** Which release's command it is, and whether it may be used. */
export interface InputManners {
  /** Before Android 12 keys are pressed one at a time. */
  old: boolean;
  /** A maker that does not let adb touch. */
  forbidden: boolean;
}

/** Android's `input` command in front of a phone: one finger, and keys that are down for a moment. */
export async function answerInput(
  phone: VirtualPhone,
  [verb, ...rest]: readonly string[],
  { old, forbidden }: InputManners,
): Promise<CommandAnswer> {
  if (verb === undefined) return { out: old ? USAGE : USAGE + KEY_COMBINATION };
  if (forbidden) return { code: 255, out: REFUSED };
  const { width, height } = phone.render();
  const point = (x: number, y: number) => ({ x: (x + 0.5) / width, y: (y + 0.5) / height });
  const [x1 = 0, y1 = 0, x2 = x1, y2 = y1, ms = SWIPE_MS] = rest.map(Number);
  switch (verb) {
    case 'tap':
      phone.touch('begin', [point(x1, y1)], 0);
      phone.touch('end', [point(x1, y1)], 0);
      return {};
    case 'swipe': {
      phone.touch('begin', [point(x1, y1)], 0);
      const beganAtMs = performance.now();
      for (let share = 0; share < 1; ) {
        await sleep(FRAME_MS);
        share = Math.min(1, (performance.now() - beganAtMs) / ms);
        phone.touch('move', [point(x1 + (x2 - x1) * share, y1 + (y2 - y1) * share)], 0);
      }
      phone.touch('end', [point(x2, y2)], 0);
      return {};
    }
    case 'text':
      phone.typeText((rest[0] ?? '').replaceAll('%s', ' '), 0);
      return {};
    case 'keyevent':
      for (const code of rest) press(phone, [Number(code)]);
      return {};
    case 'keycombination':
      if (!old && rest.length > 1) {
        press(phone, rest.map(Number));
        return {};
      }
  }
  return { out: `Error: Unknown command: ${verb}\n` };
}

function press(phone: VirtualPhone, codes: readonly number[]): void {
  const modifiers: Modifier[] = [];
  for (const code of codes) {
    const modifier = MODIFIER_OF_KEYCODE.get(code);
    const key = KEY_OF_KEYCODE.get(code);
    const button = BUTTON_OF_KEYCODE.get(code);
    if (code === 224 && phone.inspect().screen === 'off') press(phone, [26]);
    // Escape is the keyboard's own while it is shown.
    if (code === 111 && phone.inspect().keyboardShown) phone.toggleSoftwareKeyboard(0);
    else if (code === PASTE_KEYCODE) phone.insertText(phone.clipboard, 0);
    else if (modifier) modifiers.push(modifier);
    else if (button) {
      phone.buttonDown(button, 0);
      phone.buttonUp(button, 0);
    } else if (key) {
      phone.keyDown(key, modifiers, 0);
      phone.keyUp(key, modifiers, 0);
    }
  }
}

import { type Button, type Key, type Modifier, platformControls } from '@runcloud/protocol/terms';
import type { Point, PointerPhase } from '../../../device/driver.ts';
import { DeviceFault } from '../../../device/fault.ts';
import { type Clock, systemClock } from '../../../flow/clock.ts';
import { sleepUntil } from '../../../flow/sleep.ts';
import { type PlayedStep, playGesture, swipeSteps } from '../../gesture-player.ts';
import type { VideoScreen } from '../../video/video-screen.ts';
import type { GuestShell } from '../adb/guest-shell.ts';
import { PICTURE_BYTES_MAX, PICTURE_MS_MAX, screencapOf } from '../adb/screencaps.ts';
import { dragSteps } from '../drag-steps.ts';
import { BUTTON_CODES, KEY_CODES, MODIFIER_CODES, PASTE_KEYCODE } from '../guest/key-codes.ts';
import type { DisplaySize, QuarterTurns } from '../guest/orientation.ts';
import type { BackendContext, GuestClipboard, VideoBackend } from '../input-backend.ts';
import { keyMessage, metaState, setClipboardMessage, TEXT_BYTES_MAX, textMessage } from './control-messages.ts';
import { checkScrcpyInput } from './input-check.ts';
import type { ScrcpySession } from './scrcpy-session.ts';
import type { ScrcpyTouchState } from './scrcpy-touch-state.ts';

/** The device types a text by itself; more of it at once overruns what its apps take. */
const TEXT_PAUSE_MS = 30;
const PASTE_MS = 20;

const ENTER = KEY_CODES.get('enter')?.keycode ?? 0;
const TAB = KEY_CODES.get('tab')?.keycode ?? 0;

/** A device that is touched and seen by scrcpy's server. */
export class ScrcpyBackend implements VideoBackend {
  readonly controls = platformControls('android');
  readonly video: VideoScreen;
  readonly clipboard: GuestClipboard = {
    read: (signal) => this.#session.clipboard(signal),
    write: (text, signal) => this.#copy(text, signal),
    paste: (signal) => this.#hold([{ code: PASTE_KEYCODE, down: 0, up: 0 }], PASTE_MS, signal),
  };
  readonly #session: ScrcpySession;
  readonly #shell: GuestShell;
  readonly #touches: ScrcpyTouchState;
  readonly #clock: Clock;
  /** The messages that lift each key and button that is down, by its code. */
  readonly #held = new Map<number, Uint8Array>();

  constructor(session: ScrcpySession, shell: GuestShell, clock: Clock = systemClock) {
    this.#session = session;
    this.#shell = shell;
    this.#clock = clock;
    this.#touches = session.touches;
    this.video = session.screen;
  }

  get turns(): QuarterTurns {
    return this.#session.turns;
  }

  get size(): DisplaySize {
    return this.#session.size;
  }

  async selfTest(): Promise<void> {
    const { signal } = new AbortController();
    await this.pressButton('home', 50, signal);
    await checkScrcpyInput(this.video, this.#touches);
  }

  async tap(point: Point, signal: AbortSignal): Promise<void> {
    this.#touches.touch('begin', [point]);
    this.#touches.touch('end', [point]);
    await this.#session.taken(signal);
  }

  async swipe(from: Point, to: Point, durationMs: number, context: BackendContext): Promise<void> {
    await this.play(swipeSteps(from, to, durationMs), context);
  }

  async drag(from: Point, to: Point, durationMs: number, context: BackendContext): Promise<void> {
    await this.play(dragSteps(from, to, durationMs), context);
  }

  async play(steps: readonly PlayedStep[], { signal, onStep }: BackendContext): Promise<number> {
    const taken = () => this.#session.taken(signal);
    const options = { signal, clock: this.#clock, taken, ...(onStep ? { onStep } : {}) };
    try {
      return await playGesture(this.#touches, steps, options);
    } finally {
      await this.#session.taken(signal);
    }
  }

  async pointer(phase: PointerPhase, points: readonly Point[]): Promise<void> {
    this.#touches.touch(phase, points);
    // Moves are many, and the newest counts.
    if (phase !== 'move') await this.#session.taken();
  }

  async type(text: string, signal: AbortSignal): Promise<void> {
    // Characters without a glyph are keys.
    for (const run of text.match(/[ -~]+|[\n\t]/g) ?? []) {
      if (run === '\n' || run === '\t') {
        const code = run === '\n' ? ENTER : TAB;
        this.#session.send(Buffer.concat([keyMessage('down', code, 0), keyMessage('up', code, 0)]));
        continue;
      }
      for (let at = 0; at < run.length; at += TEXT_BYTES_MAX) {
        if (signal.aborted) throw aborted();
        this.#session.send(textMessage(run.slice(at, at + TEXT_BYTES_MAX)));
        if (run.length > TEXT_BYTES_MAX) await this.#pause(TEXT_PAUSE_MS, signal);
      }
    }
    await this.#session.taken(signal);
  }

  async pressKey(key: Key, modifiers: readonly Modifier[], durationMs: number, signal: AbortSignal): Promise<void> {
    const code = KEY_CODES.get(key);
    if (!code) throw new DeviceFault('unsupported', `"pressKey" of "${key}" is not supported by this device.`);
    const keys = modifiers.map((modifier, index): HeldKey => {
      const [before, with_] = [metaState(modifiers.slice(0, index)), metaState(modifiers.slice(0, index + 1))];
      return { code: MODIFIER_CODES[modifier].keycode, down: with_, up: before };
    });
    const meta = metaState(modifiers);
    await this.#hold([...keys, { code: code.keycode, down: meta, up: meta }], durationMs, signal);
  }

  async pressButton(button: Button, durationMs: number, signal: AbortSignal): Promise<void> {
    const code = BUTTON_CODES[button];
    if (!code) throw new DeviceFault('unsupported', `"pressButton" of "${button}" is not supported by this device.`);
    await this.#hold([{ code: code.keycode, down: 0, up: 0 }], durationMs, signal);
  }

  rotate(turns: QuarterTurns, signal: AbortSignal): Promise<void> {
    return this.#session.rotate(turns, signal);
  }

  async releaseAll(signal?: AbortSignal): Promise<void> {
    this.#touches.lift();
    for (const [code, release] of [...this.#held].reverse()) {
      this.#held.delete(code);
      this.#session.send(release);
    }
    await this.#session.taken(signal);
  }

  /** By the device itself, from the pixels that its display shows. */
  still(display: string | undefined): Promise<Buffer> {
    const options = { outputBytesMax: PICTURE_BYTES_MAX, timeoutMs: PICTURE_MS_MAX };
    return this.#shell.bytes(screencapOf(display, '-p'), options);
  }

  close(): void {
    this.#session.close();
  }

  /** The server does not say whether the device has taken the text; its clipboard does. */
  async #copy(text: string, signal: AbortSignal): Promise<void> {
    this.#session.send(setClipboardMessage(text));
    if ((await this.#session.clipboard(signal)) === text) return;
    throw new DeviceFault('failed', 'The device has not taken the text into its clipboard.');
  }

  /** Presses keys in their order, and lets them go in the opposite one after the hold or when it is ended. */
  async #hold(keys: readonly HeldKey[], durationMs: number, signal: AbortSignal): Promise<void> {
    if (signal.aborted) throw aborted();
    try {
      for (const { code, down, up } of keys) {
        this.#held.set(code, keyMessage('up', code, up));
        this.#session.send(keyMessage('down', code, down));
      }
      await this.#session.taken(signal);
      await this.#pause(durationMs, signal);
    } finally {
      await this.releaseAll(signal);
    }
  }

  async #pause(ms: number, signal: AbortSignal): Promise<void> {
    try {
      await sleepUntil(this.#clock.monotonicMs() + ms, this.#clock, signal);
    } catch {
      throw aborted();
    }
  }
}

/** A key with its meta states when it goes down and when it comes up. */
interface HeldKey {
  readonly code: number;
  readonly down: number;
  readonly up: number;
}

const aborted = () => new DeviceFault('aborted', 'The input was ended early.');

import { type Button, type Controls, type Key, type Modifier, platformControls } from '@runcloud/protocol/terms';
import type { DeviceDescriptor, Point } from '../../../device/driver.ts';
import { DeviceFault } from '../../../device/fault.ts';
import { displayShown } from '../guest/displays.ts';
import { BUTTON_CODES, KEY_CODES, MODIFIER_CODES } from '../guest/key-codes.ts';
import { type DisplaySize, pixel, type QuarterTurns } from '../guest/orientation.ts';
import { displayState, displayTurns, turnDisplay } from '../guest/turn-display.ts';
import type { BackendContext, BackendListener, Frame, FrameBackend } from '../input-backend.ts';
import type { GuestShell } from './guest-shell.ts';
import { Screencaps } from './screencaps.ts';

/** An older picture does not decide where a finger lands, because an app may have turned the display since. */
const SEEN_MS_MAX = 1_000;
/** KEYCODE_WAKEUP, which does nothing to a device that is awake. */
const WAKE_UP = '224';
const INPUT_REMEDY = 'Some makers have a developer option for it, such as "USB debugging (Security settings)".';
const TEXT_PIECE = 500;

/**
 * The controls that `input` really supports: one finger whose path is known in advance, and key presses without a hold.
 * Each call starts a program on the device, which takes longer than most steps of a gesture last.
 * @param usage the help text of `input`
 */
function abilitiesOf(usage: string): Controls {
  return {
    ...platformControls('android'),
    holds: false,
    // Since Android 12.
    modifiers: /\bkeycombination\b/.test(usage),
    fingers: 1,
    freeGestures: false,
    clipboard: false,
  };
}

/** A device without a control service, touched by its own `input` command and seen by `screencap`. */
export class AdbBackend implements FrameBackend {
  readonly controls: Controls;
  turns: QuarterTurns = 0;
  readonly #shell: GuestShell;
  readonly #listener: BackendListener;
  readonly #device: DeviceDescriptor;
  readonly #screencaps: Screencaps;
  #size: DisplaySize = { width: 0, height: 0 };
  /** How often the display was turned. */
  #turnings = 0;
  #seenAtMs = 0;

  private constructor(shell: GuestShell, device: DeviceDescriptor, listener: BackendListener, controls: Controls) {
    this.#shell = shell;
    this.#device = device;
    this.#screencaps = new Screencaps(shell, () => listener.changed());
    this.#listener = listener;
    this.controls = controls;
  }

  static async open(shell: GuestShell, device: DeviceDescriptor, listener: BackendListener): Promise<AdbBackend> {
    const { output } = await shell.run(['input']);
    const backend = new AdbBackend(shell, device, listener, abilitiesOf(output));
    try {
      await backend.frame();
      return backend;
    } catch (error) {
      backend.close();
      throw error;
    }
  }

  get size(): DisplaySize {
    return this.#size;
  }

  /**
   * Wakes the device and reads that it is awake: some makers forbid `input` to adb until a setting allows it. What `input`
   * makes does not pass the kernel, so there is nothing to see it by on a device that is awake already.
   */
  async selfTest(): Promise<void> {
    try {
      await this.#input(['keyevent', WAKE_UP]);
    } catch (error) {
      const why = error instanceof DeviceFault ? error.message : String(error);
      throw new DeviceFault('unavailable', `Input does not arrive on the device. ${why} ${INPUT_REMEDY}`);
    }
    const { output } = await this.#shell.run(['dumpsys', 'power']);
    if (/mWakefulness=Awake/.test(output)) return;
    throw new DeviceFault('unavailable', 'Input does not arrive on the device: it does not wake up.');
  }

  async tap(point: Point, signal: AbortSignal): Promise<void> {
    await this.#see(signal);
    await this.#input(['tap', ...this.#at(point)], signal);
  }

  async swipe(from: Point, to: Point, durationMs: number, { signal }: BackendContext): Promise<void> {
    await this.#see(signal);
    await this.#input(['swipe', ...this.#at(from), ...this.#at(to), String(durationMs)], signal);
  }

  /** The finger cannot rest at the end of its way, so it goes slowly instead. */
  async drag(from: Point, to: Point, durationMs: number, context: BackendContext): Promise<void> {
    await this.swipe(from, to, durationMs * 2, context);
  }

  async play(): Promise<number> {
    throw unsupported();
  }

  async pointer(): Promise<void> {
    throw unsupported();
  }

  async type(text: string, signal: AbortSignal): Promise<void> {
    for (const run of text.match(/[ -~]+|[\n\t]/g) ?? []) {
      if (run === '\n' || run === '\t') await this.#input(['keyevent', run === '\n' ? '66' : '61'], signal);
      else for (const piece of inputTexts(run)) await this.#input(['text', piece], signal);
    }
  }

  async pressKey(key: Key, modifiers: readonly Modifier[], _durationMs: number, signal: AbortSignal): Promise<void> {
    const codes = [...modifiers.map((modifier) => MODIFIER_CODES[modifier]), KEY_CODES.get(key)];
    const words = codes.map((code) => String(code?.keycode ?? 0));
    await this.#input([words.length > 1 ? 'keycombination' : 'keyevent', ...words], signal);
  }

  async pressButton(button: Button, _durationMs: number, signal: AbortSignal): Promise<void> {
    await this.#input(['keyevent', String(BUTTON_CODES[button]?.keycode ?? 0)], signal);
  }

  async rotate(turns: QuarterTurns, signal: AbortSignal): Promise<void> {
    await turnDisplay(this.#shell, turns, signal);
    this.#turned(turns);
    this.#listener.changed();
  }

  /** `input` lets go of what it presses before it ends. */
  async releaseAll(): Promise<void> {}

  async frame(): Promise<Frame> {
    // The display that is not active has a picture too, so that of the active one is asked for by its name.
    if (this.#device.displays) await this.#seeDisplay();
    const beganAtMs = performance.now();
    const turnings = this.#turnings;
    const frame = await this.#screencaps.take(displayShown(this.#device, this.#size)?.name);
    // It may show the screen as it was before it was turned.
    if (turnings !== this.#turnings) return this.frame();
    const { width, height } = frame;
    // A picture that is turned has its edges exchanged; which way says the display.
    if (width !== this.#size.width || height !== this.#size.height)
      this.turns = (await displayTurns(this.#shell)) ?? this.turns;
    this.#size = { width, height };
    this.#seenAtMs = beganAtMs;
    return { ...frame, turns: this.turns };
  }

  /** Every frame is taken when it is asked for. */
  async refresh(): Promise<void> {}

  close(): void {
    this.#screencaps.close();
  }

  /** Knows which display is active, and how it is turned. */
  async #seeDisplay(signal?: AbortSignal): Promise<void> {
    const { turns = this.turns, size = this.#size } = await displayState(this.#shell, signal);
    this.#turned(turns);
    this.#size = size;
  }

  /** Knows where a touch lands now. */
  async #see(signal: AbortSignal): Promise<void> {
    if (this.#device.displays) return this.#seeDisplay(signal);
    const nowMs = performance.now();
    if (nowMs - this.#seenAtMs < SEEN_MS_MAX) return;
    const turns = (await displayTurns(this.#shell, signal)) ?? this.turns;
    this.#turned(turns);
    this.#seenAtMs = nowMs;
  }

  #turned(turns: QuarterTurns): void {
    if (turns === this.turns) return;
    this.#turnings++;
    const { width, height } = this.#size;
    if ((turns - this.turns) % 2 !== 0) this.#size = { width: height, height: width };
    this.turns = turns;
  }

  /** `input` takes pixels of the display as it is turned. */
  #at({ x, y }: Point): string[] {
    return [String(pixel(x, this.#size.width)), String(pixel(y, this.#size.height))];
  }

  async #input(words: readonly string[], signal?: AbortSignal): Promise<void> {
    const output = await this.#shell.must(['input', ...words], signal ? { signal } : {});
    // Older releases complain and end well.
    if (/unknown command|error:|exception/i.test(output)) {
      throw new DeviceFault('failed', `The device refused the input \`${words[0]}\`.`);
    }
    this.#listener.changed();
  }
}

/**
 * A text for `input text`, in which `%s` stands for a blank: a literal one is taken apart, because nothing else stands for
 * it. A piece that begins with a dash would be an option.
 */
export function inputTexts(text: string): string[] {
  const pieces: string[] = [];
  let piece = '';
  for (const character of text) {
    const splits = (character === 's' && piece.endsWith('%')) || piece.length >= TEXT_PIECE;
    if (splits) {
      pieces.push(piece);
      piece = '';
    }
    piece += character === ' ' ? '%s' : character;
  }
  return piece === '' ? pieces : [...pieces, piece];
}

const unsupported = () =>
  new DeviceFault('unsupported', 'Gestures of several steps are not supported by this device; "tap" and "swipe" are.');

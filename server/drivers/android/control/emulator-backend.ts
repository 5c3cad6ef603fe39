import { type Button, type Key, type Modifier, platformControls } from '@runcloud/protocol/terms';
import type { Point, PointerPhase } from '../../../device/driver.ts';
import { DeviceFault } from '../../../device/fault.ts';
import { type Clock, systemClock } from '../../../flow/clock.ts';
import { poll } from '../../../flow/poll.ts';
import { sleepUntil } from '../../../flow/sleep.ts';
import { type PlayedStep, playGesture, swipeSteps } from '../../gesture-player.ts';
import type { GuestShell } from '../adb/guest-shell.ts';
import { dragSteps } from '../drag-steps.ts';
import { BUTTON_CODES, KEY_CODES, MODIFIER_CODES } from '../guest/key-codes.ts';
import { ANGLE_OF_TURNS, type DisplaySize, type QuarterTurns } from '../guest/orientation.ts';
import type { BackendContext, BackendListener, Frame, FrameBackend } from '../input-backend.ts';
import { type ControlAddress, openAccess } from './control-access.ts';
import { ControlClient } from './control-client.ts';
import { EmulatorClipboard } from './emulator-clipboard.ts';
import { EmulatorLocation } from './emulator-location.ts';
import { EmulatorTouchState } from './emulator-touch-state.ts';
import { InputChannel } from './input-channel.ts';
import { checkEmulatorInput } from './input-check.ts';
import { evdevKey, KEY_DOWN, KEY_PRESS, KEY_UP, type KeyboardEvent, PHYSICAL_ROTATION } from './messages.ts';
import { ScreenFeed } from './screen-feed.ts';

/** The emulator types a text by itself; more of it at once overruns its queue. */
const TEXT_PIECE = 200;
const TEXT_PAUSE_MS = 30;
/** A display turns with an animation. */
const TURNS = { everyMs: 20, forMs: 3_000 } as const;

/** An emulator, touched and seen by its control service. */
export class EmulatorBackend implements FrameBackend {
  readonly controls = platformControls('android');
  readonly clipboard: EmulatorClipboard;
  readonly location: EmulatorLocation;
  readonly #client: ControlClient;
  readonly #shell: GuestShell;
  readonly #channel: InputChannel;
  readonly #screen: EmulatorTouchState;
  readonly #feed: ScreenFeed;
  readonly #clock: Clock;
  /** The events that lift each key and button that is down. */
  readonly #held = new Map<number | string, KeyboardEvent>();

  private constructor(
    client: ControlClient,
    shell: GuestShell,
    display: DisplaySize,
    options: { folder: string | undefined; listener: BackendListener; clock: Clock },
  ) {
    this.#client = client;
    this.#shell = shell;
    this.#clock = options.clock;
    this.clipboard = new EmulatorClipboard(client, shell);
    this.location = new EmulatorLocation(client);
    this.#channel = new InputChannel(client);
    this.#feed = new ScreenFeed(client, display, {
      folder: options.folder,
      onFrame: () => options.listener.changed(),
      onEnded: (reason) => options.listener.lost(`The screen of the emulator is gone: ${reason}`),
    });
    this.#screen = new EmulatorTouchState(this.#channel, () => ({
      display: this.#feed.folded ?? display,
      turns: this.#feed.turns,
    }));
  }

  /** @param folder of shared memory that the emulator can write too; pictures come as messages without one */
  static async open(
    address: ControlAddress,
    shell: GuestShell,
    fallback: DisplaySize,
    options: { readonly folder: string | undefined; readonly listener: BackendListener; readonly clock?: Clock },
  ): Promise<EmulatorBackend> {
    const client = new ControlClient(address.port, await openAccess(address));
    let backend: EmulatorBackend | undefined;
    try {
      const { hardwareConfig } = await client.status();
      const config = new Map(hardwareConfig?.entry.map(({ key, value }) => [key, Number(value)]));
      const [width, height] = [config.get('hw.lcd.width') ?? 0, config.get('hw.lcd.height') ?? 0];
      const display = width > 0 && height > 0 ? { width, height } : fallback;
      backend = new EmulatorBackend(client, shell, display, { clock: systemClock, ...options });
      await backend.#channel.prepare();
      await backend.#feed.begin();
      return backend;
    } catch (error) {
      if (backend) backend.close();
      else client.close();
      throw error;
    }
  }

  get turns(): QuarterTurns {
    return this.#feed.turns;
  }

  get size(): DisplaySize {
    return this.#feed.size;
  }

  selfTest(): Promise<void> {
    return checkEmulatorInput(this.#channel, this.#shell);
  }

  async tap(point: Point, signal: AbortSignal): Promise<void> {
    await this.#screen.touch('begin', [point]);
    await this.#screen.touch('end', [point]);
    await this.#channel.arrived(signal);
  }

  async swipe(from: Point, to: Point, durationMs: number, context: BackendContext): Promise<void> {
    await this.play(swipeSteps(from, to, durationMs), context);
  }

  async drag(from: Point, to: Point, durationMs: number, context: BackendContext): Promise<void> {
    await this.play(dragSteps(from, to, durationMs), context);
  }

  async play(steps: readonly PlayedStep[], { signal, onStep }: BackendContext): Promise<number> {
    const touch = (phase: PointerPhase, points: readonly Point[]) => {
      // The remaining steps alone would be another gesture. The reason is reported below.
      if (this.#channel.troubled && (phase === 'move' || phase === 'end')) {
        throw new DeviceFault('unavailable', 'A step was lost.');
      }
      void this.#screen.touch(phase, points);
    };
    const taken = () => this.#channel.arrived(signal);
    try {
      return await playGesture({ touch }, steps, { signal, clock: this.#clock, taken, ...(onStep ? { onStep } : {}) });
    } finally {
      void this.#screen.lift();
      await this.#channel.arrived(signal);
    }
  }

  async pointer(phase: PointerPhase, points: readonly Point[]): Promise<void> {
    await this.#screen.touch(phase, points);
    // Moves are many, and the newest counts.
    if (phase !== 'move' || this.#channel.troubled) await this.#channel.arrived();
  }

  async type(text: string, signal: AbortSignal): Promise<void> {
    try {
      // Characters without a glyph are keys.
      for (const run of text.match(/[ -~]+|[\n\t]/g) ?? []) {
        if (run === '\n' || run === '\t') {
          const code = KEY_CODES.get(run === '\n' ? 'enter' : 'tab');
          await this.#channel.key(evdevKey(code?.evdev ?? 0, KEY_PRESS));
          continue;
        }
        for (let at = 0; at < run.length && !this.#channel.troubled; at += TEXT_PIECE) {
          if (signal.aborted) throw aborted();
          await this.#channel.key({ eventType: KEY_PRESS, text: run.slice(at, at + TEXT_PIECE) });
          if (run.length > TEXT_PIECE) await this.#pause(TEXT_PAUSE_MS, signal);
        }
      }
    } finally {
      await this.#channel.arrived(signal);
    }
  }

  async pressKey(key: Key, modifiers: readonly Modifier[], durationMs: number, signal: AbortSignal): Promise<void> {
    const code = KEY_CODES.get(key);
    if (!code) throw new DeviceFault('unsupported', `"pressKey" of "${key}" is not supported by this device.`);
    const codes = [...modifiers.map((modifier) => MODIFIER_CODES[modifier].evdev), code.evdev];
    await this.#hold(
      codes.map((evdev) => [evdev, (eventType: number) => evdevKey(evdev, eventType)]),
      durationMs,
      signal,
    );
  }

  async pressButton(button: Button, durationMs: number, signal: AbortSignal): Promise<void> {
    const code = BUTTON_CODES[button];
    if (!code) throw new DeviceFault('unsupported', `"pressButton" of "${button}" is not supported by this device.`);
    const { key, evdev = 0 } = code;
    const event = (eventType: number) => (key === undefined ? evdevKey(evdev, eventType) : { key, eventType });
    await this.#hold([[key ?? evdev, event]], durationMs, signal);
  }

  async rotate(turns: QuarterTurns, signal: AbortSignal): Promise<void> {
    await this.#shell.must(['settings', 'put', 'system', 'accelerometer_rotation', '1'], { signal });
    await this.#client.setPhysicalModel(PHYSICAL_ROTATION, [0, 0, ANGLE_OF_TURNS[turns] ?? 0]);
    await poll(this.#clock, TURNS, () => this.#feed.turns === turns || signal.aborted);
    if (this.#feed.turns === turns) return;
    throw signal.aborted ? aborted() : new DeviceFault('failed', 'The screen did not turn.');
  }

  async releaseAll(signal?: AbortSignal): Promise<void> {
    await this.#screen.lift();
    for (const [name, release] of [...this.#held].reverse()) {
      await this.#channel.key(release);
      this.#held.delete(name);
    }
    await this.#channel.arrived(signal);
  }

  async refresh(): Promise<void> {
    // Calls overtake each other: the picture is to show what was touched before it was asked for.
    await this.#channel.flushed();
    await this.#feed.refresh();
  }

  async frame(): Promise<Frame> {
    return this.#feed.take();
  }

  close(): void {
    this.clipboard.close();
    this.#feed.close();
    this.#channel.close();
    this.#client.close();
  }

  /** Presses keys in their order, and lets them go in the opposite one after the hold or when it is ended. */
  async #hold(
    keys: readonly (readonly [name: number | string, event: (eventType: number) => KeyboardEvent])[],
    durationMs: number,
    signal: AbortSignal,
  ): Promise<void> {
    try {
      for (const [name, event] of keys) {
        this.#held.set(name, event(KEY_UP));
        await this.#channel.key(event(KEY_DOWN));
      }
      // The hold begins when the emulator has the keys.
      await this.#channel.arrived(signal);
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

const aborted = () => new DeviceFault('aborted', 'The input was ended early.');

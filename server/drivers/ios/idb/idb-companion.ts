import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Button, Orientation } from '@runcloud/protocol';
import type { Point } from '../../../device/driver.ts';
import { DeviceFault } from '../../../device/fault.ts';
import type { ToolEnvironment } from '../../../device/target.ts';
import { systemClock } from '../../../flow/clock.ts';
import { poll } from '../../../flow/poll.ts';
import { type LongTool, startLongTool } from '../../process/long-tool.ts';
import { makeOwnFolder } from '../../process/own-folder.ts';
import { plainLine } from '../../process/plain-line.ts';
import type { VideoListener } from '../../video/video-source.ts';
import { readAccessibility } from '../accessibility.ts';
import type { Direction, ReadUi, SimulatorHelper, TouchPhase } from '../helper.ts';
import type { PanelSize } from '../physical-point.ts';
import type { Udid } from '../udid.ts';
import { type CompanionClient, companionClient, type Description } from './companion-client.ts';
import { InputCalls, type Touched } from './input-calls.ts';
import { unknownHabits, type VideoHabits, videoCall } from './video-call.ts';

const STARTS = { everyMs: 100, forMs: 30_000 } as const;
const CALL_MS = 10_000;
/** Two presses of the home button are one gesture when they are this far apart. */
const DOUBLE_PRESS_MS = 100;
/** And two gestures when they are this far apart: the guest waits about half as long for a second one. */
const APART_MS = 600;

const BUTTONS: Readonly<Partial<Record<Button, string>>> = { power: 'LOCK', sideButton: 'SIDE_BUTTON' };

/** The helper `idb_companion`, on a socket that only this user can open. It knows one finger, and no buttons of volume. */
export class IdbCompanion implements SimulatorHelper {
  readonly name = 'idb_companion';
  readonly can = {
    fingers: 1,
    buttons: ['home', 'appSwitcher', 'recents', 'power', 'sideButton'],
    renderOptions: [],
    toggleSoftwareKeyboard: true,
  } as const;
  readonly #tool: LongTool;
  readonly #folder: string;
  readonly #client: CompanionClient;
  readonly #points: PanelSize;
  readonly #inputs: InputCalls;
  readonly #habits: VideoHabits = unknownHabits();
  /** A keyboard of the Mac's counts as connected at first, and hides the one on the screen. */
  #hardwareKeyboard = true;
  /** When the home button was pressed for the last time. */
  #homeMs = Number.NEGATIVE_INFINITY;
  #lost: string | undefined;
  #listener: (reason: string) => void = () => undefined;

  private constructor(tool: LongTool, folder: string, client: CompanionClient, points: PanelSize) {
    this.#tool = tool;
    this.#folder = folder;
    this.#client = client;
    this.#points = points;
    this.#inputs = new InputCalls(client, (reason) => this.#lose(reason));
    void tool.ended.then((reason) => this.#lose(reason));
  }

  /** Rejects with an `unavailable` fault when it does not come up. */
  static async start(program: string, udid: Udid, tools: ToolEnvironment): Promise<IdbCompanion> {
    const folder = await makeOwnFolder('idb');
    const path = join(folder, 'companion');
    const args = ['--udid', udid, '--grpc-domain-sock', path, '--only', 'simulator'];
    const tool = startLongTool(program, args, { tools });
    const client = companionClient(path);
    try {
      return new IdbCompanion(tool, folder, client, await reach(client, tool));
    } catch (error) {
      client.close();
      await tool.end();
      await rm(folder, { recursive: true, force: true });
      throw error;
    }
  }

  touch(phase: TouchPhase, [point]: readonly Point[]): void {
    if (!point) throw new RangeError('a touch needs a point');
    const { width, height } = this.#points;
    const touch = { point: { x: point.x * width, y: point.y * height } };
    // A finger that is down moves to where it is pressed again.
    this.#press('finger', { touch }, phase === 'end' ? 'up' : 'down');
  }

  key(direction: Direction, usage: number): void {
    this.#press(`key ${usage}`, { key: { keycode: usage } }, direction);
  }

  button(direction: Direction, button: Button): void {
    const name = BUTTONS[button];
    if (!name) throw new DeviceFault('unsupported', `idb_companion has no button "${button}".`);
    this.#press(name, { button: { button: name } }, direction);
  }

  home(): void {
    this.#keepApart();
    this.#pressHome();
  }

  appSwitcher(): void {
    this.#keepApart();
    this.#pressHome();
    this.#wait(DOUBLE_PRESS_MS);
    this.#pressHome();
    this.#homeMs += DOUBLE_PRESS_MS;
  }

  async toggleSoftwareKeyboard(): Promise<void> {
    const enabled = !this.#hardwareKeyboard;
    await this.#ask<object>((deadline, reply) =>
      this.#client.setting({ hardwareKeyboard: { enabled } }, deadline, reply),
    );
    this.#hardwareKeyboard = enabled;
  }

  async simulateMemoryWarning(): Promise<void> {
    await this.#ask<object>((deadline, reply) => this.#client.simulate_memory_warning({}, deadline, reply));
  }

  async readUi(signal: AbortSignal): Promise<ReadUi> {
    const { json } = await this.#ask<{ readonly json: string }>((deadline, reply) => {
      const call = this.#client.accessibility_info({ format: 'NESTED' }, deadline, reply);
      signal.addEventListener('abort', () => call.cancel(), { once: true });
    });
    return readAccessibility(json);
  }

  async setRenderOption(): Promise<void> {
    throw new DeviceFault('unsupported', 'idb_companion has no render options.');
  }

  async rotate(orientation: Orientation): Promise<void> {
    this.#send({ orientation: { orientation: orientation.toUpperCase() } });
  }

  async taken(signal?: AbortSignal): Promise<void> {
    this.#refuseWhenLost();
    await this.#inputs.taken(signal);
    this.#refuseWhenLost();
  }

  video(listener: VideoListener): () => void {
    const reason = this.#lost;
    if (reason === undefined) return videoCall(this.#client, this.#habits, listener);
    setImmediate(() => listener.ended(reason));
    return () => undefined;
  }

  onLost(listener: (reason: string) => void): void {
    this.#listener = listener;
    if (this.#lost !== undefined) listener(this.#lost);
  }

  async close(): Promise<void> {
    this.#listener = () => undefined;
    this.#lose('The helper was closed.');
    this.#inputs.close();
    this.#client.close();
    await this.#tool.end();
    await rm(this.#folder, { recursive: true, force: true });
  }

  /** The press that comes now is not the second one of a pair. */
  #keepApart(): void {
    const waitMs = this.#homeMs + APART_MS - performance.now();
    if (waitMs > 0) this.#wait(waitMs);
    this.#homeMs = performance.now() + Math.max(0, waitMs);
  }

  #pressHome(): void {
    this.#press('HOME', { button: { button: 'HOME' } }, 'down');
    this.#press('HOME', { button: { button: 'HOME' } }, 'up');
  }

  #wait(forMs: number): void {
    this.#send({ delay: { duration: forMs / 1_000 } });
  }

  #press(name: string, action: object, direction: Direction): void {
    const release = { press: { action, direction: 'UP' } };
    if (direction === 'up') this.#send(release, { name });
    else this.#send({ press: { action, direction: 'DOWN' } }, { name, release });
  }

  #send(event: object, touched?: Touched): void {
    this.#refuseWhenLost();
    this.#inputs.send(event, touched);
  }

  #ask<T>(
    call: (deadline: { deadline: number }, reply: (error: Error | null, value: T) => void) => unknown,
  ): Promise<T> {
    this.#refuseWhenLost();
    return new Promise((resolve, reject) => {
      call({ deadline: Date.now() + CALL_MS }, (error, value) => {
        if (error) reject(new DeviceFault('failed', `The helper refused: ${plainLine(error.message)}`));
        else resolve(value);
      });
    });
  }

  #refuseWhenLost(): void {
    if (this.#lost !== undefined) throw new DeviceFault('unreachable', this.#lost);
  }

  #lose(reason: string): void {
    if (this.#lost !== undefined) return;
    this.#lost = reason;
    this.#listener(reason);
  }
}

/** Waits for the companion's answer, and takes the size of the panel in points out of it. */
async function reach(client: CompanionClient, tool: LongTool): Promise<PanelSize> {
  const ended = tool.ended.then((reason): never => {
    throw new DeviceFault('unavailable', `The helper did not start: ${reason}`);
  });
  const described = await poll(systemClock, STARTS, () => Promise.race([describe(client), ended]));
  if (!described) throw new DeviceFault('unavailable', 'The helper idb_companion does not come up.');
  const { width_points: width = 0, height_points: height = 0 } = described.target_description?.screen_dimensions ?? {};
  if (width > 0 && height > 0) return { width, height };
  throw new DeviceFault('nonsense', 'The helper idb_companion does not tell the size of the screen.');
}

function describe(client: CompanionClient): Promise<Description | undefined> {
  return new Promise((resolve) => {
    client.describe({}, { deadline: Date.now() + CALL_MS }, (error, value) => resolve(error ? undefined : value));
  });
}

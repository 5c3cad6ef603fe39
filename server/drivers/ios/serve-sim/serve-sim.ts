import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Button,
  CAPABILITIES,
  type Orientation,
  RENDER_OPTIONS,
  type RenderOption,
} from '@runcloud/protocol/terms';
import type { Point } from '../../../device/driver.ts';
import { DeviceFault } from '../../../device/fault.ts';
import type { ToolEnvironment } from '../../../device/target.ts';
import { type LongTool, startLongTool } from '../../process/long-tool.ts';
import type { VideoListener } from '../../video/video-source.ts';
import type { Direction, ReadUi, SimulatorHelper, TouchPhase } from '../helper.ts';
import type { Udid } from '../udid.ts';
import { readScreen } from './accessibility.ts';
import { Door } from './door.ts';
import { exposedAddress } from './exposure.ts';
import { InputSocket } from './input-socket.ts';
import {
  buttonMessage,
  keyMessage,
  memoryWarningMessage,
  namedButtonMessage,
  orientationMessage,
  renderOptionMessage,
  softwareKeyboardMessage,
  touchMessage,
} from './messages.ts';
import { videoStream } from './video-stream.ts';

/** It loads frameworks of Xcode's, which takes seconds on a busy Mac. */
const START_MS = 30_000;
const TRY_AGAIN_MS = 100;

/** The helper `serve-sim`, started for one simulator, and kept on the loopback interface and behind a secret. */
export class ServeSim implements SimulatorHelper {
  readonly name = 'serve-sim';
  readonly can = {
    fingers: 2,
    buttons: CAPABILITIES.ios.buttons,
    renderOptions: RENDER_OPTIONS,
    toggleSoftwareKeyboard: true,
  } as const;
  readonly #tool: LongTool;
  readonly #door: Door;
  readonly #inputs: InputSocket;
  #lost: string | undefined;
  #listener: (reason: string) => void = () => undefined;

  private constructor(tool: LongTool, door: Door, inputs: InputSocket) {
    this.#tool = tool;
    this.#door = door;
    this.#inputs = inputs;
    inputs.onLost((reason) => this.#lose(`The helper serve-sim is lost: ${reason}.`));
    void tool.ended.then((reason) => this.#lose(reason));
  }

  /**
   * Starts the program and waits until it takes inputs. Rejects with an `unavailable` fault when it does not come up, or
   * when others could use it.
   */
  static async start(program: string, udid: Udid, tools: ToolEnvironment): Promise<ServeSim> {
    const door = new Door(await freePort());
    const tool = startLongTool(program, ['--no-preview', '-p', String(door.port), udid], {
      tools: { ...tools, ...door.environment },
    });
    try {
      await answering(door, tool);
      const exposed = await exposedAddress(door.port);
      if (exposed === undefined) return new ServeSim(tool, door, await reach(door, tool));
      throw new DeviceFault(
        'unavailable',
        `serve-sim listens on ${exposed}, where others could use it without a password; it was ended.`,
      );
    } catch (error) {
      await tool.end();
      throw error;
    }
  }

  touch(phase: TouchPhase, points: readonly Point[]): void {
    this.#inputs.send(touchMessage(phase, points));
  }

  key(direction: Direction, usage: number): void {
    this.#inputs.send(keyMessage(direction, usage));
  }

  button(direction: Direction, button: Button): void {
    this.#inputs.send(buttonMessage(direction, button));
  }

  home(): void {
    this.#inputs.send(namedButtonMessage('home'));
  }

  appSwitcher(): void {
    this.#inputs.send(namedButtonMessage('app_switcher'));
  }

  async toggleSoftwareKeyboard(): Promise<void> {
    this.#inputs.send(softwareKeyboardMessage());
  }

  async simulateMemoryWarning(): Promise<void> {
    this.#inputs.send(memoryWarningMessage());
  }

  readUi(signal: AbortSignal): Promise<ReadUi> {
    return readScreen(this.#door, signal);
  }

  async setRenderOption(option: RenderOption, enabled: boolean): Promise<void> {
    this.#inputs.send(renderOptionMessage(option, enabled));
  }

  async rotate(orientation: Orientation): Promise<void> {
    this.#inputs.send(orientationMessage(orientation));
  }

  taken(signal?: AbortSignal): Promise<void> {
    return this.#inputs.taken(signal);
  }

  video(listener: VideoListener): () => void {
    return videoStream(this.#door, listener);
  }

  onLost(listener: (reason: string) => void): void {
    this.#listener = listener;
    if (this.#lost !== undefined) listener(this.#lost);
  }

  async close(): Promise<void> {
    this.#listener = () => undefined;
    this.#inputs.close();
    await this.#tool.end();
  }

  #lose(reason: string): void {
    if (this.#lost !== undefined) return;
    this.#lost = reason;
    this.#listener(reason);
  }
}

/** Until something listens that knows the secret, or the helper has ended, or has had its time. */
function answering(door: Door, tool: LongTool): Promise<void> {
  return inTime(tool, async () => {
    const behind = await door.behind();
    if (behind === 'none') throw new DeviceFault('unreachable', 'The helper does not answer yet.');
    if (behind === 'helper') return;
    throw new DeviceFault(
      'unavailable',
      'Another process listens on the port of serve-sim and does not know the secret; it was ended.',
    );
  });
}

/** Until the helper takes inputs. */
const reach = (door: Door, tool: LongTool): Promise<InputSocket> => inTime(tool, () => InputSocket.open(door));

/** Tries until it is reached, or has ended, or has had its time. Rejects at once with a fault of another kind. */
async function inTime<T>(tool: LongTool, attempt: () => Promise<T>): Promise<T> {
  const giveUpMs = performance.now() + START_MS;
  let ended: string | undefined;
  void tool.ended.then((reason) => {
    ended = reason;
  });
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (ended !== undefined) throw new DeviceFault('unavailable', `The helper did not start: ${ended}`);
      if (performance.now() > giveUpMs) throw new DeviceFault('unavailable', 'The helper serve-sim does not come up.');
      if (!(error instanceof DeviceFault) || error.kind !== 'unreachable') throw error;
      await sleep(TRY_AGAIN_MS);
    }
  }
}

/** A port that is free at the moment. */
function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}

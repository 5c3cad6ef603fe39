import type { Orientation } from '@runcloud/protocol';
import { DeviceFault } from '../../device/fault.ts';
import type { ToolEnvironment } from '../../device/target.ts';
import { plainLine } from '../process/plain-line.ts';
import { runTool } from '../process/run-tool.ts';
import { type Fields, isFields } from './json-fields.ts';
import { isUdid, type Udid } from './udid.ts';

const CALL_MS = 20_000;

/** How the words of `devicectl` name the way a device is held: opposite to how interfaces are named on their sides. */
export type DeviceWord = 'portrait' | 'portraitUpsideDown' | 'landscapeLeft' | 'landscapeRight';

/** A simulator's display, as `devicectl` describes it. */
export interface DisplayFacts {
  /** Pixels for one point. */
  readonly scale: number | undefined;
  /** Of the interface. */
  readonly orientation: Orientation | undefined;
}

/** Apple's tool for devices, which knows simulators as well since Xcode 26; older ones lack the commands used here. */
export class Devicectl {
  readonly #xcrun: string;
  readonly #tools: ToolEnvironment;

  private constructor(xcrun: string, tools: ToolEnvironment) {
    this.#xcrun = xcrun;
    this.#tools = tools;
  }

  /** `undefined` where it cannot turn simulators. */
  static async find(xcrun: string, tools: ToolEnvironment): Promise<Devicectl | undefined> {
    const args = ['devicectl', 'device', 'orientation', 'set', '--help'];
    const { exitCode } = await runTool(xcrun, args, { tools, timeoutMs: CALL_MS });
    return exitCode === 0 ? new Devicectl(xcrun, tools) : undefined;
  }

  async setOrientation(udid: Udid, word: DeviceWord, signal?: AbortSignal): Promise<void> {
    await this.#ask(['orientation', 'set'], udid, [word], signal);
  }

  async display(udid: Udid, signal?: AbortSignal): Promise<DisplayFacts> {
    return readDisplay(await this.#ask(['info', 'displays'], udid, [], signal));
  }

  async #ask(what: readonly string[], udid: Udid, rest: readonly string[], signal?: AbortSignal): Promise<unknown> {
    if (!isUdid(udid)) throw new DeviceFault('failed', 'This is no name of a simulator.');
    const args = ['devicectl', 'device', ...what, '-d', udid, ...rest, '--json-output', '-', '-q'];
    const options = { tools: this.#tools, timeoutMs: CALL_MS, ...(signal ? { signal } : {}) };
    const { exitCode, stdout } = await runTool(this.#xcrun, args, options);
    let answer: unknown;
    try {
      answer = JSON.parse(stdout.toString());
    } catch {
      throw new DeviceFault('nonsense', `\`devicectl\` gave no readable answer (exit code ${exitCode}).`);
    }
    const fields = fieldsOf(answer);
    if (exitCode === 0 && fieldsOf(fields.info).outcome === 'success') return fields.result;
    const text = fieldsOf(fieldsOf(fieldsOf(fields.error).userInfo).NSLocalizedDescription).string;
    throw new DeviceFault('failed', `The simulator refused: ${plainLine(String(text ?? 'no reason was given'))}`);
  }
}

/** @param result of `device info displays` */
export function readDisplay(result: unknown): DisplayFacts {
  const displays = fieldsOf(result).displays;
  const list = Array.isArray(displays) ? displays.map(fieldsOf) : [];
  const { pointScale, currentOrientation } = list.find(({ primary }) => primary === true) ?? list[0] ?? {};
  const scale = typeof pointScale === 'number' && pointScale >= 1 && pointScale <= 4 ? pointScale : undefined;
  return { scale, orientation: readOrientation(currentOrientation) };
}

/** Names of interface orientations, however they are spelt; `undefined` for anything else. */
function readOrientation(value: unknown): Orientation | undefined {
  const word = String(value)
    .toLowerCase()
    .replace(/[^a-z]/g, '');
  if (word.endsWith('upsidedown')) return 'portrait_upside_down';
  if (word.endsWith('landscapeleft')) return 'landscape_left';
  if (word.endsWith('landscaperight')) return 'landscape_right';
  return word.endsWith('portrait') ? 'portrait' : undefined;
}

const fieldsOf = (value: unknown): Fields => (isFields(value) ? value : {});

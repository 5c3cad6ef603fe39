import type { DeviceSettings } from '@runcloud/protocol';
import { LIMITS } from '@runcloud/protocol/terms';
import { DeviceFault } from '../../../device/fault.ts';
import type { GuestNetwork, NetworkSpeed } from '../input-backend.ts';
import { askConsole, type ConsoleAddress } from './emulator-console.ts';

const BITS_OF_KBIT = 1_000;

/** As the console tells it: bits a second, 0 without a limit, and milliseconds. */
interface NetworkStatus {
  readonly downloadBps: number;
  readonly uploadBps: number;
  readonly minDelayMs: number;
  readonly maxDelayMs: number;
}

/** How slow the network of an emulator is, by its console: `network speed`, `network delay` and `network status`. */
export class EmulatorNetwork implements GuestNetwork {
  readonly #console: ConsoleAddress;
  #before: NetworkStatus | undefined;
  #isSet = false;

  constructor(console: ConsoleAddress) {
    this.#console = console;
  }

  async begin(left: readonly string[], goesOn = false): Promise<readonly string[]> {
    const before = await this.#found(left, goesOn);
    this.#before = before;
    this.#isSet = goesOn;
    return [before.downloadBps, before.uploadBps, before.minDelayMs, before.maxDelayMs].map(String);
  }

  async limit({ downlinkKbps, uplinkKbps, networkDelayMs }: NetworkSpeed, signal: AbortSignal): Promise<void> {
    const now = await this.#status(signal);
    const asked = {
      downloadBps: downlinkKbps === undefined ? now.downloadBps : downlinkKbps * BITS_OF_KBIT,
      uploadBps: uplinkKbps === undefined ? now.uploadBps : uplinkKbps * BITS_OF_KBIT,
      minDelayMs: networkDelayMs ?? now.minDelayMs,
      maxDelayMs: networkDelayMs ?? now.maxDelayMs,
    };
    this.#isSet = true;
    await this.#put(asked, signal);
  }

  async told(signal: AbortSignal): Promise<DeviceSettings> {
    const { downloadBps, uploadBps, minDelayMs, maxDelayMs } = await this.#status(signal);
    const within = (value: number, { max }: { readonly max: number }) => Number.isInteger(value) && value <= max;
    const [downlinkKbps, uplinkKbps] = [downloadBps / BITS_OF_KBIT, uploadBps / BITS_OF_KBIT];
    return {
      ...(within(downlinkKbps, LIMITS.networkKbps) ? { downlinkKbps } : {}),
      ...(within(uplinkKbps, LIMITS.networkKbps) ? { uplinkKbps } : {}),
      // Some delays are anything between two times.
      ...(minDelayMs === maxDelayMs && within(minDelayMs, LIMITS.networkDelayMs) ? { networkDelayMs: minDelayMs } : {}),
    };
  }

  async clear(): Promise<void> {
    if (this.#before && this.#isSet) await this.#put(this.#before);
    this.#isSet = false;
  }

  async #found(left: readonly string[], goesOn: boolean): Promise<NetworkStatus> {
    const found = parseLeft(left);
    try {
      if (found && !goesOn) await this.#put(found);
      return found ?? (await this.#status());
    } catch (error) {
      // Nothing else of the emulator needs its console.
      if (error instanceof DeviceFault) throw new DeviceFault('unsupported', error.message);
      throw error;
    }
  }

  async #put({ downloadBps, uploadBps, minDelayMs, maxDelayMs }: NetworkStatus, signal?: AbortSignal): Promise<void> {
    const isFull = uploadBps === 0 && downloadBps === 0;
    const speed = isFull ? 'full' : `${uploadBps / BITS_OF_KBIT}:${downloadBps / BITS_OF_KBIT}`;
    const delay = maxDelayMs === 0 ? 'none' : `${minDelayMs}:${maxDelayMs}`;
    await askConsole(this.#console, [`network speed ${speed}`, `network delay ${delay}`], { signal });
  }

  async #status(signal?: AbortSignal): Promise<NetworkStatus> {
    const [lines = []] = await askConsole(this.#console, ['network status'], { signal });
    return parseStatus(lines);
  }
}

/** Lines such as `  download speed:      14400 bits/s (1.8 KB/s)` and `  minimum latency:  80 ms`. Throws a `DeviceFault`. */
export function parseStatus(lines: readonly string[]): NetworkStatus {
  const value = (name: string, unit: string): number => {
    const pattern = new RegExp(`^\\s*${name}:\\s+(\\d{1,15}) ${unit}\\b`);
    const [found] = lines.flatMap((line) => pattern.exec(line)?.[1] ?? []);
    if (found === undefined) throw new DeviceFault('nonsense', `The emulator's console does not tell its ${name}.`);
    return Number(found);
  };
  return {
    downloadBps: value('download speed', 'bits/s'),
    uploadBps: value('upload speed', 'bits/s'),
    minDelayMs: value('minimum latency', 'ms'),
    maxDelayMs: value('maximum latency', 'ms'),
  };
}

/** What `begin` gave; `undefined` for anything else. */
function parseLeft(words: readonly string[]): NetworkStatus | undefined {
  if (words.length !== 4 || !words.every((word) => /^\d{1,15}$/.test(word))) return undefined;
  const [downloadBps = 0, uploadBps = 0, minDelayMs = 0, maxDelayMs = 0] = words.map(Number);
  return { downloadBps, uploadBps, minDelayMs, maxDelayMs };
}

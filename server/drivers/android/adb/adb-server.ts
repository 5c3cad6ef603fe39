import { createConnection, createServer } from 'node:net';
import { AdbServerClient } from '@yume-chan/adb';
import { AdbServerNodeTcpConnector } from '@yume-chan/adb-server-node-tcp';
import { DeviceFault } from '../../../device/fault.ts';
import type { ToolEnvironment } from '../../../device/target.ts';
import { systemClock } from '../../../flow/clock.ts';
import { poll } from '../../../flow/poll.ts';
import { findProgram, requireProgram } from '../../process/find-program.ts';
import { type LongTool, startLongTool } from '../../process/long-tool.ts';
import { plainLine } from '../../process/plain-line.ts';
import { askAdbServer, type KnownDevice, knownDevices } from './host-question.ts';

const LOOPBACK = '127.0.0.1';
/** Starting takes about a second; a first start makes a key. */
const STARTS = { everyMs: 50, forMs: 10_000 } as const;
/** An emulator that is up answers at once; a guest that boots takes a while, and is asked again. */
const CONNECTS = { everyMs: 50, forMs: 10_000 } as const;

/** adb itself gives an address up after ten seconds. */
const ADDRESS_MS_MAX = 12_000;

/** Where an SDK has its `adb`. */
const sdkFolders = (tools: ToolEnvironment): string[] =>
  [tools.ANDROID_HOME, tools.ANDROID_SDK_ROOT].flatMap((sdk) => (sdk ? [`${sdk}/platform-tools`] : []));

export const ADB_REMEDY =
  'install the Android SDK Platform-Tools (Debian: `apt-get install adb`; macOS: `brew install android-platform-tools`), ' +
  'or set ANDROID_HOME';

export const findAdb = (tools: ToolEnvironment): string | undefined => findProgram('adb', tools, sdkFolders(tools));

/** The `adb` program of this host. Throws an `unavailable` fault that says how to get it. */
export const requireAdb = (tools: ToolEnvironment): string =>
  requireProgram('adb', ADB_REMEDY, tools, sdkFolders(tools));

/** A port that is free at the moment. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, LOOPBACK, () => {
      const address = probe.address();
      const port = typeof address === 'object' && address !== null ? address.port : 0;
      probe.close(() => resolve(port));
    });
  });
}

/** Emulators register themselves with the server of 5037 alone, and are connected here by name; nothing else is wanted. */
const OWN_SERVER = { ADB_MDNS: '0', ADB_USB: '0', ADB_EMU: '0', ADB_LOCAL_TRANSPORT_MAX_PORT: '0' };

/**
 * An `adb` server. By default the service's own: on a port of its own, so that it neither meets the one that a person uses
 * on this host nor the devices of that one. With `shared` it is that one, which sees what is plugged in. Whichever host
 * thread needs a server starts it where none answers; it is started anew when it is gone.
 */
export class AdbServer {
  readonly client: AdbServerClient;
  readonly #port: number;
  readonly #tools: ToolEnvironment;
  readonly #shared: boolean;
  #process: LongTool | undefined;
  #starting: Promise<void> | undefined;

  constructor(port: number, tools: ToolEnvironment, { shared = false } = {}) {
    this.#shared = shared;
    this.#port = port;
    this.#tools = tools;
    this.client = new AdbServerClient(new AdbServerNodeTcpConnector({ host: LOOPBACK, port }));
  }

  /** Resolves when the server answers; rejects with an `unavailable` fault. */
  ensure(): Promise<void> {
    this.#starting ??= this.#start().finally(() => {
      this.#starting = undefined;
    });
    return this.#starting;
  }

  /** Makes an emulator known to this server, by its ports; a second time does nothing. */
  async connectEmulator({ consolePort, adbPort }: { consolePort: number; adbPort: number }): Promise<void> {
    const serial = `emulator-${consolePort}`;
    const connect = async () => {
      const state = await this.#stateOf(serial);
      if (state === undefined) await askAdbServer(this.#port, `host:connect:emu:${consolePort},${adbPort}`);
      return state;
    };
    const state = await poll(systemClock, CONNECTS, connect, (state) => state === 'device');
    if (state === 'device') return;
    throw new DeviceFault('unavailable', `The device ${serial} is ${state ?? 'not connected'} for adb.`);
  }

  /**
   * Has the server connect to a device by its address, `host:port`; gives the server's own words for what came of it. Rejects
   * with an `unavailable` fault.
   */
  async connectAddress(address: string): Promise<string> {
    return plainLine(await askAdbServer(this.#port, `host:connect:${address}`, ADDRESS_MS_MAX));
  }

  async #stateOf(serial: string): Promise<string | undefined> {
    return (await this.devices()).find((device) => device.serial === serial)?.state;
  }

  /** Lists the devices that the server has, in any state. Rejects with an `unavailable` fault. */
  devices(): Promise<readonly KnownDevice[]> {
    return knownDevices(this.#port);
  }

  /** Ends the server, if this thread has started it. */
  async close(): Promise<void> {
    await this.#process?.end();
    this.#process = undefined;
  }

  async #start(): Promise<void> {
    if (await this.#answers()) return;
    const adb = requireAdb(this.#tools);
    const tools = this.#shared ? this.#tools : { ...this.#tools, ...OWN_SERVER };
    const tool = startLongTool(adb, ['-P', String(this.#port), 'server', 'nodaemon'], { tools });
    this.#process = tool;
    let reason: string | undefined;
    void tool.ended.then((why) => {
      reason = why;
      if (this.#process === tool) this.#process = undefined;
    });
    // Another thread may have been faster, and its server answers for this one.
    if ((await poll(systemClock, STARTS, async () => (await this.#answers()) || reason)) === true) return;
    await tool.end();
    throw new DeviceFault('unavailable', `The adb server did not start: ${reason ?? 'it did not answer in time'}`);
  }

  #answers(): Promise<boolean> {
    return new Promise((resolve) => {
      const socket = createConnection({ host: LOOPBACK, port: this.#port });
      const tell = (answers: boolean) => {
        socket.destroy();
        resolve(answers);
      };
      socket.setTimeout(1_000, () => tell(false));
      socket.once('connect', () => socket.write('000chost:version'));
      socket.once('data', (data) => tell(data.toString('latin1').startsWith('OKAY')));
      socket.once('error', () => tell(false));
      socket.once('close', () => tell(false));
    });
  }
}

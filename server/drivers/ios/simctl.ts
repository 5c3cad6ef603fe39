import { setTimeout as sleep } from 'node:timers/promises';
import type { Access } from '@runcloud/protocol';
import { DeviceFault } from '../../device/fault.ts';
import type { ToolEnvironment } from '../../device/target.ts';
import { runPastEnd } from '../process/children.ts';
import { type LongTool, startLongTool } from '../process/long-tool.ts';
import { runTool, type ToolResult } from '../process/run-tool.ts';
import { isFocal, readRunningApps } from './frontmost.ts';
import { type InstalledBundle, readInstalledList } from './installed-list.ts';
import { failureSentence, readSimctlFailure, type SimctlFailure } from './simctl-failure.ts';
import { parseSimulatorList, type SimulatorList } from './simulator-list.ts';
import { isUdid, type Udid } from './udid.ts';

/** A question, or a small change. The first call after a start of the Mac may compile Xcode's caches. */
const CALL_MS = 20_000;
/** Copies or creates folders of some gigabytes. */
const CREATE_MS = 60_000;
/** The first boot of a new simulator moves its data. */
const BOOT_MS = 240_000;
const SHUTDOWN_MS = 60_000;
const INSTALL_MS = 120_000;
const OPEN_MS = 15_000;
/** A screenshot of a 3000-pixel screen is below 20 MiB. */
const PICTURE_BYTES_MAX = 33_554_432;

/** After a boot or an installation LaunchServices may know an app only a moment later. */
const OPEN_TRIES = 3;
const OPEN_AGAIN_MS = 500;

/** A message of 32 KiB with what the system tells of its origin, in JSON. */
const LOG_LINE_CHARACTERS_MAX = 262_144;

const REMOVE = '"$1" simctl shutdown "$2"; "$1" simctl delete "$2"';

/** The user that apps of a simulator run as. */
const GUEST_USER = 'user/501';
/** Apps with a process, asked one after the other until one is in front. */
const APPS_ASKED_MAX = 30;

interface CallOptions {
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
  readonly input?: string;
  /** The usual one where absent. */
  readonly tools?: ToolEnvironment;
  readonly outputBytesMax?: number;
}

/** The public commands for simulators. All reject with a `DeviceFault`; no call goes anywhere but to the simulator named. */
export class Simctl {
  readonly #xcrun: string;
  readonly #tools: ToolEnvironment;
  readonly #before: ((signal?: AbortSignal) => Promise<void>) | undefined;

  /**
   * @param xcrun absolute path of the program
   * @param before what each command but `streamLog` waits for
   */
  constructor(xcrun: string, tools: ToolEnvironment, before?: (signal?: AbortSignal) => Promise<void>) {
    this.#xcrun = xcrun;
    this.#tools = tools;
    this.#before = before;
  }

  /** The same commands, each of which waits for something first. */
  behind(before: (signal?: AbortSignal) => Promise<void>): Simctl {
    return new Simctl(this.#xcrun, this.#tools, before);
  }

  async list(): Promise<SimulatorList> {
    const { stdout } = await this.#do(['list', '-j']);
    try {
      return parseSimulatorList(stdout.toString());
    } catch {
      throw new DeviceFault('nonsense', 'The list of simulators cannot be read.');
    }
  }

  async create(name: string, deviceType: string, runtime: string): Promise<Udid> {
    return readUdid(await this.#do(['create', name, deviceType, runtime], { timeoutMs: CREATE_MS }));
  }

  /** A copy of a simulator that is off, with its apps and settings. */
  async clone(udid: Udid, name: string): Promise<Udid> {
    return readUdid(await this.#do(['clone', checked(udid), name], { timeoutMs: CREATE_MS }));
  }

  /** Settles when it is up, also when it already was. */
  async boot(udid: Udid, signal?: AbortSignal): Promise<void> {
    const options = signal ? { signal } : {};
    await this.#do(
      ['boot', checked(udid)],
      options,
      (failure) => failure.kind === 'wrongState' && failure.state !== 'Creating',
    );
    await this.#do(['bootstatus', udid], { timeoutMs: BOOT_MS, ...options });
  }

  /** Settles when it is off, also when it already was. */
  async shutDown(udid: Udid): Promise<void> {
    const accepts = ({ kind }: SimctlFailure) => kind === 'wrongState' || kind === 'missing';
    await this.#do(['shutdown', checked(udid)], { timeoutMs: SHUTDOWN_MS }, accepts);
  }

  async delete(udid: Udid): Promise<void> {
    await this.#do(['delete', checked(udid)], { timeoutMs: SHUTDOWN_MS }, ({ kind }) => kind === 'missing');
  }

  /** Turns it off and deletes it, also when this process ends first. */
  removePastEnd(udid: Udid): Promise<void> {
    return runPastEnd(REMOVE, [this.#xcrun, checked(udid)], this.#tools);
  }

  /** @param app absolute path of the unpacked `.app` folder */
  async install(udid: Udid, app: string, signal?: AbortSignal): Promise<void> {
    await this.#do(['install', checked(udid), app], { timeoutMs: INSTALL_MS, ...(signal ? { signal } : {}) });
  }

  /** @param file absolute path of a picture or a video, whose extension tells its type */
  async addMedia(udid: Udid, file: string, signal: AbortSignal): Promise<void> {
    await this.#do(['addmedia', checked(udid), file], { timeoutMs: INSTALL_MS, signal });
  }

  /** Absolute path of the folder of an app's data. */
  async dataContainer(udid: Udid, bundle: string, signal: AbortSignal): Promise<string> {
    const { stdout } = await this.#do(['get_app_container', checked(udid), bundle, 'data'], { signal });
    const path = stdout.toString().trimEnd();
    if (path.startsWith('/') && !path.includes('\n')) return path;
    throw new DeviceFault('nonsense', 'The folder of the app cannot be read from what simctl says.');
  }

  /** Absolute paths of the folders that an app shares with others, by the names of their groups. */
  async groupContainers(udid: Udid, bundle: string, signal: AbortSignal): Promise<ReadonlyMap<string, string>> {
    const { stdout } = await this.#do(
      ['get_app_container', checked(udid), bundle, 'groups'],
      { signal },
      ({ kind }) => kind === 'missing',
    );
    return new Map(
      stdout
        .toString()
        .split('\n')
        .flatMap((line) => {
          const [name = '', path = ''] = line.split('\t');
          return path.startsWith('/') ? [[name, path] as const] : [];
        }),
    );
  }

  /** Starts an app anew and brings it to the front. */
  async relaunch(udid: Udid, bundle: string, signal?: AbortSignal): Promise<void> {
    const args = ['launch', '--terminate-running-process', checked(udid), bundle];
    await this.#do(args, signal ? { signal } : {});
  }

  /**
   * Starts an app or brings it to the front. With arguments, each of which the app gets as it is, one that runs is ended first.
   */
  async launch(udid: Udid, bundle: string, words: readonly string[], signal: AbortSignal): Promise<void> {
    const anew = words.length > 0 ? ['--terminate-running-process'] : [];
    await this.#do(['launch', ...anew, checked(udid), bundle, ...words], { signal });
  }

  /** Settles when the app has no process, also when it had none. */
  async terminate(udid: Udid, bundle: string, signal: AbortSignal): Promise<void> {
    await this.#do(['terminate', checked(udid), bundle], { signal }, ({ kind }) => kind === 'notRunning');
  }

  async uninstall(udid: Udid, bundle: string, signal: AbortSignal): Promise<void> {
    await this.#do(['uninstall', checked(udid), bundle], { signal });
  }

  /** The installed apps. */
  async apps(udid: Udid, signal: AbortSignal): Promise<readonly InstalledBundle[]> {
    const { stdout } = await this.#do(['listapps', checked(udid)], { signal });
    try {
      return readInstalledList(stdout.toString());
    } catch {
      throw new DeviceFault('nonsense', 'The list of apps cannot be read.');
    }
  }

  /** Rejects with an `unhandled` fault when no app takes the URL. */
  async openUrl(udid: Udid, url: string, signal: AbortSignal): Promise<void> {
    for (let tries = 1; ; tries++) {
      const result = await this.#run(['openurl', checked(udid), url], { timeoutMs: OPEN_MS, signal });
      if (result.exitCode === 0) return;
      const failure = readSimctlFailure(result.exitCode, result.stderr);
      if (failure.kind !== 'noHandler') throw faultOf(failure, result);
      if (tries === OPEN_TRIES) throw new DeviceFault('unhandled', 'No installed app takes this URL.');
      await sleep(OPEN_AGAIN_MS, undefined, { signal }).catch(() => {
        throw new DeviceFault('aborted', 'Opening the URL was ended.');
      });
    }
  }

  /** PNG, as the screen is now. */
  async screenshot(udid: Udid): Promise<Buffer> {
    const args = ['io', checked(udid), 'screenshot', '--type=png', '-'];
    return (await this.#do(args, { outputBytesMax: PICTURE_BYTES_MAX })).stdout;
  }

  /** Puts a text where the guest's paste takes it from. */
  async copy(udid: Udid, text: string, signal?: AbortSignal): Promise<void> {
    await this.#do(['pbcopy', checked(udid)], { tools: this.#inUtf8, input: text, ...(signal ? { signal } : {}) });
  }

  /** The text that the guest's paste would take; empty where there is none. */
  async copied(udid: Udid, signal?: AbortSignal): Promise<string> {
    const { stdout } = await this.#do(['pbpaste', checked(udid)], {
      tools: this.#inUtf8,
      ...(signal ? { signal } : {}),
    });
    return stdout.toString();
  }

  /** Sets an option of the user interface, or reads it where it has no value; resolves with what is told, without white space around it. */
  async ui(udid: Udid, words: readonly string[], signal: AbortSignal): Promise<string> {
    return (await this.#do(['ui', checked(udid), ...words], { signal })).stdout.toString().trim();
  }

  /** Writes or reads preferences of the guest (`man defaults`); resolves with what is told, without white space around it. */
  async defaults(udid: Udid, words: readonly string[], signal: AbortSignal): Promise<string> {
    return (await this.#do(['spawn', checked(udid), 'defaults', ...words], { signal })).stdout.toString().trim();
  }

  /** Tells the guest that it is there. Settles when the command was taken; nothing reads it back. */
  async setLocation(udid: Udid, latitude: string, longitude: string, signal: AbortSignal): Promise<void> {
    await this.#do(['location', checked(udid), 'set', `${latitude},${longitude}`], { signal });
  }

  /**
   * Moves the guest along points, `latitude,longitude` each, at a speed in metres a second, telling it each second where it is. Settles
   * when the command was taken.
   */
  async startRoute(udid: Udid, points: readonly string[], speed: string, signal: AbortSignal): Promise<void> {
    await this.#do(['location', checked(udid), 'start', `--speed=${speed}`, '--interval=1', ...points], { signal });
  }

  /** Ends the location that was set, and the route. */
  async clearLocation(udid: Udid, signal: AbortSignal): Promise<void> {
    await this.#do(['location', checked(udid), 'clear'], { signal });
  }

  /** Decides what an app may use, or forgets what was decided. Settles when the command was taken; nothing reads it back. */
  async privacy(udid: Udid, access: Access, service: string, bundle: string, signal: AbortSignal): Promise<void> {
    await this.#do(['privacy', checked(udid), access, service, bundle], { signal });
  }

  /** Delivers a notification to an app, from its standard input. Settles when it was taken; whether it is shown is not told. */
  async push(udid: Udid, bundle: string, payload: string, signal: AbortSignal): Promise<void> {
    await this.#do(['push', checked(udid), bundle, '-'], { input: payload, signal });
  }

  /** Sets or posts a notification of the guest's system, or reads its state; resolves with what is told. */
  async notify(udid: Udid, words: readonly string[], signal: AbortSignal): Promise<string> {
    return (await this.#do(['spawn', checked(udid), 'notifyutil', ...words], { signal })).stdout.toString();
  }

  /** Bundle identifiers of the apps that have a process. */
  async running(udid: Udid, signal: AbortSignal): Promise<ReadonlySet<string>> {
    const text = await this.#print(udid, GUEST_USER, { signal });
    return new Set(readRunningApps(text).map(({ bundle }) => bundle));
  }

  /** The bundle identifier of the app that a person is looking at; `undefined` on the home screen. */
  async foreground(udid: Udid, signal?: AbortSignal): Promise<string | undefined> {
    const options = signal ? { signal } : {};
    const print = (what: string) => this.#print(udid, what, options);
    const apps = readRunningApps(await print(GUEST_USER)).slice(0, APPS_ASKED_MAX);
    for (const { service, bundle } of apps) if (isFocal(await print(`${GUEST_USER}/${service}`))) return bundle;
    return undefined;
  }

  /**
   * Follows what the guest logs from now on, each line an object in JSON, until it is told to end. Messages for debugging are left out:
   * the system writes thousands a second of them.
   */
  streamLog(udid: Udid, onLine: (line: string) => void): LongTool {
    const words = ['log', 'stream', '--style', 'ndjson', '--level', 'info'];
    const options = { tools: this.#inUtf8, onLine, lineCharactersMax: LOG_LINE_CHARACTERS_MAX };
    return startLongTool(this.#xcrun, ['simctl', 'spawn', checked(udid), ...words], options);
  }

  async #print(udid: Udid, what: string, options: CallOptions): Promise<string> {
    const words = ['spawn', checked(udid), 'launchctl', 'print', what];
    return (await this.#do(words, options, ({ kind }) => kind === 'other')).stdout.toString();
  }

  async #do(
    args: readonly string[],
    options: CallOptions = {},
    accepts: (failure: SimctlFailure) => boolean = () => false,
  ): Promise<ToolResult> {
    const result = await this.#run(args, options);
    if (result.exitCode === 0) return result;
    const failure = readSimctlFailure(result.exitCode, result.stderr);
    if (accepts(failure)) return result;
    throw faultOf(failure, result);
  }

  /** These commands read and write in the encoding of the locale; without one, in that of old Macs. */
  get #inUtf8(): ToolEnvironment {
    return { ...this.#tools, LC_ALL: 'en_US.UTF-8' };
  }

  async #run(args: readonly string[], { timeoutMs = CALL_MS, ...options }: CallOptions): Promise<ToolResult> {
    await this.#before?.(options.signal);
    return runTool(this.#xcrun, ['simctl', ...args], { tools: this.#tools, timeoutMs, ...options });
  }
}

function faultOf(failure: SimctlFailure, { stderr }: ToolResult): DeviceFault {
  const sentence = failureSentence(stderr);
  if (failure.kind === 'wrongState')
    return new DeviceFault('unavailable', `The simulator cannot do this now: ${sentence}`);
  return new DeviceFault('failed', `The simulator refused: ${sentence}`);
}

function checked(udid: Udid): Udid {
  if (!isUdid(udid)) throw new DeviceFault('failed', 'This is no name of a simulator.');
  return udid;
}

function readUdid({ stdout }: ToolResult): Udid {
  const udid = stdout.toString().trim();
  if (!isUdid(udid)) throw new DeviceFault('nonsense', 'The new simulator has no readable name.');
  return udid;
}

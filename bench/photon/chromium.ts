import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DevTools } from './dev-tools.ts';
import { inTime } from './tap-loop.ts';

/** Paths at which distributions install it. */
const PROGRAMS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
export const CHROMIUM_FLAGS = [
  '--headless=new',
  '--no-sandbox',
  '--disable-gpu',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--remote-debugging-port=0',
];
const CLOSE_MS_MAX = 3_000;
const ADDRESS = /DevTools listening on (ws:\S+)/;

/** The browser's program; `undefined` where there is none. */
export const chromiumProgram = (): string | undefined => PROGRAMS.find((program) => existsSync(program));

/** Headless Chromium with a profile of its own, driven directly over its DevTools socket, without a library. */
export class Chromium {
  readonly devTools: DevTools;
  readonly #process: ChildProcess;
  readonly #profile: string;

  private constructor(process: ChildProcess, profile: string, devTools: DevTools) {
    this.#process = process;
    this.#profile = profile;
    this.devTools = devTools;
  }

  static async start(): Promise<Chromium> {
    const program = chromiumProgram();
    if (program === undefined) throw new Error(`no Chromium at ${PROGRAMS.join(', ')}`);
    const profile = mkdtempSync(join(tmpdir(), 'runcloud-photon-'));
    // The pipe carries no messages. It closes when this process ends, in whatever way, and the browser then ends, too.
    const child = spawn(program, [...CHROMIUM_FLAGS, '--remote-debugging-pipe', `--user-data-dir=${profile}`], {
      stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'],
      detached: true,
    });
    const killNow = () => killGroup(child);
    process.once('exit', killNow);
    child.once('exit', () => process.off('exit', killNow));
    const address = new Promise<string>((resolve, reject) => {
      let output = '';
      child.stderr?.setEncoding('utf8').on('data', (text: string) => {
        if (output.length < 65_536) output += text;
        const found = ADDRESS.exec(output)?.[1];
        if (found) resolve(found);
      });
      child.once('error', reject);
      child.once('exit', () => reject(new Error(`Chromium ended by itself:\n${output}`)));
    });
    try {
      return new Chromium(child, profile, await DevTools.connect(await inTime(address, 'starting Chromium', 20_000)));
    } catch (error) {
      killGroup(child);
      rmSync(profile, { recursive: true, force: true });
      throw error;
    }
  }

  /** Ends the browser with all its processes, and removes its profile. */
  async close(): Promise<void> {
    const { exitCode, signalCode } = this.#process;
    const exited = new Promise<void>((resolve) => void this.#process.once('exit', () => resolve()));
    // A regular exit lets it end its children first, which would otherwise go on writing to the profile.
    if (exitCode === null && signalCode === null) {
      this.devTools.send('Browser.close').catch(() => undefined);
      await Promise.race([exited, sleep(CLOSE_MS_MAX)]);
    }
    killGroup(this.#process);
    this.devTools.close();
    rmSync(this.#profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
  }
}

/** Kills the browser and its children, which form a process group. */
function killGroup({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch {
    // The whole group has ended already.
  }
}

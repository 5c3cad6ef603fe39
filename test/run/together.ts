import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import root, { type Test } from 'tap';
import { closeIdleConnections } from '../support/idle-connections.ts';

/**
 * Runs test files one after the other in this process, each as a subtest under its own name; the next one is asked for when the one
 * before has ended. The `t` that a file imports
 * is then its subtest: hooks, teardown, temporary folder and time limit are the file's own, as when it runs by itself.
 */

interface Times {
  /** A file may take this long. */
  readonly fileMsMax: number;
  /** Handles that a file opened may take this long to close after its last test. */
  readonly closingMsMax: number;
}

const TIMES: Times = { fileMsMax: Number(process.env.TAP_TIMEOUT ?? 120) * 1_000, closingMsMax: 20_000 };
const LOOK_MS = 5;
/** Variables that packages set when they are loaded: sharp names the folder of its library. */
const SET_BY_PACKAGES = ['VIPSHOME'];
/** Jiffies of the processor in a second, on Linux. */
const TICKS_PER_SECOND = 100;

export function runTogether(files: Iterable<string>, times: Times = TIMES): void {
  const { test, setTimeout, comment, fail, end } = root;
  const handOver = lend(root);
  let running = '';
  // It would end the process, and so hide the files that follow.
  process.on('uncaughtException', (fault) => fail(`while ${running} ran, nobody caught: ${fault?.stack ?? fault}`));
  /** Waits for what the file before has opened to be closed. */
  let closing = async (): Promise<void> => undefined;
  const runAll = async (): Promise<void> => {
    for (const file of files) await run(file);
    await test('all is closed', { timeout: 2 * times.closingMsMax }, async () => {
      await closing();
      // Now nothing is left to be done: what still holds the process has been told.
      setTimeout(times.closingMsMax);
    });
    end();
  };
  const run = async (file: string): Promise<void> => {
    await test(file, { timeout: times.fileMsMax + times.closingMsMax }, async (t) => {
      // The parent may end this process after this time, so that a file that blocks it does not block the run.
      setTimeout(2 * (times.fileMsMax + times.closingMsMax));
      await closing();
      const before = { open: openNow(), variables: { ...process.env }, cpuMs: cpuMs(), atMs: performance.now() };
      closing = async () => {
        handOver(undefined);
        for (const fault of await leftBehind(before, times.closingMsMax)) fail(`${file} has ended and ${fault}`);
        const [wallMs, usedMs] = [performance.now() - before.atMs, cpuMs() - before.cpuMs];
        comment(`${file}: ${Math.round(wallMs)} ms, ${Math.round(usedMs)} ms of the processors`);
      };
      handOver(t);
      running = file;
      t.setTimeout(times.fileMsMax);
      t.testdirName = resolve('.tap/fixtures', file.replaceAll('/', '-'));
      await import(pathToFileURL(resolve(file)).href);
    });
  };
  void runAll();
}

/** Makes `t` stand for any other test, until the next one is handed to it. */
function lend(t: Test): (to: Test | undefined) => void {
  let holder: Test | undefined;
  const own = Object.getPrototypeOf(t);
  Object.setPrototypeOf(
    t,
    new Proxy(own, {
      get(_, name) {
        const value = Reflect.get(holder ?? own, name);
        // tap finds the object that a method belongs to where it is called without one.
        return typeof value === 'function' ? value.bind(undefined) : value;
      },
    }),
  );
  return (to) => {
    holder = to;
  };
}

/** How many of each kind keep this process alive. */
function openNow(): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const kind of process.getActiveResourcesInfo()) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return counts;
}

interface Before {
  readonly open: ReadonlyMap<string, number>;
  readonly variables: Readonly<Record<string, string | undefined>>;
}

/** Handles that a file still holds at the end of the time that it has to close them. */
async function leftBehind({ open, variables }: Before, waitMs: number): Promise<string[]> {
  await closeIdleConnections();
  const left = () => [...openNow()].filter(([kind, count]) => count > (open.get(kind) ?? 0)).map(([kind]) => kind);
  const deadlineMs = performance.now() + waitMs;
  // One look decides: the next one may find what tap itself does meanwhile.
  let remaining = left();
  while (remaining.length > 0 && performance.now() < deadlineMs) {
    await sleep(LOOK_MS);
    remaining = left();
  }
  const names = new Set([...Object.keys(variables), ...Object.keys(process.env)]);
  const changed = [...names].filter((name) => variables[name] !== process.env[name] && !SET_BY_PACKAGES.includes(name));
  return [
    ...remaining.map((kind) => `leaves open: ${kind}`),
    ...changed.map((name) => `leaves changed in the environment: ${name}`),
  ];
}

/** The processor time of this process, with that of the children that have ended. */
function cpuMs(): number {
  if (process.platform !== 'linux') return process.cpuUsage().user / 1_000 + process.cpuUsage().system / 1_000;
  // The program's name stands in brackets before the numbers, and may itself hold spaces.
  const numbers = readFileSync('/proc/self/stat', 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');
  const ticks = numbers.slice(11, 15).reduce((sum, value) => sum + Number(value), 0);
  return (ticks * 1_000) / TICKS_PER_SECOND;
}

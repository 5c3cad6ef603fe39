import { open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { CrashLine } from '../../device/logs.ts';
import type { ToolEnvironment } from '../../device/target.ts';
import { type Clock, systemClock } from '../../flow/clock.ts';
import { sleepUntil } from '../../flow/sleep.ts';
import type { Udid } from './udid.ts';

const LOOK_MS = 1_000;
/** A report that cannot be read by then is given up. */
const LOOKS_MAX = 10;
/** Of one report, which has some hundred kilobytes; longer ones are none. */
const BYTES_MAX = 4_194_304;
const NAME_CHARACTERS_MAX = 256;

/** Where macOS writes reports of crashes of the user's processes, of which those of simulators are some. */
const folderOf = ({ HOME = '' }: ToolEnvironment): string => join(HOME, 'Library', 'Logs', 'DiagnosticReports');

/** Calls `take` for each report about a process of the simulator that is written from now on, until the signal fires. */
export async function followCrashReports(
  tools: ToolEnvironment,
  udid: Udid,
  ended: AbortSignal,
  take: (crash: CrashLine) => void,
  clock: Clock = systemClock,
): Promise<void> {
  const folder = folderOf(tools);
  const done = new Set(await reportsIn(folder));
  const looks = new Map<string, number>();
  while (!ended.aborted) {
    await sleepUntil(clock.monotonicMs() + LOOK_MS, clock, ended).catch(() => undefined);
    if (ended.aborted) return;
    for (const name of await reportsIn(folder)) {
      if (done.has(name)) continue;
      const count = (looks.get(name) ?? 0) + 1;
      looks.set(name, count);
      // It may still be written.
      const report = readCrashReport(await beginningOf(join(folder, name)));
      if (!report && count < LOOKS_MAX) continue;
      done.add(name);
      looks.delete(name);
      if (report?.path.includes(`/${udid}/`) && !ended.aborted) take(report.crash);
    }
  }
}

/**
 * A report of the format `.ips` (Apple, "Interpreting the JSON format of a crash report"): an object in its first line, and another
 * one behind it, in which `procPath` tells the program, below the folder of its simulator. `undefined` for what is not whole.
 */
export function readCrashReport(text: string): { readonly path: string; readonly crash: CrashLine } | undefined {
  try {
    const at = text.indexOf('\n');
    const head = JSON.parse(text.slice(0, at)) as Record<string, unknown>;
    const body = JSON.parse(text.slice(at)) as Record<string, unknown>;
    if (typeof body.procPath !== 'string') return undefined;
    const process = textOf(head.bundleID) ?? textOf(body.procName) ?? 'app';
    const { type, signal } = (body.exception ?? {}) as Record<string, unknown>;
    const what = [textOf(type), textOf(signal)].filter((word) => word !== undefined).join(' ');
    const pid = Number.isSafeInteger(body.pid) && Number(body.pid) >= 0 ? { pid: Number(body.pid) } : {};
    const wallMs = timeOf(body.captureTime) ?? timeOf(head.timestamp) ?? 0;
    const crash = {
      wallMs,
      process: process.slice(0, NAME_CHARACTERS_MAX),
      ...pid,
      text: `crash: ${what}`,
      report: text,
    };
    return { path: body.procPath, crash };
  } catch {
    return undefined;
  }
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

/** `2026-11-28 21:05:06.1234 +0100`; milliseconds since 1970. */
function timeOf(value: unknown): number | undefined {
  const [, day, time, hours, minutes] =
    /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d(?:\.\d{1,9})?) ([+-]\d\d)(\d\d)$/.exec(String(value)) ?? [];
  const ms = Date.parse(`${day}T${time}${hours}:${minutes}`);
  return Number.isNaN(ms) ? undefined : Math.floor(ms);
}

async function reportsIn(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder).catch((): string[] => []);
  return names.filter((name) => name.endsWith('.ips'));
}

async function beginningOf(path: string): Promise<string> {
  const file = await open(path).catch(() => undefined);
  if (!file) return '';
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(BYTES_MAX), 0, BYTES_MAX, 0);
    return buffer.toString('utf8', 0, bytesRead);
  } catch {
    return '';
  } finally {
    await file.close();
  }
}

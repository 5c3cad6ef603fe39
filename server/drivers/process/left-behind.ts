import { lstatSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ToolEnvironment } from '../../device/target.ts';
import { isOver } from './is-over.ts';
import { agesOf } from './process-ages.ts';

/**
 * Programs that stay outlive a service that is killed. Each is noted in a file of its own for as long as it runs, and one
 * whose service is gone is ended by the next. A process is known by its number and the time of its start together, never by
 * a name: numbers are given out again.
 */

interface Note {
  readonly pid: number;
  /** Since the Unix epoch. */
  readonly startedMs: number;
  /** The process that has started it. */
  readonly owner: number;
}

/** `ps` counts in whole seconds, and a busy machine is late. */
const START_SLACK_MS = 3_000;
const PRIVATE_MODE = 0o700;
const OTHERS = 0o077;

const defaultFolder = (): string => join(tmpdir(), `runcloud-programs-${process.getuid?.() ?? 0}`);

/**
 * Notes a program that was just started; returns a function that removes the note. Without a folder that only this user
 * can write to, nothing is noted, because a user who writes there chooses which processes are ended.
 */
export function noteProgram(pid: number, folder = defaultFolder()): () => void {
  const path = join(folder, `${process.pid}-${pid}`);
  const note: Note = { pid, startedMs: Date.now(), owner: process.pid };
  try {
    mkdirSync(folder, { recursive: true, mode: PRIVATE_MODE });
    if (!isOwn(folder)) return () => undefined;
    // Services that start beside this one read what is there, and remove what they cannot read.
    const draft = join(folder, `.${process.pid}-${pid}`);
    writeFileSync(draft, JSON.stringify(note), { mode: 0o600 });
    renameSync(draft, path);
  } catch {
    // A full disk must not keep a device from opening.
    return () => undefined;
  }
  return () => rmSync(path, { force: true });
}

/** Ends, with everything that they have started, the programs of services that are gone; tells how many there were. */
export async function endLeftBehind(
  tools: ToolEnvironment,
  folder = defaultFolder(),
  systemFolders: readonly string[] = ['/bin', '/usr/bin'],
): Promise<number> {
  const orphans = readNotes(folder).filter(({ note }) => note === undefined || isOver(note.owner, note.startedMs));
  const pids = orphans.flatMap(({ note }) => note?.pid ?? []);
  const askedMs = Date.now();
  const ages = await agesOf(pids, tools, systemFolders);
  const toldMs = Date.now();
  // Where the running processes cannot be listed, the notes are kept for a later start.
  if (!ages) return 0;
  let ended = 0;
  for (const { path, note } of orphans) {
    const ageMs = note && ages.get(note.pid);
    // Its age is of some moment between the question and the answer, which may lie far apart.
    const isIt = ({ startedMs }: Note, age: number) =>
      startedMs >= askedMs - age - START_SLACK_MS && startedMs <= toldMs - age + START_SLACK_MS;
    if (note && ageMs !== undefined && isIt(note, ageMs)) {
      kill(note.pid);
      ended++;
    }
    rmSync(path, { force: true });
  }
  return ended;
}

/** A file that is no valid note gets `undefined`. */
function readNotes(folder: string): { readonly path: string; readonly note: Note | undefined }[] {
  try {
    if (!isOwn(folder)) return [];
    const names = readdirSync(folder).filter((name) => !name.startsWith('.'));
    return names.map((name) => {
      const path = join(folder, name);
      return { path, note: parseNote(readFileSync(path, 'utf8')) };
    });
  } catch {
    return [];
  }
}

function parseNote(text: string): Note | undefined {
  try {
    const { pid, startedMs, owner } = JSON.parse(text) as Partial<Note>;
    if (!Number.isSafeInteger(pid) || !Number.isSafeInteger(owner) || !Number.isFinite(startedMs)) return undefined;
    // 0 and -1 would mean more than one process.
    return Number(pid) > 1 ? (JSON.parse(text) as Note) : undefined;
  } catch {
    return undefined;
  }
}

function isOwn(folder: string): boolean {
  const stat = lstatSync(folder);
  return stat.isDirectory() && stat.uid === process.getuid?.() && (stat.mode & OTHERS) === 0;
}

function kill(pid: number): void {
  try {
    // It leads a group of its own.
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It ended just now.
  }
}

import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Test } from 'tap';
import { withFfmpeg } from '../host/stream/ffmpeg.ts';
import { complaints, probe } from './mp4-judges.ts';
import { broken, KillHistory, lostOf, MOMENTS } from './recording-kills.ts';

export interface KillPlan {
  readonly count: number;
  readonly seed: number;
  /** Kills while the recording is being recovered, at most. */
  readonly laterKillsMax: number;
  readonly folder: string;
  /** Further settings of the servers. */
  readonly environment?: Readonly<Record<string, string>>;
}

/** Numbers from 0 up to 1, the same for the same seed (mulberry32). */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Runs the plan; one assertion for each history, and ffprobe and ffmpeg as judges of each file where they are there. */
export async function proveKills(
  t: Test,
  { count, seed, laterKillsMax, folder, environment }: KillPlan,
): Promise<void> {
  const random = seeded(seed);
  const judged = !('skip' in withFfmpeg());
  const totals: Record<string, number> = {};
  const lost: Record<'moving' | 'still', number[]> = { moving: [], still: [] };
  for (let history = 0; history < count; history++) {
    const moment = MOMENTS[history % MOMENTS.length] ?? 'recording';
    const laterKills = Math.floor(random() * (laterKillsMax + 1));
    const dataDir = join(folder, String(history));
    mkdirSync(dataDir, { recursive: true });
    const kills = new KillHistory(dataDir, random, environment);
    try {
      // Each moment with both kinds of screens.
      const moving = Math.floor(history / MOMENTS.length) % 2 === 0;
      const outcome = await kills.run(moment, laterKills, moving);
      const { recording, file } = outcome;
      const name = `history ${history}: killed while ${moment}, ${laterKills} times again, then ${recording?.status}`;
      t.equal(broken(outcome), undefined, name);
      if (file && judged) t.equal(await faultOfFile(file, dataDir, recording?.durationMs ?? 0), '', name);
      const key = `${moment} ${recording?.status ?? 'unacknowledged'}`;
      totals[key] = (totals[key] ?? 0) + 1;
      if (recording?.durationMs !== undefined) lost[moving ? 'moving' : 'still'].push(lostOf(outcome));
    } catch (error) {
      t.fail(`history ${history} (${moment}, ${laterKills}): ${error}`, { log: kills.log });
    } finally {
      await kills.close();
      rmSync(dataDir, { recursive: true, force: true });
    }
  }
  t.comment(JSON.stringify({ ...totals, lostMs: { moving: spread(lost.moving), still: spread(lost.still) } }));
}

/** The median, what nine in ten stay below, and the worst. */
function spread(values: readonly number[]) {
  const sorted = [...values].sort((one, other) => one - other);
  const at = (share: number) => Math.round(sorted[Math.floor((sorted.length - 1) * share)] ?? 0);
  return { count: sorted.length, median: at(0.5), ninth: at(0.9), worst: at(1) };
}

async function faultOfFile(file: Buffer, dataDir: string, durationMs: number): Promise<string> {
  const path = join(dataDir, 'download.mp4');
  writeFileSync(path, file);
  const { format } = await probe(path);
  const differenceMs = Math.abs(Number(format.duration) * 1_000 - durationMs);
  return differenceMs > 50 ? `ffprobe finds ${format.duration} s, the record says ${durationMs} ms` : complaints(path);
}

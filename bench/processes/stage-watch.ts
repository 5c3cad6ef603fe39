import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Stage } from '../../server/link/stages.ts';

/** Module that makes a service note the stages of its inputs and pictures. */
export const STAGE_WATCH: string = new URL('./stage-watch.mjs', import.meta.url).href;

/** Environment variable with the folder into which each thread of the service writes its notes as it ends. */
export const STAGES_DIR = 'BENCH_STAGES_DIR';

export interface StageMark {
  readonly stage: Stage;
  readonly inputSeq: number;
  /** Since the epoch; comparable between processes of one machine. */
  readonly atMs: number;
}

/** The notes of all threads of a service that has ended. */
export const readStages = (dir: string): readonly StageMark[] =>
  readdirSync(dir).flatMap((name) => JSON.parse(readFileSync(join(dir, name), 'utf8')) as readonly StageMark[]);

import type { DragFigures, DragJob, LoadFigures, LoadJob } from '../load/job.ts';
import { Child } from './child.ts';

/** Extra time of a job besides the measurement: for connecting, draining, and a machine that stalls. */
const JOB_GRACE_MS = 15_000;

/** The process that generates all load, so that its cost is the same for everything that is compared. */
export class LoadProcess {
  readonly #child: Child;

  /** @param core the core to which it is bound, if any */
  constructor(core?: number) {
    this.#child = new Child({ name: 'load process', file: 'bench/load/main.ts', core });
  }

  /** Runs one job at a time. Throws if the job fails, is late or the process has ended. */
  run(job: LoadJob): Promise<LoadFigures> {
    return this.#child.order(job, job.warmUpMs + job.measureMs + JOB_GRACE_MS);
  }

  /** Runs one job of live gestures; otherwise like `run`. */
  drag(job: DragJob): Promise<DragFigures> {
    return this.#child.order(job, job.warmUpMs + job.measureMs + JOB_GRACE_MS);
  }

  stop(): Promise<void> {
    return this.#child.stop();
  }
}

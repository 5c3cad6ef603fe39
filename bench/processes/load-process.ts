import type { DragFigures, DragJob, LoadFigures, LoadJob } from '../load/job.ts';
import { Child } from './child.ts';

/** Time past the measurement itself that a job may take: connecting, draining, a machine that stalls. */
const JOB_GRACE_MS = 15_000;

/** The process that all load comes from, so that its cost is the same for everything that is compared. */
export class LoadProcess {
  readonly #child: Child;

  constructor(core: number) {
    this.#child = new Child({ name: 'load process', file: 'bench/load/main.ts', core });
  }

  /** Runs one job to its end; one at a time. Throws when the job fails, is late or the process is gone. */
  run(job: LoadJob): Promise<LoadFigures> {
    return this.#child.order(job, job.warmUpMs + job.measureMs + JOB_GRACE_MS);
  }

  /** The same for live gestures. */
  drag(job: DragJob): Promise<DragFigures> {
    return this.#child.order(job, job.warmUpMs + job.measureMs + JOB_GRACE_MS);
  }

  stop(): Promise<void> {
    return this.#child.stop();
  }
}

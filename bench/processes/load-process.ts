import type { LoadFigures, LoadJob, LoadReply } from '../load/job.ts';
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
  async run(job: LoadJob): Promise<LoadFigures> {
    const { process: child } = this.#child;
    const limitMs = job.warmUpMs + job.measureMs + JOB_GRACE_MS;
    let timer: NodeJS.Timeout | undefined;
    const answered = new Promise<LoadReply>((resolve, reject) => {
      child.once('message', (reply: LoadReply) => resolve(reply));
      timer = setTimeout(() => reject(new Error(`no figures after ${limitMs} ms`)), limitMs);
      child.send(job, (error) => error && reject(error));
    });
    try {
      const reply = await Promise.race([answered, this.#child.gone()]);
      if (!reply.ok) throw new Error(reply.error);
      return reply.figures;
    } finally {
      clearTimeout(timer);
      child.removeAllListeners('message');
    }
  }

  stop(): Promise<void> {
    return this.#child.stop();
  }
}

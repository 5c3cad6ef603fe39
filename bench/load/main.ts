import { runClosedLoop } from './closed-loop.ts';
import { httpLanes } from './http-lane.ts';
import type { LoadFigures, LoadJob, LoadReply, LoadTarget } from './job.ts';
import { runOpenLoop } from './open-loop.ts';
import { socketLanes } from './socket-lane.ts';

/** The load process: takes one job after another from the bench and answers each with its figures. */
function runJob(job: LoadJob, fail: (error: Error) => void): Promise<LoadFigures> {
  const { mode, moreTargets = [], target, template } = job;
  const inFlight = mode.kind === 'closed' ? mode.inFlight : 1;
  const lanesTo = (to: LoadTarget) =>
    to.kind === 'socket' ? socketLanes(to, template, inFlight) : httpLanes(to, template);
  return mode.kind === 'closed'
    ? runClosedLoop(job, mode, lanesTo(target), fail)
    : runOpenLoop(job, mode.perSecond, [target, ...moreTargets].map(lanesTo), fail);
}

async function answer(job: LoadJob): Promise<LoadReply> {
  try {
    const figures = await new Promise<LoadFigures>((resolve, reject) => {
      runJob(job, reject).then(resolve, reject);
    });
    return { ok: true, figures };
  } catch (error) {
    return { ok: false, error: error instanceof Error ? error.message : String(error) };
  }
}

process.on('message', (job: LoadJob) => {
  void answer(job).then((reply) => process.send?.(reply));
});
// The channel keeps no child of the bench alive by itself; here it is all there is to wait for.
process.channel?.ref();

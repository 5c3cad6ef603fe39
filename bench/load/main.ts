import { runClosedLoop } from './closed-loop.ts';
import { runDrag } from './drag-loop.ts';
import { httpLanes } from './http-lane.ts';
import type { DragJob, LoadFigures, LoadJob, LoadReply, LoadTarget, RequestTemplate } from './job.ts';
import type { OpenLane } from './lane.ts';
import { runOpenLoop } from './open-loop.ts';
import { socketIoLanes } from './socket-io-lane.ts';
import { socketLanes } from './socket-lane.ts';

function lanesTo(target: LoadTarget, template: RequestTemplate, inFlight: number): OpenLane {
  if (target.kind === 'socket') return socketLanes(target, template, inFlight);
  return target.kind === 'http' ? httpLanes(target, template) : socketIoLanes(target, template, inFlight);
}

/** The load process: receives one job after another from the bench and answers each with its figures. */
function runJob(job: LoadJob, fail: (error: Error) => void): Promise<LoadFigures> {
  const { mode, moreTargets = [], target, template } = job;
  const inFlight = mode.kind === 'closed' ? mode.inFlight : 1;
  const open = (to: LoadTarget) => lanesTo(to, template, inFlight);
  return mode.kind === 'closed'
    ? runClosedLoop(job, mode, open(target), fail)
    : runOpenLoop(job, mode.perSecond, [target, ...moreTargets].map(open), fail);
}

async function answer(job: LoadJob | DragJob): Promise<LoadReply> {
  try {
    const figures = await new Promise<LoadFigures>((resolve, reject) => {
      ('drag' in job ? runDrag(job, reject) : runJob(job, reject)).then(resolve, reject);
    });
    return { ok: true, figures };
  } catch (error) {
    return { ok: false, error: error instanceof Error ? error.message : String(error) };
  }
}

process.on('message', (job: LoadJob | DragJob) => {
  void answer(job).then((reply) => process.send?.(reply));
});
// In a child of the bench the channel is unreferenced, but this process has nothing else that keeps it alive.
process.channel?.ref();

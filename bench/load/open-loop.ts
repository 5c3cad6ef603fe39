import type { LoadFigures, LoadJob } from './job.ts';
import type { OpenLane } from './lane.ts';
import { MeasureWindow, nowUs } from './measure-window.ts';
import { startPacer } from './pace.ts';

/** Time for the pacing thread to receive its order before the first request is due. */
const START_MS = 5;

/**
 * Sends requests at fixed times, on one connection or in turns on several. Latency is measured from the intended time of a
 * request, so that a stalled server cannot hide the requests that it delayed (coordinated omission).
 */
export async function runOpenLoop(
  job: LoadJob,
  perSecond: number,
  openLanes: readonly OpenLane[],
  fail: (error: Error) => void,
): Promise<LoadFigures> {
  const periodUs = 1_000_000 / perSecond;
  const count = Math.ceil(((job.warmUpMs + job.measureMs) / 1_000) * perSecond);
  let startUs = Number.POSITIVE_INFINITY;
  let answered = 0;
  let allAnswered = () => {};
  const end = new Promise<void>((resolve) => {
    allAnswered = resolve;
  });
  let window = new MeasureWindow(job, startUs);
  const open = (openLane: OpenLane, number: number) => {
    let answeredHere = 0;
    return openLane(number, {
      failed: fail,
      answered() {
        // Answers come in the order of the requests, and this connection has every n-th of them.
        const intendedUs = startUs + (number + answeredHere++ * openLanes.length) * periodUs;
        window.record(intendedUs, nowUs() - intendedUs);
        answered++;
        if (answered === count) allAnswered();
      },
    });
  };
  const lanes = await Promise.all(openLanes.map(open));
  const pacer = await startPacer();
  startUs = nowUs() + START_MS * 1_000;
  window = new MeasureWindow(job, startUs);
  let sent = 0;
  pacer.begin(startUs, periodUs, count, () => lanes[sent++ % lanes.length]?.send());
  await end;
  await pacer.stop();
  for (const lane of lanes) lane.close();
  return window.figures();
}

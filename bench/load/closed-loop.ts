import type { LoadFigures, LoadJob } from './job.ts';
import type { Lane, OpenLane } from './lane.ts';
import { MeasureWindow, nowUs } from './measure-window.ts';

/** The times at which the requests in flight on one connection were sent, in order. */
class SentTimes {
  readonly #timesUs: Float64Array;
  #next = 0;
  #oldest = 0;

  constructor(inFlight: number) {
    this.#timesUs = new Float64Array(inFlight);
  }

  push(timeUs: number): void {
    this.#timesUs[this.#next++ % this.#timesUs.length] = timeUs;
  }

  shift(): number {
    return this.#timesUs[this.#oldest++ % this.#timesUs.length] ?? 0;
  }
}

/** Sends a request after each answer until the measured time is over, then waits for the requests in flight. */
export async function runClosedLoop(
  job: LoadJob,
  mode: { readonly connections: number; readonly inFlight: number },
  openLane: OpenLane,
  fail: (error: Error) => void,
): Promise<LoadFigures> {
  let window = new MeasureWindow(job, Number.POSITIVE_INFINITY);
  let inFlight = 0;
  let drained = () => {};
  const end = new Promise<void>((resolve) => {
    drained = resolve;
  });

  const open = async (number: number): Promise<{ readonly lane: Lane; readonly begin: () => void }> => {
    const sent = new SentTimes(mode.inFlight);
    const lane = await openLane(number, {
      failed: fail,
      answered() {
        const atUs = nowUs();
        window.record(atUs, atUs - sent.shift());
        if (atUs < window.untilUs) return send(atUs);
        inFlight--;
        if (inFlight === 0) drained();
      },
    });
    const send = (atUs: number) => {
      sent.push(atUs);
      lane.send();
    };
    const begin = () => {
      for (let count = 0; count < mode.inFlight; count++, inFlight++) send(nowUs());
    };
    return { lane, begin };
  };

  const lanes = await Promise.all(Array.from({ length: mode.connections }, (_, number) => open(number)));
  window = new MeasureWindow(job, nowUs());
  for (const { begin } of lanes) begin();
  await end;
  for (const { lane } of lanes) lane.close();
  return window.figures();
}

import { parentPort, workerData } from 'node:worker_threads';
import type { Arrival } from './guest.ts';
import { StandInMac, type StandInOptions } from './stand-in-mac.ts';

/** Asked for a model's guest: what is to be read off its screen, or what has arrived there since the last time. */
export interface MacQuestion {
  readonly call: number;
  /** Absent: it is to end. */
  readonly model?: string;
  readonly what?: 'screen' | 'arrivals';
}

const CLOSE_MS_MAX = 3_000;

/** A stand-in of a Mac on a thread or in a process of its own. */
const serve = async (options: StandInOptions, post: (answer: object) => void) => {
  const mac = await StandInMac.start(options);
  post({ call: 0, value: mac.tools });
  return ({ call, model, what = 'screen' }: MacQuestion) => {
    if (model === undefined) {
      // A program that is still on its way to the door must not keep it open.
      setTimeout(() => process.exit(), CLOSE_MS_MAX);
      return void mac.close().then(() => process.exit());
    }
    try {
      const guest = mac.guestOf(model);
      const arrivals = (): readonly Arrival[] => guest.arrivals.splice(0);
      post({ call, value: what === 'screen' ? guest.inspect() : arrivals() });
    } catch (error) {
      post({ call, error: String(error) });
    }
  };
};

if (parentPort) {
  const port = parentPort;
  const answer = await serve(workerData, (message) => port.postMessage(message));
  port.on('message', answer);
} else {
  const answer = await serve(JSON.parse(process.argv[2] ?? '{}'), (message) => process.send?.(message));
  process.on('message', answer);
  // Ends with the process that started it.
  process.on('disconnect', () => process.exit());
}

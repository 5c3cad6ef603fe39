import { Worker } from 'node:worker_threads';
import type { Inspection } from '../../../server/device/driver.ts';
import type { StandInOptions } from './stand-in-mac.ts';

interface Answer {
  readonly call: number;
  readonly value?: unknown;
  readonly error?: string;
}

/**
 * A stand-in of a Mac that does not share a thread with the service under test, so that neither is late because of the
 * other's pictures.
 */
export class MacThread {
  readonly tools: Readonly<Record<string, string>>;
  readonly #worker: Worker;
  readonly #waiting = new Map<number, (answer: Answer) => void>();
  #calls = 0;

  private constructor(worker: Worker, tools: Readonly<Record<string, string>>) {
    this.#worker = worker;
    this.tools = tools;
    worker.on('message', (answer: Answer) => {
      this.#waiting.get(answer.call)?.(answer);
      this.#waiting.delete(answer.call);
    });
  }

  static async start(options: StandInOptions): Promise<MacThread> {
    const worker = new Worker(new URL('mac-boot.mjs', import.meta.url), { workerData: options });
    const ready = await new Promise<Answer>((resolve, reject) => {
      worker.once('message', resolve);
      worker.once('error', reject);
    });
    return new MacThread(worker, ready.value as Readonly<Record<string, string>>);
  }

  /** The state of the running simulator of a device type. */
  inspect(model: string): Promise<Inspection> {
    const call = ++this.#calls;
    return new Promise((resolve, reject) => {
      this.#waiting.set(call, ({ value, error }) => {
        if (error === undefined) resolve(value as Inspection);
        else reject(new Error(error));
      });
      this.#worker.postMessage({ call, model });
    });
  }

  async close(): Promise<void> {
    const gone = new Promise((resolve) => this.#worker.once('exit', resolve));
    this.#worker.postMessage({ call: 0 });
    await gone;
  }
}

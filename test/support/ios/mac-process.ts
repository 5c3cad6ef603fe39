import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Arrival } from './guest.ts';
import type { StandInOptions } from './stand-in-mac.ts';

const WORKER = fileURLToPath(new URL('mac-worker.ts', import.meta.url));

/** A stand-in of a Mac in a process of its own, whose clock nobody else's work makes late. */
export class MacProcess {
  readonly tools: Readonly<Record<string, string>>;
  readonly #child: ChildProcess;
  #calls = 0;

  private constructor(child: ChildProcess, tools: Readonly<Record<string, string>>) {
    this.#child = child;
    this.tools = tools;
  }

  static async start(options: StandInOptions): Promise<MacProcess> {
    const child = fork(WORKER, [JSON.stringify(options)], { execArgv: ['--import', 'tsx'], serialization: 'advanced' });
    const [ready] = await once(child, 'message');
    return new MacProcess(child, ready.value);
  }

  /** Inputs that have reached the guest of a device type since the last call. */
  async arrivals(model: string): Promise<readonly Arrival[]> {
    const call = ++this.#calls;
    this.#child.send({ call, model, what: 'arrivals' });
    for (;;) {
      const [answer] = await once(this.#child, 'message');
      if (answer.call !== call) continue;
      if (answer.error !== undefined) throw new Error(answer.error);
      return answer.value;
    }
  }

  async close(): Promise<void> {
    const gone = once(this.#child, 'exit');
    this.#child.send({ call: 0 });
    await gone;
  }
}

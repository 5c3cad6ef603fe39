import { ACTIONS, type InteractionRequest } from '@runcloud/protocol';
import type { Receiver } from '../link/host-link.ts';
import type { RemoteDevice } from '../link/remote-device.ts';
import { INTERACTION_ENDINGS } from './ending.ts';
import type { Entry, Job, Work } from './entry.ts';

/** The interactions of one session that are one request and one answer: what differs is in the entries. */
export class PerformWork implements Work {
  readonly #device: RemoteDevice;
  readonly #nextInputSeq: () => number;

  constructor(device: RemoteDevice, nextInputSeq: () => number) {
    this.#device = device;
    this.#nextInputSeq = nextInputSeq;
  }

  start(entry: Entry): void {
    const request = entry.job.body as InteractionRequest;
    const inputSeq = this.#nextInputSeq();
    const receiver = request.action === 'gesture' ? withSteps(entry, inputSeq) : entry;
    entry.call = this.#device.perform(request, inputSeq, receiver);
    entry.tellDispatched(inputSeq);
  }

  stop(entry: Entry): void {
    if (entry.call !== 0) this.#device.cancel(entry.call);
  }
}

/** Only who wants the steps of a gesture is told them. */
function withSteps(entry: Entry, inputSeq: number): Receiver<'perform'> {
  return {
    answered: (result) => entry.answered(result),
    failed: (fault) => entry.failed(fault),
    steps: (steps) => entry.tellDispatched(inputSeq, steps),
  };
}

/** One of them with its place in the queue. */
export class PerformJob implements Job {
  readonly body: InteractionRequest;
  readonly #work: PerformWork;

  constructor(request: InteractionRequest, work: PerformWork) {
    this.body = request;
    this.#work = work;
  }

  get requestId(): string {
    return this.body.requestId;
  }

  get action(): string {
    return this.body.action;
  }

  get timeoutMs(): number {
    return this.body.timeoutMs;
  }

  get endings(): typeof INTERACTION_ENDINGS {
    return INTERACTION_ENDINGS;
  }

  get brief(): boolean {
    return ACTIONS[this.body.action].brief;
  }

  createWork(): PerformWork {
    return this.#work;
  }
}

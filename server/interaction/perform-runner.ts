import { ACTIONS, type InteractionRequest } from '@runcloud/protocol';
import type { CallObserver } from '../link/host-link.ts';
import type { RemoteDevice } from '../link/remote-device.ts';
import { INTERACTION_ENDINGS } from './ending.ts';
import type { Request, RequestSpec, Runner } from './request.ts';

/** Runs the interactions of one session that are one message and one answer. One runner serves all of them. */
export class PerformRunner implements Runner {
  readonly #device: RemoteDevice;
  readonly #nextInputSeq: () => number;

  constructor(device: RemoteDevice, nextInputSeq: () => number) {
    this.#device = device;
    this.#nextInputSeq = nextInputSeq;
  }

  start(request: Request): void {
    const body = request.spec.body as InteractionRequest;
    const inputSeq = this.#nextInputSeq();
    const receiver = body.action === 'gesture' ? withSteps(request, inputSeq) : request;
    request.call = this.#device.perform(body, inputSeq, receiver);
    request.tellDispatched(inputSeq);
  }

  stop(request: Request): void {
    if (request.call !== 0) this.#device.cancel(request.call);
  }
}

/** Steps are reported only if an observer wants them. */
function withSteps(request: Request, inputSeq: number): CallObserver<'perform'> {
  return {
    answered: (result) => request.answered(result),
    failed: (fault) => request.failed(fault),
    steps: (steps) => request.tellDispatched(inputSeq, steps),
  };
}

/** One of them with its place in the queue. */
export class PerformSpec implements RequestSpec {
  readonly body: InteractionRequest;
  readonly #runner: PerformRunner;

  constructor(body: InteractionRequest, runner: PerformRunner) {
    this.body = body;
    this.#runner = runner;
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

  get isRead(): boolean {
    return ACTIONS[this.body.action].reads;
  }

  get isForgotten(): boolean {
    return ACTIONS[this.body.action].reads;
  }

  createRunner(): PerformRunner {
    return this.#runner;
  }
}

import { INTERACTIONS, type InteractionRequest } from '@runcloud/protocol';
import type { DeviceFault } from '../device/fault.ts';
import type { Receiver } from '../link/host-link.ts';
import type { RemoteDevice } from '../link/remote-device.ts';
import { completedWith, endingOfFault, INTERACTION_ENDINGS } from './ending.ts';
import type { Entry, Work } from './entry.ts';

/** One request-and-answer interaction on the device. */
export class PerformWork implements Work, Receiver<'perform'> {
  readonly brief: boolean;
  /** Absent where nobody needs it: only who wants the steps of a gesture is told them. */
  readonly steps?: (steps: number) => void;
  readonly #device: RemoteDevice;
  readonly #request: InteractionRequest;
  readonly #nextInputSeq: () => number;
  #entry: Entry | undefined;
  #inputSeq = 0;
  #call = 0;

  constructor(device: RemoteDevice, request: InteractionRequest, nextInputSeq: () => number) {
    this.brief = INTERACTIONS[request.action].brief;
    this.#device = device;
    this.#request = request;
    this.#nextInputSeq = nextInputSeq;
    if (request.action === 'gesture') this.steps = (steps) => this.#entry?.tellDispatched(this.#inputSeq, steps);
  }

  start(entry: Entry): void {
    this.#entry = entry;
    this.#inputSeq = this.#nextInputSeq();
    this.#call = this.#device.perform(this.#request, this.#inputSeq, this);
    entry.tellDispatched(this.#inputSeq);
  }

  stop(): void {
    if (this.#call !== 0) this.#device.cancel(this.#call);
  }

  answered(result: Readonly<Record<string, unknown>> | undefined): void {
    this.#entry?.finish(completedWith(result));
  }

  failed(fault: DeviceFault): void {
    this.#entry?.finish(endingOfFault(fault, this.#entry.wish));
  }
}

/** The same with its place in the queue. */
export class PerformJob {
  readonly requestId: string;
  readonly action: string;
  readonly body: InteractionRequest;
  readonly timeoutMs: number;
  readonly endings = INTERACTION_ENDINGS;

  constructor(request: InteractionRequest) {
    this.requestId = request.requestId;
    this.action = request.action;
    this.body = request;
    this.timeoutMs = request.timeoutMs;
  }

  createWork(device: RemoteDevice, nextInputSeq: () => number): PerformWork {
    return new PerformWork(device, this.body, nextInputSeq);
  }
}

import { INTERACTIONS, type InteractionRequest } from '@runcloud/protocol';
import type { LinkCall } from '../link/host-link.ts';
import type { RemoteDevice } from '../link/remote-device.ts';
import { type Ending, endingOfFault } from './ending.ts';
import type { Entry, Work } from './entry.ts';

/** One request-and-answer interaction on the device. */
export class PerformWork implements Work {
  readonly brief: boolean;
  readonly #device: RemoteDevice;
  readonly #request: InteractionRequest;
  readonly #nextInputSeq: () => number;
  #call: LinkCall<'perform'> | undefined;

  constructor(device: RemoteDevice, request: InteractionRequest, nextInputSeq: () => number) {
    this.brief = INTERACTIONS[request.action].brief;
    this.#device = device;
    this.#request = request;
    this.#nextInputSeq = nextInputSeq;
  }

  start(entry: Entry): void {
    const inputSeq = this.#nextInputSeq();
    const onSteps =
      this.#request.action === 'gesture' ? (steps: number) => entry.tellDispatched(inputSeq, steps) : undefined;
    this.#call = this.#device.perform(this.#request, inputSeq, onSteps);
    entry.tellDispatched(inputSeq);
    this.#call.answered.then(
      (result) => entry.finish(completed(result)),
      (error) => entry.finish(endingOfFault(error, entry.wish)),
    );
  }

  stop(): void {
    if (this.#call) this.#device.cancel(this.#call);
  }
}

function completed(result: Readonly<Record<string, unknown>> | undefined): Ending {
  return result === undefined ? { status: 'completed' } : { status: 'completed', result };
}

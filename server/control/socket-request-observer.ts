import type { Acknowledgement, Observed } from '@runcloud/protocol';
import { isoTimestamp } from '../flow/timestamp.ts';
import type { Participant } from '../interaction/participant.ts';
import type { Caller, Request, RequestObserver } from '../interaction/request.ts';
import type { MessageWriter } from './message-writer.ts';

/** A caller whose credential may change when it comes back over another socket. */
export interface SocketCaller extends Caller {
  /** Its number in the session's history. */
  readonly origin: number;
  readonly participant: Participant | undefined;
}

/** Observes all requests of one socket; the data of each request comes with the call. */
export class SocketRequestObserver implements RequestObserver {
  readonly caller: SocketCaller;
  readonly #stages: boolean;
  readonly #writer: MessageWriter;
  readonly #onSettled: (acknowledgement: Acknowledgement) => void;

  /** @param stages whether the client wants `accepted` and `dispatched` too */
  constructor(
    caller: SocketCaller,
    writer: MessageWriter,
    stages: boolean,
    onSettled: (acknowledgement: Acknowledgement) => void,
  ) {
    this.caller = caller;
    this.#writer = writer;
    this.#stages = stages;
    this.#onSettled = onSettled;
  }

  get origin(): number {
    return this.caller.origin;
  }

  get participant(): Participant | undefined {
    return this.caller.participant;
  }

  accepted({ requestId, accepted }: Request, queued: number): void {
    if (!this.#stages || this.caller.gone) return;
    this.#writer.message({ type: 'accepted', requestId, acceptedAt: isoTimestamp(accepted.wallMs), queued });
  }

  dispatched({ requestId }: Request, inputSeq: number, steps: number | undefined): void {
    if (!this.#stages || this.caller.gone) return;
    this.#writer.message({ type: 'dispatched', requestId, inputSeq, ...(steps === undefined ? {} : { steps }) });
  }

  settled(acknowledgement: Acknowledgement): void {
    this.#onSettled(acknowledgement);
    if (!this.caller.gone) this.#writer.message(acknowledgement);
  }

  observed(requestId: string, observed: Observed): void {
    if (!this.caller.gone) this.#writer.message({ type: 'observed', requestId, ...observed });
  }
}

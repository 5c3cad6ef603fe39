import type { Acknowledgement, Acks, Observed } from '@runcloud/protocol';
import { isoTimestamp } from '../flow/timestamp.ts';
import type { Participant } from '../interaction/participant.ts';
import type { Caller, Request, RequestObserver } from '../interaction/request.ts';
import type { MessageWriter } from './message-writer.ts';

/** A caller whose credential may change when it comes back over another socket. */
export interface SocketCaller extends Caller {
  /** Its number in the session's history. */
  readonly origin: number;
  readonly participant: Participant | undefined;
  /** A request that came over it has ended. */
  settled(acknowledgement: Acknowledgement): void;
}

/** Observes all requests of one socket; the data of each request comes with the call. */
export class SocketRequestObserver implements RequestObserver {
  readonly caller: SocketCaller;
  readonly #stages: boolean;
  readonly #writer: MessageWriter;

  /** @param stages whether the client wants `accepted` and `dispatched` too */
  constructor(caller: SocketCaller, writer: MessageWriter, stages: boolean) {
    this.caller = caller;
    this.#writer = writer;
    this.#stages = stages;
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
    this.caller.settled(acknowledgement);
    if (!this.caller.gone) this.#writer.message(acknowledgement);
  }

  observed(requestId: string, observed: Observed): void {
    if (!this.caller.gone) this.#writer.message({ type: 'observed', requestId, ...observed });
  }
}

/** The observers of one socket. Each is made for the first request that wants it, since most sockets have none. */
export class SocketRequestObservers {
  readonly #caller: SocketCaller;
  readonly #writer: MessageWriter;
  #all: SocketRequestObserver | undefined;
  #final: SocketRequestObserver | undefined;

  constructor(caller: SocketCaller, writer: MessageWriter) {
    this.#caller = caller;
    this.#writer = writer;
  }

  of(acks: Acks): SocketRequestObserver {
    if (acks === 'final') {
      this.#final ??= new SocketRequestObserver(this.#caller, this.#writer, false);
      return this.#final;
    }
    this.#all ??= new SocketRequestObserver(this.#caller, this.#writer, true);
    return this.#all;
  }
}

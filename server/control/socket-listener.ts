import type { Acknowledgement } from '@runcloud/protocol';
import { isoTimestamp } from '../flow/timestamp.ts';
import type { Caller, Entry, Listener } from '../interaction/entry.ts';
import type { MessageWriter } from './message-writer.ts';

/** A socket that waits for requests. One listens to all of them: what it must know of each is in the entry. */
export class SocketListener implements Listener {
  readonly caller: Caller;
  readonly #stages: boolean;
  readonly #writer: MessageWriter;
  readonly #onSettled: (requestId: string) => void;

  /** @param stages whether it is told of acceptance and dispatch as well */
  constructor(socket: Caller, writer: MessageWriter, stages: boolean, onSettled: (requestId: string) => void) {
    this.caller = socket;
    this.#writer = writer;
    this.#stages = stages;
    this.#onSettled = onSettled;
  }

  accepted({ requestId, accepted }: Entry, queued: number): void {
    if (!this.#stages || this.caller.gone) return;
    this.#writer.message({ type: 'accepted', requestId, acceptedAt: isoTimestamp(accepted.wallMs), queued });
  }

  dispatched({ requestId }: Entry, inputSeq: number, steps: number | undefined): void {
    if (!this.#stages || this.caller.gone) return;
    this.#writer.message({ type: 'dispatched', requestId, inputSeq, ...(steps === undefined ? {} : { steps }) });
  }

  settled(acknowledgement: Acknowledgement): void {
    this.#onSettled(acknowledgement.requestId);
    if (!this.caller.gone) this.#writer.message(acknowledgement);
  }
}

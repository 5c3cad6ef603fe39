import type { Acknowledgement, ServerMessage } from '@runcloud/protocol';
import { isoTimestamp } from '../flow/stamp.ts';
import type { Caller, Entry, Listener } from '../interaction/entry.ts';

/** A socket that waits for requests. One listens to all of them: what it must know of each is in the entry. */
export class SocketListener implements Listener {
  readonly caller: Caller;
  readonly #stages: boolean;
  readonly #send: (message: ServerMessage) => void;
  readonly #onSettled: (requestId: string) => void;

  /** @param stages whether it is told of acceptance and dispatch as well */
  constructor(
    socket: Caller & { send(message: ServerMessage): void },
    stages: boolean,
    onSettled: (requestId: string) => void,
  ) {
    this.caller = socket;
    this.#stages = stages;
    this.#send = (message) => socket.send(message);
    this.#onSettled = onSettled;
  }

  accepted({ requestId, accepted }: Entry, queued: number): void {
    if (!this.#stages) return;
    this.#send({ type: 'accepted', requestId, acceptedAt: isoTimestamp(accepted.wallMs), queued });
  }

  dispatched({ requestId }: Entry, inputSeq: number, steps: number | undefined): void {
    if (!this.#stages) return;
    this.#send({ type: 'dispatched', requestId, inputSeq, ...(steps === undefined ? {} : { steps }) });
  }

  settled(acknowledgement: Acknowledgement): void {
    this.#onSettled(acknowledgement.requestId);
    this.#send({ type: 'result', ...acknowledgement });
  }
}

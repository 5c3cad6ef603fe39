import type { Acknowledgement, ControlState, Event } from '@runcloud/protocol';
import type { Ready } from '../protocol.ts';

/** Who has control of the session, as the service last told this page. */
export class ControlWatch {
  #own: string | undefined;
  #isOwner = false;
  #state: ControlState = { waiting: [] };

  ready({ participant, session }: Ready): void {
    this.#own = participant?.id;
    this.#isOwner = participant?.owner ?? false;
    this.#state = session.control ?? { waiting: [] };
  }

  told(event: Event): boolean {
    if (event.event === 'control') this.#state = event.control;
    return event.event === 'control';
  }

  get state(): ControlState {
    return this.#state;
  }

  /** The id of this page among those who may have control. */
  get own(): string | undefined {
    return this.#own;
  }

  /** Whether this page acts for the account that owns the session. */
  get isOwner(): boolean {
    return this.#isOwner;
  }

  /** Whether this page may have control at all. */
  get mayAsk(): boolean {
    return this.#own !== undefined;
  }

  get isMine(): boolean {
    return this.#own !== undefined && this.#state.holder?.id === this.#own;
  }

  /** Whether this page asked for control and waits. */
  get isAsked(): boolean {
    return this.#state.waiting.some(({ id }) => id === this.#own);
  }

  /** The name of another who has control: the service refuses the input of this page. */
  get other(): string | undefined {
    return this.isMine ? undefined : this.#state.holder?.label;
  }
}

/** The outcome of an input that was not sent, because another has control. */
export function notInControl(requestId: string, action: string, holder: string): Acknowledgement {
  const now = new Date().toISOString();
  return {
    ok: false,
    requestId,
    action,
    status: 'failed',
    acceptedAt: now,
    completedAt: now,
    durationMs: 0,
    error: { code: 'not_in_control', message: `${holder} has control. Your input is not sent.`, retryable: true },
  };
}

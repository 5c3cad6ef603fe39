import { routeTo } from '../../protocol/routes/address.ts';
import type { CallOptions } from './actions.ts';
import { checkedId, checkedRequestId } from './arguments.ts';
import type { Control } from './control/control.ts';
import { failureOf } from './error.ts';
import type { Http } from './http.ts';
import { general } from './operations.ts';
import type { ControlAnswer, ControlState, Platform, SessionRecord } from './types.ts';

type Step = 'request' | 'take' | 'release' | 'grant' | 'deny';

/** Who controls a session. While somebody does, the input of others fails with `not_in_control`. */
export class ControlLease {
  readonly #http: Http;
  readonly #about: { readonly sessionId: string; readonly platform: Platform };
  readonly #socket: () => Control | undefined;

  /** @param socket the control socket while it is open: in a page it is another participant than the key */
  constructor(
    http: Http,
    about: { readonly sessionId: string; readonly platform: Platform },
    socket: () => Control | undefined,
  ) {
    this.#http = http;
    this.#about = about;
    this.#socket = socket;
  }

  /** Who has control and who waits for it. */
  async read({ signal }: CallOptions = {}): Promise<ControlState> {
    const to = routeTo('GET /service/sessions/{sessionId}', { sessionId: this.#about.sessionId });
    const { control } = await this.#http.json<SessionRecord>({ operation: general('control.read'), ...to, signal });
    return control ?? { waiting: [] };
  }

  /**
   * Asks for control. You have it at once if nobody has it, that is if `control.holder.id` of the answer is `participant.id`; else
   * you wait, for a minute unless you ask again or have a control socket.
   */
  request(options: CallOptions = {}): Promise<ControlAnswer> {
    return this.#ask('request', undefined, options);
  }

  /** Takes control from whoever has it. */
  take(options: CallOptions = {}): Promise<ControlAnswer> {
    return this.#ask('take', undefined, options);
  }

  /** Gives control up, or withdraws a request. */
  release(options: CallOptions = {}): Promise<ControlAnswer> {
    return this.#ask('release', undefined, options);
  }

  /** Gives control to one who waits, by the id in `waiting`. */
  grant(participant: string, options: CallOptions = {}): Promise<ControlAnswer> {
    return this.#ask('grant', checkedId('participant', participant), options);
  }

  /** Refuses one who waits. */
  deny(participant: string, options: CallOptions = {}): Promise<ControlAnswer> {
    return this.#ask('deny', checkedId('participant', participant), options);
  }

  async #ask(step: Step, participant: string | undefined, { signal }: CallOptions): Promise<ControlAnswer> {
    const operation = general(`control.${step}`);
    const named = participant === undefined ? {} : { participant };
    const socket = this.#socket();
    if (socket?.connected) {
      const message = { type: operation.name, requestId: checkedRequestId(undefined), ...named };
      // A grant that is repeated finds nobody who waits.
      const repeatable = participant === undefined;
      const asked = await socket.ask({ message, operation, waitMs: this.#http.bounds.answerMs, repeatable });
      if (!asked.ok) throw failureOf(operation.name, asked);
      return asked.result as unknown as ControlAnswer;
    }
    const isRelease = step === 'release';
    const to = isRelease
      ? routeTo('DELETE /service/{platform}/{sessionId}/control', this.#about)
      : routeTo('POST /service/{platform}/{sessionId}/control', this.#about);
    const json = isRelease ? {} : { json: { step, ...named } };
    return this.#http.json({
      operation,
      ...to,
      ...json,
      signal,
      repeatable: participant === undefined,
      about: this.#about,
    });
  }
}

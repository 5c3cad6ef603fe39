import type { ErrorCode } from '../errors.ts';

/** The properties of a message that the service needs besides its shape. */
export interface Traits {
  /** The least role that may send it: `view` for messages that change nothing on the device. */
  readonly role: 'control' | 'view';
  /**
   * Whether its answer, a refusal included, is a `result` that carries the message's `requestId`; `'begin'` where only the
   * message of that phase is answered.
   */
  readonly answered: boolean | 'begin';
  /** The code of a message that breaks a rule of its type; `invalid_request` where absent. */
  readonly refusedAs?: ErrorCode;
}

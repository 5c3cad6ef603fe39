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

/** The table of the messages that a client may send. */
export const TRAITS = {
  interaction: { role: 'control', answered: true, refusedAs: 'invalid_interaction' },
  cancel: { role: 'control', answered: false },
  pointer: { role: 'control', answered: 'begin', refusedAs: 'invalid_interaction' },
  screenshot: { role: 'view', answered: true },
  ui: { role: 'view', answered: true },
  'ui.check': { role: 'view', answered: true },
  'ui.wait': { role: 'view', answered: true },
  'open-url': { role: 'control', answered: true, refusedAs: 'invalid_url' },
  // What was copied may be secret, and the screen does not show it: those who only watch do not read it.
  'clipboard.get': { role: 'control', answered: true },
  'clipboard.set': { role: 'control', answered: true },
  'control.request': { role: 'control', answered: true },
  'control.take': { role: 'control', answered: true },
  'control.release': { role: 'control', answered: true },
  'control.grant': { role: 'control', answered: true },
  'control.deny': { role: 'control', answered: true },
  // What was typed may be secret.
  'history.list': { role: 'control', answered: true },
  'recording.start': { role: 'control', answered: true },
  'recording.stop': { role: 'control', answered: true },
  'recording.get': { role: 'view', answered: true },
  'recording.list': { role: 'view', answered: true },
  'screen.start': { role: 'view', answered: false },
  'screen.ack': { role: 'view', answered: false },
  'screen.keyframe': { role: 'view', answered: false },
  'screen.stop': { role: 'view', answered: false },
  ping: { role: 'view', answered: false },
} as const satisfies Record<string, Traits>;
export type ClientMessageType = keyof typeof TRAITS;

/** The traits of a message type; `undefined` for an unknown type. */
export function traitsOf(type: unknown): Traits | undefined {
  return typeof type === 'string' && Object.hasOwn(TRAITS, type) ? TRAITS[type as ClientMessageType] : undefined;
}

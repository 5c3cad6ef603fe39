import { type Static, type TProperties, Type } from '@sinclair/typebox';
import type { ErrorCode } from '../errors.ts';
import { compileCheck, type Fault } from '../fault.ts';

/** What the service must know of a message besides its shape. */
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

/** A message from a client: a map with this `type` and these fields, closed. */
export function clientMessage<Name extends string, Fields extends TProperties>(
  type: Name,
  traits: Traits,
  fields: Fields,
) {
  const schema = Type.Object(
    { type: Type.Literal(type), ...fields },
    { additionalProperties: false, $id: `ClientMessage_${type}` },
  );
  const check: (value: unknown) => Fault | undefined = compileCheck(schema);
  return { type, traits, schema, check };
}

/** A message from the server: its shape, for documentation and for clients that check what they read. */
export function serverMessage<Name extends string, Fields extends TProperties>(type: Name, fields: Fields) {
  return Type.Object({ type: Type.Literal(type), ...fields }, { $id: `ServerMessage_${type}` });
}

export type { Static };

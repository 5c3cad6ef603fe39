import { type TProperties, Type } from '@sinclair/typebox';
import { compileCheck } from '../compile-check.ts';
import type { Fault } from '../fault.ts';
import type { ClientMessageType } from './traits.ts';

/** A message from a client: a map with this `type` and these fields, closed. Its role and its answer are in `TRAITS`. */
export function clientMessage<Name extends ClientMessageType, Fields extends TProperties>(type: Name, fields: Fields) {
  const schema = Type.Object(
    { type: Type.Literal(type), ...fields },
    { additionalProperties: false, $id: `ClientMessage_${type}` },
  );
  const check: (value: unknown) => Fault | undefined = compileCheck(schema);
  return { type, schema, check };
}

/** A message from the server: its shape, for documentation and for clients that check what they read. */
export function serverMessage<Name extends string, Fields extends TProperties>(type: Name, fields: Fields) {
  return Type.Object({ type: Type.Literal(type), ...fields }, { $id: `ServerMessage_${type}` });
}

import { type Static, type TObject, type TProperties, Type } from '@sinclair/typebox';
import type { Fault } from '../fault.ts';
import { compileCheck } from '../fault.ts';
import { LIMITS, type Range } from '../limits.ts';

export const REQUEST_ID_PATTERN = `^[A-Za-z0-9._:-]{1,${LIMITS.requestIdCharacters.max}}$`;

export const RequestId = Type.String({
  pattern: REQUEST_ID_PATTERN,
  words: `1 to ${LIMITS.requestIdCharacters.max} characters out of letters, digits, ".", "_", ":" and "-"`,
  description: 'Correlation id, chosen by the caller; the same id again never has a second effect',
});

/** A whole number of milliseconds within `range`. */
export function milliseconds(range: Range, description: string) {
  return Type.Integer({
    minimum: range.min,
    maximum: range.max,
    ...(range.default === undefined ? {} : { default: range.default }),
    description,
  });
}

export const TimeoutMs = milliseconds(
  LIMITS.interactionTimeoutMs,
  'Milliseconds from acceptance to the terminal acknowledgement, the wait in the queue included',
);

/** Fields that every interaction may carry. */
const COMMON = { requestId: Type.Optional(RequestId), timeoutMs: Type.Optional(TimeoutMs) };

/** The fields of one action, closed: an unknown field is refused by name. */
export function actionSchema<Name extends string, Fields extends TProperties>(name: Name, fields: Fields) {
  return Type.Object(
    { ...COMMON, action: Type.Literal(name), ...fields },
    { additionalProperties: false, $id: `Interaction_${name}` },
  );
}

/** An interaction with its common fields filled in. */
export interface Common {
  readonly requestId: string;
  readonly timeoutMs: number;
}

/** One action of the contract: what it takes, what its schema cannot say, and what stands in for absent fields. */
export interface Action<S extends TObject, Fields extends { readonly action: string }> {
  readonly schema: S;
  /** The first fault of a value that the compiled schema refuses; `undefined` for a valid one. */
  readonly check: (value: unknown) => Fault | undefined;
  /** Rules between fields; `timeoutMs` is the one in force. */
  readonly rules: (input: Static<S>, timeoutMs: number) => Fault | undefined;
  /** A fresh object with every default filled in and nothing of the caller's own. */
  readonly complete: (input: Static<S>) => Fields;
  /** Takes no time of its own: several that wait one behind the other may be sent to the device's host together. */
  readonly brief: boolean;
}

export function defineAction<S extends TObject, Fields extends { readonly action: string }>(parts: {
  readonly schema: S;
  readonly brief?: boolean;
  readonly rules?: (input: Static<S>, timeoutMs: number) => Fault | undefined;
  readonly complete: (input: Static<S>) => Fields;
}): Action<S, Fields> {
  return { rules: () => undefined, brief: false, ...parts, check: compileCheck(parts.schema) };
}

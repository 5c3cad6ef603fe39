import { type SchemaOptions, type Static, type TObject, type TProperties, type TSchema, Type } from '@sinclair/typebox';
import { ACTION_LIMITS } from '../action-limits.ts';
import { compileCheck } from '../compile-check.ts';
import type { Fault } from '../fault.ts';
import type { Range } from '../limits.ts';
import { type Controls, PLATFORMS, type Platform } from '../platforms.ts';
import type { Action, Lack, ObjectSchema } from './action.ts';

export const REQUEST_ID_PATTERN = `^[A-Za-z0-9._:-]{1,${ACTION_LIMITS.requestIdCharacters.max}}$`;

export const RequestId = Type.String({
  pattern: REQUEST_ID_PATTERN,
  words: `1 to ${ACTION_LIMITS.requestIdCharacters.max} characters out of letters, digits, ".", "_", ":" and "-"`,
  description: 'Your own id of the request: one with a repeated id is not performed again',
  examples: ['tap-1'],
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
  ACTION_LIMITS.interactionTimeoutMs,
  'Milliseconds from acceptance to the terminal acknowledgement, including the time in the queue',
);

/** The number of fingers of a gesture, in its result. */
export const PointCount = Type.Integer({ minimum: 0, maximum: ACTION_LIMITS.gesturePoints.max });

/** Fields that every interaction may carry. */
const COMMON = { requestId: Type.Optional(RequestId), timeoutMs: Type.Optional(TimeoutMs) };

/** Of those that change something. */
const Observe = Type.Boolean({
  default: false,
  description: 'Whether you want to be told what it changed on the screen, once it is done',
});

interface Parts<Name extends string, Input, Fields> {
  readonly name: Name;
  readonly summary: string;
  /** A request without the common fields, where the examples of its fields make no good one. */
  readonly example?: NoInfer<Input>;
  readonly rules?: (input: Input, timeoutMs: number) => Fault | undefined;
  /** Absent: the fields have no defaults. */
  readonly complete?: (input: Input, timeoutMs: number) => Fields;
  /** Absent: all platforms. */
  readonly platforms?: readonly Platform[];
  readonly lack?: (fields: NoInfer<Fields>, can: Controls) => Lack | undefined;
  readonly absence?: string;
  readonly brief?: boolean;
  readonly long?: boolean;
  readonly reads?: boolean;
}

/** Builds an action from its parts; a request with an unknown field is refused, and the refusal names the field. */
export function defineAction<
  Name extends string,
  F extends TProperties,
  R extends TProperties | undefined = undefined,
  Fields extends object = Static<TObject<F>>,
>({
  fields,
  result,
  example,
  complete = copy(fields),
  ...parts
}: Parts<Name, Static<TObject<F>>, Fields> & { readonly fields: F; readonly result?: R }): Action<
  Name,
  Static<TObject<F>>,
  Fields,
  R extends TProperties ? Static<TObject<R>> : undefined
> {
  const { name, summary } = parts;
  const typeName = name.charAt(0).toUpperCase() + name.slice(1);
  const named = {
    action: Type.Literal(name, { description: 'Names the action' }),
    ...fields,
    ...COMMON,
    ...(parts.reads ? {} : { observe: Type.Optional(Observe) }),
  };
  const examples = example && { examples: [{ action: name, ...example }] };
  const schema = closed(`${typeName}Interaction`, named, { description: summary, ...examples });
  return {
    rules: () => undefined,
    platforms: PLATFORMS,
    brief: false,
    long: false,
    reads: false,
    ...parts,
    schema,
    check: compileCheck(schema),
    complete,
    ...(result && { result: closed(`${typeName}Result`, result) }),
  };
}

/** An object schema without additional fields. The action's own types describe the fields. */
const closed = ($id: string, fields: TProperties, said: SchemaOptions = {}): TSchema & ObjectSchema =>
  Type.Object(fields, { additionalProperties: false, $id, ...said });

/** Copies flat fields; negative zero, which would compare unequal in a repeated request, becomes zero. */
function copy<Fields extends object>(fields: TProperties): (input: object) => Fields {
  const names = Object.keys(fields);
  return (input) => {
    const given = input as Readonly<Record<string, unknown>>;
    const fresh: Record<string, unknown> = {};
    for (const name of names) {
      const value = given[name];
      if (value !== undefined) fresh[name] = typeof value === 'number' ? value + 0 : value;
    }
    return fresh as Fields;
  };
}

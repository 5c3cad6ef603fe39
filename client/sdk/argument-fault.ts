import { type Fault, faultSentence } from '../../protocol/fault.ts';

/** The parts of the contract's schemas that this file reads. */
interface Schema {
  readonly type?: unknown;
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly patternProperties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
}

/**
 * The error for an invalid argument: a `TypeError` for a missing or unknown field or a wrong type, a `RangeError` for a value
 * of the right type that is not allowed.
 */
export function argumentError(found: Fault, value: unknown, schema: object): TypeError | RangeError {
  const steps = found.path.match(/[^.[\]]+/g) ?? [];
  let inner = value;
  let expected: Schema | undefined = schema as Schema;
  for (const step of steps) {
    inner = (inner as Readonly<Record<string, unknown>> | null | undefined)?.[step];
    expected = expected?.items ?? expected?.properties?.[step] ?? Object.values(expected?.patternProperties ?? {})[0];
  }
  const sentence = faultSentence(found);
  return expected !== undefined && isOfType(inner, expected) ? new RangeError(sentence) : new TypeError(sentence);
}

function isOfType(value: unknown, { type, const: constant, anyOf }: Schema): boolean {
  if (anyOf) return anyOf.some((variant) => isOfType(value, variant));
  if (constant !== undefined) return typeof value === typeof constant;
  switch (type) {
    case 'integer':
      return typeof value === 'number';
    case 'array':
      return Array.isArray(value);
    case 'object':
      return typeof value === 'object' && value !== null && !Array.isArray(value);
    default:
      return typeof value === type;
  }
}

/**
 * Takes the place of `@sinclair/typebox` in the package: makes the same JSON Schemas as far as the contract uses them, in
 * a fortieth of the size. A test holds both against each other.
 */

type Options = Readonly<Record<string, unknown>>;

/** A JSON Schema, and a mark that never shows in JSON. */
interface Schema {
  readonly [keyword: string]: unknown;
  readonly [OPTIONAL]?: true;
}

interface ObjectSchema extends Schema {
  readonly properties: Readonly<Record<string, Schema>>;
}

const OPTIONAL = Symbol('optional');

function object(properties: Readonly<Record<string, Schema>>, options: Options = {}): ObjectSchema {
  const required = Object.keys(properties).filter((name) => properties[name]?.[OPTIONAL] !== true);
  return { ...options, type: 'object', properties, ...(required.length > 0 ? { required } : {}) };
}

const omitted = ({ properties }: ObjectSchema, names: readonly string[]): ObjectSchema =>
  object(Object.fromEntries(Object.entries(properties).filter(([name]) => !names.includes(name))));

const composite = (parts: readonly ObjectSchema[], options?: Options): ObjectSchema =>
  object(Object.assign({}, ...parts.map(({ properties }) => properties)), options);

export const Type = {
  Object: object,
  Omit: omitted,
  Composite: composite,
  Optional: (schema: Schema): Schema => ({ ...schema, [OPTIONAL]: true }),
  String: (options?: Options): Schema => ({ ...options, type: 'string' }),
  Number: (options?: Options): Schema => ({ ...options, type: 'number' }),
  Integer: (options?: Options): Schema => ({ ...options, type: 'integer' }),
  Boolean: (options?: Options): Schema => ({ ...options, type: 'boolean' }),
  Unknown: (options?: Options): Schema => ({ ...options }),
  Unsafe: (schema: Schema): Schema => schema,
  Literal: (value: string | number | boolean, options?: Options): Schema => ({
    ...options,
    const: value,
    type: typeof value,
  }),
  Union: (anyOf: readonly Schema[], options?: Options): Schema => ({ ...options, anyOf }),
  Array: (items: Schema, options?: Options): Schema => ({ ...options, type: 'array', items }),
  /** Keys are texts: any, or those of a pattern. */
  Record: (key: Schema, value: Schema, options?: Options): Schema => ({
    ...options,
    type: 'object',
    patternProperties: { [typeof key.pattern === 'string' ? key.pattern : '^(.*)$']: value },
  }),
};

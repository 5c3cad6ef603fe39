import type { TSchema } from '@sinclair/typebox';
import { ValueErrorType } from './errors.ts';

/**
 * Takes the place of `@sinclair/typebox/compiler` in the package: an interpreter of the schemas that the contract uses.
 * The real one makes code out of text, which a page's Content-Security-Policy forbids. A test holds both against each
 * other.
 */

interface ValueError {
  readonly type: ValueErrorType;
  readonly schema: TSchema;
  /** A JSON pointer. */
  readonly path: string;
  readonly value: unknown;
}

type Found = ValueError | undefined;
type Fields = Readonly<Record<string, unknown>>;

export const TypeCompiler = {
  Compile: (schema: TSchema) => ({
    Check: (value: unknown) => firstError(schema, value, '') === undefined,
    Errors: (value: unknown) => ({ First: () => firstError(schema, value, '') }),
  }),
};

/** The first error, in TypeBox's order. */
function firstError(schema: TSchema, value: unknown, path: string): Found {
  const error = (type: ValueErrorType): ValueError => ({ type, schema, path, value });
  if (Array.isArray(schema.anyOf)) {
    const fits = schema.anyOf.some((variant: TSchema) => firstError(variant, value, path) === undefined);
    return fits ? undefined : error(ValueErrorType.Union);
  }
  if (schema.const !== undefined) return value === schema.const ? undefined : error(ValueErrorType.Literal);
  switch (schema.type) {
    case 'number':
    case 'integer':
      return isNumber(schema, value) ? undefined : error(ValueErrorType.Number);
    case 'string':
      return isText(schema, value) ? undefined : error(ValueErrorType.String);
    case 'boolean':
      return typeof value === 'boolean' ? undefined : error(ValueErrorType.Boolean);
    case 'array':
      return Array.isArray(value) ? listError(schema, value, path) : error(ValueErrorType.Array);
    case 'object':
      if (typeof value !== 'object' || value === null || Array.isArray(value)) return error(ValueErrorType.Object);
      return schema.properties
        ? objectError(schema, value as Fields, path)
        : recordError(schema, value as Fields, path);
    default:
      // An unknown value. A new kind of schema must not pass by chance.
      if (Object.keys(schema).some((key) => !['$id', 'description'].includes(key)))
        throw new TypeError('unknown schema');
      return undefined;
  }
}

function isNumber({ type, minimum = -Infinity, maximum = Infinity }: TSchema, value: unknown): boolean {
  const kind = type === 'integer' ? Number.isInteger(value) : Number.isFinite(value);
  return kind && (value as number) >= minimum && (value as number) <= maximum;
}

function isText({ minLength = 0, maxLength = Infinity, pattern = '' }: TSchema, value: unknown): boolean {
  if (typeof value !== 'string' || value.length < minLength || value.length > maxLength) return false;
  return new RegExp(pattern).test(value);
}

function listError(schema: TSchema, value: readonly unknown[], path: string): Found {
  const error = (type: ValueErrorType): ValueError => ({ type, schema, path, value });
  const { minItems = 0, maxItems = Infinity, uniqueItems, items } = schema;
  if (value.length < minItems) return error(ValueErrorType.ArrayMinItems);
  if (value.length > maxItems) return error(ValueErrorType.ArrayMaxItems);
  for (const [index, item] of value.entries()) {
    const found = firstError(items, item, `${path}/${index}`);
    if (found) return found;
  }
  return uniqueItems && new Set(value).size < value.length ? error(ValueErrorType.ArrayUniqueItems) : undefined;
}

function objectError(schema: TSchema, value: Fields, path: string): Found {
  const properties: Readonly<Record<string, TSchema>> = schema.properties;
  const required: readonly string[] = schema.required ?? [];
  const absent = required.find((name) => !Object.hasOwn(value, name));
  if (absent !== undefined) return requiredError(properties[absent] as TSchema, `${path}/${absent}`);
  const unknown = Object.getOwnPropertyNames(value).find((name) => !Object.hasOwn(properties, name));
  if (unknown !== undefined && schema.additionalProperties === false) return extraError(schema, value, path, unknown);
  for (const [name, property] of Object.entries(properties)) {
    if (!Object.hasOwn(value, name) && !required.includes(name)) continue;
    const found = firstError(property, value[name], `${path}/${name}`);
    // A field that may be absent may be undefined as well.
    if (found && (required.includes(name) || value[name] !== undefined)) return found;
  }
  return undefined;
}

function recordError(schema: TSchema, value: Fields, path: string): Found {
  if (Object.keys(value).length > (schema.maxProperties ?? Infinity)) {
    return { type: ValueErrorType.ObjectMaxProperties, schema, path, value };
  }
  const [pattern = '', inner] = Object.entries<TSchema>(schema.patternProperties)[0] ?? [];
  const allowed = new RegExp(pattern);
  for (const [name, field] of Object.entries(value)) {
    const found = inner && allowed.test(name) && firstError(inner, field, `${path}/${escaped(name)}`);
    if (found) return found;
  }
  const unknown = Object.keys(value).find((name) => !allowed.test(name));
  return unknown !== undefined && schema.additionalProperties === false
    ? extraError(schema, value, path, unknown)
    : undefined;
}

const requiredError = (schema: TSchema, path: string): ValueError => ({
  type: ValueErrorType.ObjectRequiredProperty,
  schema,
  path,
  value: undefined,
});

const extraError = (schema: TSchema, value: Fields, path: string, name: string): ValueError => ({
  type: ValueErrorType.ObjectAdditionalProperties,
  schema,
  path: `${path}/${escaped(name)}`,
  value: value[name],
});

/** RFC 6901, section 3. */
const escaped = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1');

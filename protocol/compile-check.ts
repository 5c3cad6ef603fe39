import { type SchemaOptions, type TSchema, Type } from '@sinclair/typebox';
import { TypeCompiler } from '@sinclair/typebox/compiler';
import { type Fault, fault } from './fault.ts';
import { type FirstError, type Fits, firstError } from './first-error.ts';

/**
 * Compiles `schema` once; the check names the first fault of a value that it refuses, and refusing costs hardly more than
 * letting through.
 */
export function compileCheck<S extends TSchema>(schema: S): (value: unknown) => Fault | undefined {
  const compiled = TypeCompiler.Compile(schema);
  const fits = compiledFits();
  return (value) => {
    if (compiled.Check(value)) return undefined;
    const first = firstError(schema, value, fits);
    return first ? describe(first) : fault('', 'is not valid');
  };
}

/** Looks through the items of a list with a check that is compiled at their first fault. */
function compiledFits(): Fits {
  const known = new Map<TSchema, (value: unknown) => boolean>();
  return (schema, value) => {
    let check = known.get(schema);
    if (!check) {
      const compiled = TypeCompiler.Compile(schema);
      check = (item) => compiled.Check(item);
      known.set(schema, check);
    }
    return check(value);
  };
}

function describe({ kind, schema, path: parts }: FirstError): Fault {
  const path = dottedPath(parts);
  switch (kind) {
    case 'unknown':
      return fault(
        path,
        schema.properties ? `is not a known field; ${fieldsOf(schema)}` : 'has a name that is not allowed',
      );
    case 'absent':
      return fault(path, `is required and must be ${wordsOf(schema)}`);
    case 'wrong':
      return fault(path, `must be ${wordsOf(schema)}`);
  }
}

const fieldsOf = (schema: TSchema): string => `the fields are ${Object.keys(schema.properties).join(', ')}`;

function wordsOf(schema: TSchema): string {
  if (typeof schema.words === 'string') return schema.words;
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (Array.isArray(schema.anyOf)) {
    return `one of ${schema.anyOf.map((item: TSchema) => wordsOf(item).replaceAll('"', '')).join(', ')}`;
  }
  switch (schema.type) {
    case 'number':
    case 'integer':
      return `${schema.type === 'integer' ? 'a whole number' : 'a number'}${bounds(schema.minimum, schema.maximum)}`;
    case 'string':
      return `text${bounds(schema.minLength, schema.maxLength, ' characters')}`;
    case 'array':
      return `a list${bounds(schema.minItems, schema.maxItems, ' items', ' with')}`;
    case 'boolean':
      return 'true or false';
    case 'object':
      return schema.properties ? `an object; ${fieldsOf(schema)}` : 'an object';
    default:
      return 'valid';
  }
}

function bounds(min: unknown, max: unknown, unit = '', link = unit === '' ? ' from' : ' of'): string {
  if (typeof min === 'number' && typeof max === 'number') return `${link} ${min} to ${max}${unit}`;
  if (typeof max === 'number') return `${link} at most ${max}${unit}`;
  if (typeof min === 'number') return `${link} at least ${min}${unit}`;
  return '';
}

/** A path as a person writes it: `steps[3].delayMs`. */
function dottedPath(parts: FirstError['path']): string {
  let path = '';
  for (const part of parts) {
    path += typeof part === 'number' ? `[${part}]` : `${path === '' ? '' : '.'}${printable(part)}`;
  }
  return path;
}

/** Field names come from untrusted bodies: they are shortened, and control characters are replaced. */
function printable(name: string): string {
  if (name === '') return '(empty name)';
  const safe = name.replace(/[^\x20-\x7e]/g, '?');
  return safe.length > 64 ? `${safe.slice(0, 64)}...` : safe;
}

/** A union of literals, which checks and documents an enumeration. */
export function oneOf<T extends string>(values: readonly T[], options: SchemaOptions = {}) {
  return Type.Union(
    values.map((value) => Type.Literal(value)),
    options,
  );
}

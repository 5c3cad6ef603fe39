import { Type as RealType, type TSchema } from '@sinclair/typebox';
import { TypeCompiler as RealCompiler } from '@sinclair/typebox/compiler';
import { type ValueError, ValueErrorType } from '@sinclair/typebox/errors';
import fc from 'fast-check';
import t from 'tap';
import { TypeCompiler } from '../../../client/build/typebox/compiler.ts';
import { Type } from '../../../client/build/typebox/schema.ts';
import { firstError } from '../../../protocol/first-error.ts';
import { ACTIONS, CLIENT_MESSAGES, CreateSession, CreateViewerLink, SERVER_MESSAGES } from '../../../protocol/index.ts';

/** Every schema that the package checks arguments with. */
const SCHEMAS: readonly TSchema[] = [
  ...Object.values(ACTIONS).map(({ schema }) => schema as object as TSchema),
  ...[...CLIENT_MESSAGES.values()].map(({ schema }) => schema),
  CreateSession,
  CreateViewerLink,
];

type Node = Readonly<Record<string, unknown>>;

/** Values around what a schema allows: fitting ones, those at its bounds and past them, and ones of another type. */
function around(schema: Node): fc.Arbitrary<unknown> {
  const odd = fc.constantFrom<unknown>(
    null,
    undefined,
    '',
    'x',
    -1,
    0,
    1.5,
    2,
    Number.NaN,
    Infinity,
    true,
    [],
    [1],
    {},
  );
  const near = nearby(schema);
  return fc.oneof({ weight: 12, arbitrary: near }, { weight: 1, arbitrary: odd });
}

function nearby(schema: Node): fc.Arbitrary<unknown> {
  const { anyOf, const: constant, type } = schema;
  if (Array.isArray(anyOf)) return fc.oneof(...anyOf.map((variant: Node) => around(variant)));
  if (constant !== undefined) return fc.constant(constant);
  switch (type) {
    case 'number':
    case 'integer': {
      const { minimum: min = -10, maximum: max = 10 } = schema as { minimum?: number; maximum?: number };
      return fc.constantFrom(min, max, min - 1, max + 1, (min + max) / 2, Math.round((min + max) / 2), -0);
    }
    case 'string':
      return fc.oneof(
        fc.string({ maxLength: 5 }),
        fc.constantFrom('90s', '10m', 'https://a.example', 'req-1', 'x'.repeat(129), 'x'.repeat(10_001), 'é'),
      );
    case 'boolean':
      return fc.boolean();
    case 'array':
      return fc.array(around(schema.items as Node), { maxLength: 5 });
    default:
      return schema.properties ? objects(schema) : records(schema);
  }
}

function objects(schema: Node): fc.Arbitrary<unknown> {
  const properties = schema.properties as Readonly<Record<string, Node>>;
  const fields = Object.fromEntries(Object.entries(properties).map(([name, property]) => [name, around(property)]));
  const whole = fc.record(fields, { requiredKeys: [] });
  const extra = fc.record({ 'a/b~c': fc.integer() }, { requiredKeys: [] });
  return fc.oneof(
    { weight: 4, arbitrary: fc.record(fields) },
    { weight: 4, arbitrary: whole },
    { weight: 1, arbitrary: fc.tuple(whole, extra).map(([one, other]) => ({ ...one, ...other })) },
  );
}

const records = (schema: Node): fc.Arbitrary<unknown> => {
  const [inner] = Object.values(schema.patternProperties as Readonly<Record<string, Node>>);
  return fc.dictionary(fc.constantFrom('name', 'a/b', 'white space', '~', '__x'), around(inner ?? {}), { maxKeys: 3 });
};

/** TypeBox's first error, or the first unknown field of the same object where that error is an absent one. */
function unknownFirst(errors: readonly ValueError[]): ValueError | undefined {
  const [first] = errors;
  if (first?.type !== ValueErrorType.ObjectRequiredProperty) return first;
  const place = objectOf(first);
  const isUnknown = (error: ValueError) =>
    error.type === ValueErrorType.ObjectAdditionalProperties && objectOf(error) === place;
  return errors.find(isUnknown) ?? first;
}

const objectOf = ({ path }: ValueError): string => path.slice(0, path.lastIndexOf('/'));

t.test('the first fault of a value is an unknown field, or the one that TypeBox finds first, in every schema', (t) => {
  let refused = 0;
  let accepted = 0;
  for (const schema of SCHEMAS) {
    const real = RealCompiler.Compile(schema);
    const own = TypeCompiler.Compile(schema);
    const named = String(schema.$id);
    fc.assert(
      fc.property(around(schema), (value) => {
        const expected = unknownFirst([...real.Errors(value)]);
        const found = firstError(schema, value);
        const path = found?.path.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
        if (own.Check(value) !== real.Check(value)) throw new Error(`${named}: the verdicts differ`);
        if (expected?.path !== path) throw new Error(`${named}: ${expected?.path} is not ${path}`);
        if (expected && expected.schema !== found?.schema) throw new Error(`${named}: another schema`);
        if (found) refused++;
        else accepted++;
      }),
      { numRuns: 400, seed: 7 },
    );
  }
  t.ok(refused > 2_000 && accepted > 200, `${refused} refused, ${accepted} accepted`);
  t.end();
});

t.test("the package's own schema builders make the same schemas as TypeBox", (t) => {
  const build = (T: typeof RealType) => {
    const inner = T.Object({ a: T.String({ minLength: 1 }), b: T.Optional(T.Integer({ maximum: 5 })) });
    return [
      inner,
      T.Omit(inner, ['a']),
      T.Composite([inner, T.Object({ c: T.Number() }, { additionalProperties: false })], { $id: 'C' }),
      T.Array(T.Union([T.Literal('x'), T.Literal(3), T.Literal(true)]), { uniqueItems: true }),
      T.Record(T.String(), T.Unknown()),
      T.Record(T.String({ pattern: '^a$' }), T.Boolean(), { maxProperties: 2 }),
      T.Object({ only: T.Optional(T.Boolean()) }),
      T.Unsafe<string>({ ...T.Union([T.Literal('x'), T.Literal('y')]), words: 'x' }),
    ];
  };
  const plain = (schemas: readonly object[]) => schemas.map((schema) => JSON.parse(JSON.stringify(schema)));
  const own = plain(build(Type as unknown as typeof RealType));
  for (const [index, schema] of plain(build(RealType)).entries()) t.same(own[index], schema);
  t.end();
});

t.test('the contract uses no kind of schema that the package does not know', (t) => {
  const known = new Set(Object.keys(Type));
  const kinds = new Set<string>();
  const kind = Object.getOwnPropertySymbols(RealType.String()).find((symbol) => symbol.description === 'TypeBox.Kind');
  const walk = (schema: Node): void => {
    kinds.add(String(schema[kind as unknown as string]));
    for (const child of Object.values((schema.properties ?? {}) as Record<string, Node>)) walk(child);
    for (const child of (schema.anyOf ?? []) as Node[]) walk(child);
    for (const child of Object.values((schema.patternProperties ?? {}) as Record<string, Node>)) walk(child);
    if (schema.items) walk(schema.items as Node);
  };
  for (const schema of [...SCHEMAS, ...Object.values(SERVER_MESSAGES)]) walk(schema as Node);
  t.ok(kinds.size > 6, [...kinds].join(', '));
  for (const name of kinds) t.ok(known.has(name), name);
  t.throws(() => TypeCompiler.Compile(RealType.Null()).Check(1), TypeError, 'another kind does not pass by chance');
  t.end();
});

import fc, { type Arbitrary } from 'fast-check';
import { ACTION_NAMES, ACTIONS, type ActionName } from '../../protocol/index.ts';

/** Valid interaction requests of every action, for properties that hold for all of them. */

export type Body = { readonly action: ActionName } & Readonly<Record<string, unknown>>;

const coordinate = fc.double({ min: 0, max: 1, noNaN: true });
const point = fc.record({ x: coordinate, y: coordinate });
const delta = fc.double({ min: -1, max: 1, noNaN: true });
const text = fc.string({
  unit: fc.mapToConstant(
    { num: 0x5f, build: (index) => String.fromCharCode(0x20 + index) },
    { num: 2, build: (i) => '\t\n'.charAt(i) },
  ),
  minLength: 1,
  maxLength: 50,
});

const steps = fc
  .record({
    moves: fc.nat(5),
    count: fc.integer({ min: 1, max: 2 }),
    delays: fc.array(fc.integer({ min: 0, max: 14 })),
  })
  .chain(({ moves, count, delays }) =>
    fc.tuple(
      ...Array.from({ length: moves + 2 }, (_, index) =>
        fc.record({
          phase: fc.constant(index === 0 ? 'begin' : index === moves + 1 ? 'end' : 'move'),
          points: fc.array(point, { minLength: count, maxLength: count }),
          ...(index > moves || delays[index] === undefined ? {} : { delayMs: fc.constant(delays[index]) }),
        }),
      ),
    ),
  );

const app = fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9._-]{0,30}$/);

const words = fc.string({ minLength: 1, maxLength: 20 });
const selector = fc.record(
  {
    role: fc.constantFrom('button', 'cell', 'text'),
    exact: fc.boolean(),
    text: words,
    index: fc.nat(4_999),
    near: words,
    id: words,
  },
  { requiredKeys: ['role'] },
);
const target = fc.oneof(
  fc.record({ ref: fc.nat(99).map((number) => `@${number + 1}`), frame: fc.integer({ min: 1, max: 1_000 }) }),
  selector,
);
const waitMs = fc.integer({ min: 0, max: 100 });
const into = fc.oneof(fc.constant({}), fc.record({ waitMs, target }));

/** The actions whose schema alone does not say all that is wanted. */
const SPECIAL: Partial<Readonly<Record<ActionName, Arbitrary<Record<string, unknown>>>>> = {
  gesture: fc.record({ steps }),
  tapElement: fc.record({ waitMs, target }, { requiredKeys: ['target'] }),
  scrollTo: fc.record(
    { direction: fc.constantFrom('down', 'up', 'right', 'left'), waitMs, within: selector, target: selector },
    { requiredKeys: ['target'] },
  ),
  typeText: fc.tuple(fc.record({ text }), into).map(([typed, where]) => ({ ...typed, ...where })),
  insertText: fc
    .tuple(fc.record({ text: fc.string({ unit: 'binary', minLength: 1, maxLength: 50 }) }), into)
    .map(([typed, where]) => ({ ...typed, ...where })),
  scroll: fc
    .record({ deltaX: delta, deltaY: delta, anchor: fc.option(point, { nil: undefined }) })
    .filter(({ deltaX, deltaY }) => deltaX !== 0 || deltaY !== 0)
    .map(({ anchor, ...deltas }) => ({ ...deltas, ...anchor })),
  launchApp: fc.record(
    {
      app,
      arguments: fc.dictionary(fc.stringMatching(/^[A-Za-z][A-Za-z0-9_.-]{0,10}$/), text, { maxKeys: 4 }),
      url: fc.constantFrom('shop://basket', 'https://example.com/?a=b%20c#d'),
    },
    { requiredKeys: ['app'] },
  ),
  terminateApp: fc.record({ app }),
  clearAppData: fc.record({ app }),
  installApp: fc.record({ asset: fc.stringMatching(/^ast_[A-Za-z0-9]{22}$/) }),
  uninstallApp: fc.record({ app }),
  setPermission: fc.record({
    app,
    permission: fc.constantFrom(
      'calendar' as const,
      'camera' as const,
      'contacts' as const,
      'location' as const,
      'microphone' as const,
      'notifications' as const,
      'photos' as const,
    ),
    access: fc.constantFrom('grant' as const, 'revoke' as const, 'reset' as const),
  }),
  authenticateBiometric: fc.record({ match: fc.boolean() }),
  sendPush: fc.record({
    app,
    payload: fc.record({
      aps: fc.dictionary(
        fc.stringMatching(/^[a-z-]{1,20}$/),
        fc.oneof(fc.string({ maxLength: 40 }), fc.integer(), fc.boolean()),
      ),
      own: fc.constantFrom(null, 1, 'text'),
    }),
  }),
  rotateDigitalCrown: fc.record({
    delta: fc.double({ min: -10_000, max: 10_000, noNaN: true }).filter((value) => value !== 0),
  }),
};

type Schema = Readonly<Record<string, unknown>>;

/** Values that a schema accepts. */
function fitting(schema: Schema): Arbitrary<unknown> {
  const { anyOf, type, minimum: min = 0, maximum: max = 0 } = schema as { anyOf?: Schema[] } & Record<string, number>;
  if (anyOf) return fc.constantFrom(...anyOf.map((variant) => variant.const));
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.properties) return fieldsOf(schema, Object.keys(schema.properties));
  const items = schema.items as Schema | undefined;
  if (items?.anyOf) return fc.subarray((items.anyOf as Schema[]).map((variant) => variant.const));
  if (items) return fc.array(fitting(items), { minLength: schema.minItems as number, maxLength: 5 });
  if (schema.type === 'integer') return fc.integer({ min, max });
  if (schema.type === 'number') return fc.double({ min, max, noNaN: true });
  if (schema.type === 'boolean') return fc.boolean();
  if (typeof schema.pattern === 'string') return fc.stringMatching(new RegExp(schema.pattern));
  throw new TypeError(`no values are known for ${type}`);
}

function fieldsOf({ properties, required = [] }: Schema, names: readonly string[]): Arbitrary<Record<string, unknown>> {
  const fields = properties as Readonly<Record<string, Schema>>;
  return fc.record(Object.fromEntries(names.map((name) => [name, fitting(fields[name] ?? {})])), {
    requiredKeys: (required as string[]).filter((name) => names.includes(name)),
  });
}

/** The own fields of an action. */
function anyFields(name: ActionName): Arbitrary<Record<string, unknown>> {
  const schema = ACTIONS[name].schema as object as Schema;
  const own = Object.keys(schema.properties as object).filter((field) => !COMMON.includes(field));
  return SPECIAL[name] ?? fieldsOf(schema, own);
}

const COMMON = ['requestId', 'timeoutMs', 'observe', 'action'];

const common = fc.record(
  {
    requestId: fc.stringMatching(/^[A-Za-z0-9._:-]{1,128}$/),
    timeoutMs: fc.integer({ min: 100, max: 60_000 }),
  },
  { requiredKeys: [] },
);

/** A valid body of `name`, or of any action. */
export function anyInteraction(name?: ActionName): Arbitrary<Body> {
  const named = (action: ActionName) =>
    fc.tuple(common, anyFields(action)).map(([shared, fields]): Body => ({ action, ...shared, ...fields }));
  return name === undefined ? fc.oneof(...ACTION_NAMES.map(named)) : named(name);
}

import fc, { type Arbitrary } from 'fast-check';
import {
  ACTION_NAMES,
  type ActionName,
  BUTTONS,
  KEYS,
  MODIFIERS,
  ORIENTATIONS,
  RENDER_OPTIONS,
} from '../../protocol/terms.ts';

/** Valid interaction requests of every action, for properties that hold for all of them. */

export type Body = { readonly action: ActionName } & Readonly<Record<string, unknown>>;

const coordinate = fc.double({ min: 0, max: 1, noNaN: true });
const point = fc.record({ x: coordinate, y: coordinate });
const delta = fc.double({ min: -1, max: 1, noNaN: true });
const hold = fc.integer({ min: 20, max: 30_000 });
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

const FIELDS: Readonly<Record<ActionName, Arbitrary<Record<string, unknown>>>> = {
  tap: fc.record({ x: coordinate, y: coordinate }),
  swipe: fc.record(
    { from: point, to: point, durationMs: fc.integer({ min: 50, max: 30_000 }) },
    { requiredKeys: ['from', 'to'] },
  ),
  gesture: fc.record({ steps }),
  typeText: fc.record({ text }),
  pressKey: fc.record(
    { key: fc.constantFrom(...KEYS), modifiers: fc.subarray([...MODIFIERS]), durationMs: hold },
    { requiredKeys: ['key'] },
  ),
  pressButton: fc.record({ button: fc.constantFrom(...BUTTONS), durationMs: hold }, { requiredKeys: ['button'] }),
  rotate: fc.record({ orientation: fc.constantFrom(...ORIENTATIONS) }),
  reload: fc.constant({}),
  scroll: fc
    .record({ deltaX: delta, deltaY: delta, anchor: fc.option(point, { nil: undefined }) })
    .filter(({ deltaX, deltaY }) => deltaX !== 0 || deltaY !== 0)
    .map(({ anchor, ...deltas }) => ({ ...deltas, ...anchor })),
  toggleSoftwareKeyboard: fc.constant({}),
  simulateMemoryWarning: fc.constant({}),
  rotateDigitalCrown: fc.record({
    delta: fc.double({ min: -10_000, max: 10_000, noNaN: true }).filter((value) => value !== 0),
  }),
  setRenderDebug: fc.record({ option: fc.constantFrom(...RENDER_OPTIONS), enabled: fc.boolean() }),
};

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
    fc.tuple(common, FIELDS[action]).map(([shared, fields]): Body => ({ action, ...shared, ...fields }));
  return name === undefined ? fc.oneof(...ACTION_NAMES.map(named)) : named(name);
}

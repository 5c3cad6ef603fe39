import t, { type Test } from 'tap';
import { checkInteraction, type Fault, type InteractionRequest } from '../../protocol/index.ts';

/** Checks that the tests of interactions share: a body is either completed or refused at a path. */

type Body = Readonly<Record<string, unknown>>;

export const check = (body: unknown) => checkInteraction(body, () => 'made');

/** The completed request of a body that has to be accepted. */
export function accept(body: Body, test: Test = t): InteractionRequest {
  const checked = check(body);
  if (checked.ok) return checked.value;
  test.fail(`${JSON.stringify(body)} is refused at "${checked.fault.path}": ${checked.fault.message}`);
  throw new Error('refused');
}

/** The fault of a body that has to be refused at `path`. */
export function refuse(body: unknown, path: string, test: Test = t): Fault {
  const checked = check(body);
  if (checked.ok) {
    test.fail(`${JSON.stringify(body)} is accepted`);
    throw new Error('accepted');
  }
  test.equal(checked.fault.path, path, `${checked.fault.message}`);
  return checked.fault;
}

/** Values that are no whole number, though some languages would take them for one. */
export const NOT_WHOLE: readonly unknown[] = [1.5, 100.000_000_1, '100', '', null, true, Number.NaN, Infinity, [], {}];

/** Values that are no number within 0 to 1. */
export const NOT_COORDINATES: readonly unknown[] = [
  -0.000_000_1,
  1.000_000_1,
  -1,
  2,
  Number.NaN,
  Infinity,
  -Infinity,
  '0.5',
  null,
  true,
  [0.5],
  {},
];

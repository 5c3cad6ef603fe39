import { createHash } from 'node:crypto';
import { ACTIONS, type AnyAction, type InteractionRequest } from '@runcloud/protocol';

/** Identifies a request's content: the body itself, or the digest of a body that is too long to keep. */
export type Fingerprint = object | string;

/** Actions whose bodies may be as long as a message; the others are a few fields. */
const LONG: ReadonlySet<string> = new Set([
  'open-url',
  ...Object.values<AnyAction>(ACTIONS)
    .filter(({ long }) => long)
    .map(({ name }) => name),
]);

/** Remembers a body. Most are never asked for again, so a short one costs nothing here. */
export function fingerprint(action: string, body: object): Fingerprint {
  return LONG.has(action) ? digest(body) : body;
}

/** True when two bodies are equal, defaults included. Their fields must be in the same order. */
export function sameBody(one: Fingerprint, other: Fingerprint): boolean {
  if (isSealed(one) || isSealed(other)) return sealed(one) === sealed(other);
  return textOf(one) === textOf(other);
}

/** How a fingerprint begins that tells nothing of the body. */
const SEAL = 'sealed:';
const isSealed = (print: Fingerprint): print is string => typeof print === 'string' && print.startsWith(SEAL);

/** The same fingerprint in a few characters, which can be compared with any other and tell nothing of the body. */
export function sealed(print: Fingerprint): string {
  return isSealed(print) ? print : SEAL + createHash('sha256').update(textOf(print)).digest('base64');
}

/** The body of a tap is its id and these numbers: x, y, timeoutMs. */
export const TAP_NUMBERS = 3;

interface TapBody {
  readonly action: 'tap';
  readonly x: number;
  readonly y: number;
  readonly requestId: string;
  readonly timeoutMs: number;
}

const isTap = (print: Fingerprint): print is TapBody =>
  typeof print === 'object' && 'action' in print && print.action === 'tap' && !('observe' in print);

/** Writes the numbers of a tap; `false` for any other body, of which nothing is written. */
export function numbersOfTap(print: Fingerprint, numbers: Float64Array, at: number): boolean {
  if (!isTap(print)) return false;
  numbers[at] = print.x;
  numbers[at + 1] = print.y;
  numbers[at + 2] = print.timeoutMs;
  return true;
}

/** The body again, with its fields in the order of a checked request. */
export function tapOfNumbers(requestId: string, numbers: Float64Array, at: number): Fingerprint {
  const [x = 0, y = 0, timeoutMs = 0] = numbers.subarray(at, at + TAP_NUMBERS);
  return { action: 'tap', x, y, requestId, timeoutMs } satisfies TapBody;
}

const textOf = (print: Fingerprint): string => (typeof print === 'string' ? print : JSON.stringify(print));

const digest = (body: object): string =>
  createHash('sha256')
    .update('steps' in body ? numbersOfGesture(body as GestureBody) : JSON.stringify(body))
    .digest('base64');

type GestureBody = Pick<Extract<InteractionRequest, { action: 'gesture' }>, 'timeoutMs' | 'steps'>;

/** All that a gesture is made of, in an order of its own: written as text it would take five times as long. */
export function numbersOfGesture({ timeoutMs, steps }: GestureBody): Float64Array {
  const pointCount = steps[0]?.points.length ?? 0;
  const numbers = new Float64Array(2 + steps.length * (1 + pointCount * 2));
  numbers[0] = timeoutMs;
  numbers[1] = pointCount;
  let at = 2;
  // The order of the phases follows from the number of steps.
  for (const { points, delayMs } of steps) {
    numbers[at++] = delayMs;
    for (const { x, y } of points) {
      numbers[at++] = x;
      numbers[at++] = y;
    }
  }
  return numbers;
}

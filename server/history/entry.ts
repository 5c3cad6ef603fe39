import type { ErrorBody, HistoryEntry, HistoryOrigin, Observed, Touched } from '@runcloud/protocol';
import { KEY_TEXT, type Key } from '@runcloud/protocol/terms';
import { isoTimestamp } from '../flow/timestamp.ts';
import {
  ACCEPTED,
  BY,
  DISPATCHED,
  DURATION,
  INPUT_SEQ,
  LIVE,
  NOT_YET,
  type Note,
  OUTCOME,
  PHASES,
  STATUSES,
  type StepNumbers,
  WIDTH,
  X,
  Y,
} from './layout.ts';

/** What a piece of the file holds of one entry beside its numbers; short names, since there may be millions. */
export interface Rest {
  /** The action. */
  a?: string;
  /** Its fields. */
  f?: Readonly<Record<string, unknown>>;
  /** The error that it ended with. */
  e?: ErrorBody;
  /** What was seen of its effect. */
  o?: Observed;
  /** Steps of a live gesture. */
  s?: StepNumbers[];
  /** What was under its first finger. */
  t?: Touched;
  /** There were more steps. */
  c?: true;
  /** How many requests before it are missing. */
  l?: number;
}

/** Adds a note to what is known. */
export function addNote(
  rest: Rest,
  { action, body, error, observed, touched, cut, lost }: Note,
  fullTexts: boolean,
): void {
  if (action !== undefined) rest.a = action;
  if (body) rest.f = fieldsOf(body, fullTexts);
  if (error) rest.e = error;
  if (observed) rest.o = observed;
  if (touched) rest.t = touched;
  if (cut) rest.c = true;
  if (lost !== undefined) rest.l = lost;
}

/** Adds the next step of a live gesture. */
export function addStep(rest: Rest, step: StepNumbers): void {
  rest.s ??= [];
  rest.s.push(step);
}

type Fields = Readonly<Record<string, unknown>>;

/** The action's own fields, with the text or its length. */
function fieldsOf(body: object, fullTexts: boolean): Readonly<Record<string, unknown>> {
  if (body instanceof Float64Array) return { steps: stepsOf(body) };
  const { action: _action, requestId: _id, timeoutMs: _timeout, observe: _observe, ...fields } = body as Fields;
  if (fullTexts) return fields;
  const { text, key, ...others } = fields;
  // Code points, as in the result of a typed text.
  if (typeof text === 'string') return { ...others, textCharacters: [...text].length };
  return typesText(fields) ? { ...others, textCharacters: 1 } : fields;
}

/** Whether a pressed key may be a letter of a password: it types a character that can be seen, or a space. */
function typesText({ key, modifiers }: Readonly<Record<string, unknown>>): boolean {
  const [plain] = KEY_TEXT.get(key as Key) ?? [];
  if (plain === undefined || plain === '\n' || plain === '\t') return false;
  return Array.isArray(modifiers) && modifiers.every((modifier) => modifier === 'shift');
}

/** The steps of a gesture from `numbersOfGesture`. */
function stepsOf(numbers: Float64Array): object[] {
  const pointCount = numbers[1] ?? 1;
  const width = 1 + pointCount * 2;
  const count = (numbers.length - 2) / width;
  return Array.from({ length: count }, (_, index) => {
    const [delayMs = 0, ...places] = numbers.subarray(2 + index * width, 2 + (index + 1) * width);
    const phase = index === 0 ? 'begin' : index === count - 1 ? 'end' : 'move';
    return { phase, points: pointsOf(places), ...(delayMs > 0 && { delayMs }) };
  });
}

function pointsOf(places: readonly number[]): object[] {
  const points: object[] = [];
  for (let at = 0; at < places.length; at += 2) points.push({ x: places[at], y: places[at + 1] });
  return points;
}

const liveSteps = (steps: readonly StepNumbers[]): object[] =>
  steps.map(([phase = 0, atMs, ...places]) => ({ phase: PHASES[phase], points: pointsOf(places), atMs }));

/**
 * An entry as clients see it.
 * @param at where its numbers begin
 * @param live whether its session lives in this process; if not, an entry without an end never gets one
 */
export function toEntry(
  seq: number,
  requestId: string,
  numbers: Float64Array,
  at: number,
  rest: Rest | undefined,
  origins: readonly HistoryOrigin[],
  live: boolean,
): HistoryEntry {
  const number = (column: number): number => numbers[at + column] as number;
  const acceptedMs = number(ACCEPTED);
  const dispatchedMs = number(DISPATCHED);
  const durationMs = number(DURATION);
  const inputSeq = number(INPUT_SEQ);
  const status = STATUSES[number(OUTCOME)] ?? 'pending';
  const isTap = !Number.isNaN(number(X));
  const steps = rest?.s && { steps: liveSteps(rest.s), ...(rest.c && { cut: true }) };
  return {
    seq,
    requestId,
    action: isTap ? 'tap' : number(Y) === LIVE ? 'pointer' : (rest?.a ?? 'unknown'),
    fields: isTap ? { x: number(X), y: number(Y) } : { ...rest?.f, ...steps },
    by: origins[number(BY) - 1] ?? { kind: 'key', transport: 'socket' },
    status: status === 'pending' && !live ? 'unknown' : status,
    acceptedAt: isoTimestamp(acceptedMs),
    ...(dispatchedMs !== NOT_YET && { dispatchedAt: isoTimestamp(acceptedMs + dispatchedMs) }),
    ...(durationMs !== NOT_YET && { completedAt: isoTimestamp(acceptedMs + durationMs), durationMs }),
    ...(rest?.e && { error: rest.e }),
    ...(rest?.t && { touched: rest.t }),
    ...(rest?.o && { observed: rest.o }),
    ...(inputSeq > 0 && { inputSeq }),
    ...(rest?.l !== undefined && { lostBefore: rest.l }),
  };
}

/** When its input left, or when it was accepted, in milliseconds since the epoch. */
export function whenOf(numbers: Float64Array, at: number): number {
  const dispatchedMs = numbers[at + DISPATCHED] as number;
  return (numbers[at + ACCEPTED] as number) + (dispatchedMs === NOT_YET ? 0 : dispatchedMs);
}

/** How many entries the numbers are of. */
export const countOf = (numbers: Float64Array): number => numbers.length / WIDTH;

import { LIMITS } from '../../protocol/limits.ts';
import { RunCloudError } from '../sdk/error.ts';
import type { InteractionRequest } from '../sdk/interactions.ts';
import type { SessionHandle } from '../sdk/session.ts';
import type { GestureStep, HistoryEntry, Point, Target } from '../sdk/types.ts';

/** How an input of a history ended in the other session. */
export interface Replayed {
  readonly entry: HistoryEntry;
  readonly status: string;
  /** The code of its error. */
  readonly code?: string;
  /** Why it ended otherwise than in the history, in words; absent if it ended alike. */
  readonly difference?: string;
}

/** Carries one input out; resolves once the device has taken it. */
interface Sending {
  readonly send: (session: SessionHandle, signal: AbortSignal) => Promise<unknown>;
  /** Does not go over the control socket, whose order keeps the others apart: nothing else is on its way with it. */
  readonly alone?: true;
}

/** Inputs that are not answered yet; the service has room for more. */
const AT_ONCE_MAX = 128;
/** What a gesture may take beside the pauses in it. */
const GESTURE_SPARE_MS = 5_000;

/**
 * Sends the inputs of a history to a session, in their order, and tells how each ended.
 *
 * @param speed how many times faster than in the history; infinite: each as soon as the one before it has ended
 * @param settles whether the picture stands still before each, for 2 seconds at most: an app that is still opening may take an
 *   input for something else
 */
export async function* replayed(
  session: SessionHandle,
  entries: AsyncIterable<HistoryEntry>,
  { speed, settles }: { readonly speed: number; readonly settles: boolean },
  signal: AbortSignal,
): AsyncGenerator<Replayed, void> {
  const pending: Promise<Replayed>[] = [];
  const startMs = performance.now();
  let firstMs: number | undefined;
  for await (const entry of entries) {
    const sending = sendingOf(entry);
    if (sending === undefined) continue;
    const alone = typeof sending === 'object' && sending.alone;
    while (alone && pending.length > 0) yield (await pending.shift()) as Replayed;
    firstMs ??= Date.parse(entry.acceptedAt);
    if (Number.isFinite(speed)) {
      await pauseUntil(startMs + (Date.parse(entry.acceptedAt) - firstMs) / speed, signal);
    }
    signal.throwIfAborted();
    if (settles) await session.screenshot({ settled: true, signal });
    if (typeof sending === 'string') pending.push(unsent(entry, sending));
    else pending.push(outcomeOf(entry, sending.send(session, signal), signal));
    const most = Number.isFinite(speed) && !alone ? AT_ONCE_MAX : 0;
    while (pending.length > most) yield (await pending.shift()) as Replayed;
  }
  for (const one of pending) yield await one;
}

const unsent = async (entry: HistoryEntry, difference: string): Promise<Replayed> => ({
  entry,
  status: 'not sent',
  difference,
});

async function outcomeOf(entry: HistoryEntry, sent: Promise<unknown>, signal: AbortSignal): Promise<Replayed> {
  try {
    await sent;
    return compared(entry, 'completed');
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof RunCloudError)) throw error;
    return compared(entry, error.interactionStatus ?? 'failed', error.code);
  }
}

function compared(entry: HistoryEntry, status: string, code?: string): Replayed {
  const was = entry.error ? `${entry.status} (${entry.error.code})` : entry.status;
  const is = code === undefined ? status : `${status} (${code})`;
  const isKnown = entry.status !== 'unknown' && entry.status !== 'pending';
  const missing = entry.lostBefore === undefined ? [] : [`${entry.lostBefore} before it are missing in the history`];
  const differences = [...(isKnown && was !== is ? [`${was} there, ${is} here`] : []), ...missing];
  return {
    entry,
    status,
    ...(code !== undefined && { code }),
    ...(differences.length > 0 && { difference: differences.join('; ') }),
  };
}

/** How an entry is sent again; a text says why it cannot be. Absent: it never reached the device, or only read. */
function sendingOf({ action, fields, status, dispatchedAt }: HistoryEntry): Sending | string | undefined {
  if (action === 'clipboard.set') {
    const { text } = fields;
    // It has no input of its own whose departure would be told.
    if (status !== 'completed') return undefined;
    return typeof text === 'string'
      ? { send: (session, signal) => session.clipboard.write(text, { signal }), alone: true }
      : NO_TEXT;
  }
  if (dispatchedAt === undefined) return undefined;
  if ('textCharacters' in fields) return NO_TEXT;
  if ((fields.target as Target | undefined)?.ref !== undefined) return 'a ref names an element of that session alone';
  if (action === 'open-url') {
    return { send: (session, signal) => session.openUrl(String(fields.url), { signal }), alone: true };
  }
  if (action !== 'pointer') {
    const request = { action, ...fields, timeoutMs: LIMITS.interactionTimeoutMs.max } as InteractionRequest;
    return { send: (session, signal) => session.interact(request, { signal }) };
  }
  if (fields.cut === true) return 'the history has only the beginning of it';
  const steps = stepsOf(fields.steps as readonly LiveStep[]);
  const pausesMs = steps.reduce((sum, { delayMs = 0 }) => sum + delayMs, 0);
  const timeoutMs = Math.max(LIMITS.interactionTimeoutMs.default, pausesMs + GESTURE_SPARE_MS);
  if (timeoutMs > LIMITS.interactionTimeoutMs.max) return 'a gesture cannot take as long as it did';
  return { send: (session, signal) => session.interact({ action: 'gesture', steps, timeoutMs }, { signal }) };
}

const NO_TEXT = 'the history has the length of its text alone; "session create --history-texts full" keeps texts';

interface LiveStep {
  readonly phase: GestureStep['phase'];
  readonly points: readonly Point[];
  readonly atMs: number;
}

/** A live gesture as one that is sent at once, with the same pauses. One that was cut off lifts its fingers where they were. */
function stepsOf(live: readonly LiveStep[]): readonly GestureStep[] {
  const last = live.at(-1);
  const whole = last && last.phase !== 'end' ? [...live, { ...last, phase: 'end' as const }] : live;
  return whole.map(({ phase, points, atMs }, index) => {
    const next = whole[index + 1];
    const delayMs = next && Math.min(LIMITS.gestureDelayMs.max, Math.max(0, next.atMs - atMs));
    return { phase, points, ...(delayMs !== undefined && { delayMs }) };
  });
}

function pauseUntil(dueMs: number, signal: AbortSignal): Promise<void> {
  const leftMs = dueMs - performance.now();
  if (leftMs <= 0) return Promise.resolve();
  return new Promise((resolve, reject) => {
    const abort = (): void => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', abort);
      resolve();
    }, leftMs);
    signal.addEventListener('abort', abort, { once: true });
  });
}

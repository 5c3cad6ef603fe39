/** An input of a session, as far as its fingers are drawn. */
export interface TouchInput {
  readonly action: string;
  /** The action's own fields. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** Milliseconds from the beginning of the video to the moment at which the device was sent it. */
  readonly atMs: number;
  /** Milliseconds until it ended. */
  readonly lastedMs: number;
}

interface Point {
  readonly x: number;
  readonly y: number;
}

/** A finger on the picture; `x` and `y` are fractions of its width and height. */
export interface Touch extends Point {
  readonly isDown: boolean;
  /** 1 while the finger is down, then less and less; 0 is not drawn. */
  readonly strength: number;
}

/** Fingers at a moment of the video. */
interface Step {
  readonly atMs: number;
  readonly points: readonly Point[];
}

interface Stroke {
  readonly steps: readonly Step[];
  /** The fingers are lifted. */
  readonly endMs: number;
}

/** A tap ends at once: it is shown for as long as a finger rests. */
const TAP_MS = 90;
/** A lifted finger can still be seen for this long. */
const FADE_MS = 450;

/** Where fingers were at each moment of a video, read off the inputs of its session. */
export class TouchTrack {
  /** In the order of their beginnings. */
  readonly #strokes: readonly Stroke[];
  /** The longest stroke with its fading, so that earlier ones need not be looked at. */
  readonly #longestMs: number;

  constructor(inputs: readonly TouchInput[]) {
    const strokes = inputs.map(strokeOf).filter((stroke) => stroke !== undefined);
    this.#strokes = strokes.sort((one, other) => beginOf(one) - beginOf(other));
    this.#longestMs = strokes.reduce((most, stroke) => Math.max(most, stroke.endMs - beginOf(stroke)), 0) + FADE_MS;
  }

  at(ms: number): Touch[] {
    const touches: Touch[] = [];
    for (let index = this.#firstAfter(ms) - 1; index >= 0; index--) {
      const stroke = this.#strokes[index] as Stroke;
      if (beginOf(stroke) < ms - this.#longestMs) break;
      const strength = Math.min(1, 1 - (ms - stroke.endMs) / FADE_MS);
      if (strength <= 0) continue;
      const isDown = ms < stroke.endMs;
      for (const { x, y } of pointsAt(stroke, Math.min(ms, stroke.endMs))) touches.push({ x, y, isDown, strength });
    }
    return touches;
  }

  /** The number of strokes that have begun by then. */
  #firstAfter(ms: number): number {
    let [low, high] = [0, this.#strokes.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (beginOf(this.#strokes[middle] as Stroke) <= ms) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

const beginOf = ({ steps }: Stroke): number => steps[0]?.atMs ?? 0;

/** Fingers move straight from one step to the next. */
function pointsAt({ steps }: Stroke, ms: number): readonly Point[] {
  const later = steps.findIndex(({ atMs }) => atMs > ms);
  const from = steps.at(later < 0 ? -1 : Math.max(0, later - 1));
  const to = later < 0 ? undefined : steps[later];
  if (!from || !to || to.points.length !== from.points.length) return from?.points ?? [];
  const share = (ms - from.atMs) / (to.atMs - from.atMs);
  return from.points.map((point, finger) => {
    const { x, y } = to.points[finger] ?? point;
    return { x: point.x + (x - point.x) * share, y: point.y + (y - point.y) * share };
  });
}

function strokeOf({ action, fields, atMs, lastedMs }: TouchInput): Stroke | undefined {
  if (action === 'tap' && isPoint(fields)) {
    return { steps: [{ atMs, points: [fields] }], endMs: atMs + Math.max(TAP_MS, lastedMs) };
  }
  if (action === 'swipe' && isPoint(fields.from) && isPoint(fields.to)) {
    const endMs = atMs + numberOf(fields.durationMs, lastedMs);
    return {
      steps: [
        { atMs, points: [fields.from] },
        { atMs: endMs, points: [fields.to] },
      ],
      endMs,
    };
  }
  if (Array.isArray(fields.steps)) return ofSteps(fields.steps, atMs);
  return undefined;
}

/** A step of a gesture waits before the next one; one of a live gesture came when it came. */
interface GivenStep {
  readonly points?: unknown;
  readonly delayMs?: unknown;
  readonly atMs?: unknown;
}

function ofSteps(given: readonly unknown[], beginMs: number): Stroke | undefined {
  const steps: Step[] = [];
  let atMs = beginMs;
  for (const step of given as readonly GivenStep[]) {
    if (!Array.isArray(step?.points) || !step.points.every(isPoint)) return undefined;
    if (typeof step.atMs === 'number') atMs = beginMs + step.atMs;
    steps.push({ atMs, points: step.points });
    atMs += numberOf(step.delayMs, 0);
  }
  const last = steps.at(-1);
  return last && { steps, endMs: Math.max(last.atMs, beginMs + TAP_MS) };
}

const numberOf = (value: unknown, otherwise: number): number => (typeof value === 'number' ? value : otherwise);

const isPoint = (value: unknown): value is Point => {
  const { x, y } = (value ?? {}) as Partial<Point>;
  return typeof x === 'number' && typeof y === 'number';
};

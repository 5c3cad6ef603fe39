import type { SessionHandle } from '../../sdk/session.ts';
import type { Point } from '../../sdk/types.ts';
import { readSelector, SELECTOR_FIELDS, SELECTOR_REFUSED, type Selector, selectorOf } from '../selector.ts';
import type { Commands, Deed, ReadCommand, Run } from '../step.ts';
import type { Value } from '../value.ts';
import { pointOf, readSpot, type Spot } from './points.ts';

const FIELDS = [
  ...SELECTOR_FIELDS,
  'point',
  'repeat',
  'delay',
  'retryTapIfNoChange',
  'waitUntilVisible',
  'waitToSettleTimeoutMs',
] as const;
const REPEAT_MAX = 100;
const DELAY_MS_MAX = 10_000;
/** Between the taps of a `repeat` that does not say so. */
const DELAY_MS = 100;
/** Longer than every platform's own long press. */
const LONG_MS = 1_000;
/** Around the edges, gestures are the system's. */
const EDGE = 0.1;

const tap = (session: SessionHandle, { x, y }: Point, signal: AbortSignal): Promise<unknown> =>
  session.tap(x, y, { signal });

/** Without an answer in between: the second has to come soon after the first. */
const doubleTap = (session: SessionHandle, at: Point, signal: AbortSignal): Promise<unknown> =>
  Promise.all([tap(session, at, signal), tap(session, at, signal)]);

const longPress = (session: SessionHandle, { x, y }: Point, signal: AbortSignal): Promise<unknown> =>
  session.gesture(
    [
      { phase: 'begin', points: [{ x, y }], delayMs: LONG_MS },
      { phase: 'end', points: [{ x, y }] },
    ],
    { signal },
  );

type Touch = typeof tap;

/** @param byRef whether the host itself can find the element in the turn of the input */
const touching =
  (touch: Touch, byRef: boolean): ReadCommand =>
  (value) => {
    if (value.isScalar) return onElement(touch, byRef, readSelector(value), {});
    if (!value.isRecord)
      throw value.fault('This must name an element: by a text, or by fields such as "text" and "id".');
    const fields = value.record('this command', FIELDS, SELECTOR_REFUSED);
    const { point, repeat, delay, retryTapIfNoChange, waitUntilVisible, waitToSettleTimeoutMs } = fields;
    if (retryTapIfNoChange?.flag()) {
      throw retryTapIfNoChange.fault(
        '"retryTapIfNoChange" is not supported: an element is waited for, and tapped once.',
      );
    }
    waitToSettleTimeoutMs?.whole('milliseconds', 0, 60_000);
    const times = repeat?.whole('a number of times', 1, REPEAT_MAX) ?? 1;
    const delayMs = delay?.whole('milliseconds', 0, DELAY_MS_MAX) ?? DELAY_MS;
    const repeated: Touch =
      times === 1 ? touch : (...args) => repeatedly(times, delayMs, args[2], () => touch(...args));
    if (!point) {
      const noWait = waitUntilVisible !== undefined && !waitUntilVisible.flag();
      return onElement(repeated, byRef && times === 1, selectorOf(value, fields), noWait ? { waitMs: 0 } : {});
    }
    const spot = readSpot(point);
    const { text, id } = fields;
    if (text || id) return withinElement(repeated, selectorOf(value, fields), spot, point);
    return {
      words: `at ${point.written}`,
      perform: async ({ session, signal }) =>
        void (await repeated(session, await pointOf(session, spot, signal), signal)),
    };
  };

function onElement(touch: Touch, byRef: boolean, selector: Selector, options: { readonly waitMs?: number }): Deed {
  return {
    words: selector.words,
    perform: ({ session, screen, signal }) =>
      screen.act(selector, {
        ...options,
        ...(byRef ? { onRef: (ref, frame) => session.tapElement({ ref, frame }, { signal }) } : {}),
        onPoint: (at) => touch(session, at, signal),
      }),
  };
}

/** A point within an element. */
function withinElement(touch: Touch, selector: Selector, spot: Spot, point: Value): Deed {
  if (spot.unit === 'pixel') throw point.fault('A point of an element must be in percent, such as 50%,20%.');
  return {
    words: `${selector.words} at ${point.written}`,
    perform: ({ session, screen, signal }) =>
      screen.act(selector, {
        onPoint: (_middle, { frame }) =>
          touch(session, { x: frame.x + frame.width * spot.x, y: frame.y + frame.height * spot.y }, signal),
      }),
  };
}

/** The pause is the flow's own, between taps that it counts; nothing is waited for by it. */
async function repeatedly(
  times: number,
  delayMs: number,
  signal: AbortSignal,
  touch: () => Promise<unknown>,
): Promise<void> {
  for (let count = 1; count <= times; count++) {
    await touch();
    if (count < times) await pause(delayMs, signal);
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = (): void => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    if (signal.aborted) return reject(signal.reason);
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', abort);
      resolve();
    }, ms);
    signal.addEventListener('abort', abort, { once: true });
  });
}

const DIRECTIONS = ['UP', 'DOWN', 'LEFT', 'RIGHT'] as const;
type Direction = (typeof DIRECTIONS)[number];
const SWIPE_MS = { min: 50, max: 30_000, default: 400 } as const;

/** Across the display, clear of its edges. */
const SWIPES: Readonly<Record<Direction, readonly [Point, Point]>> = {
  UP: [
    { x: 0.5, y: 0.7 },
    { x: 0.5, y: 0.2 },
  ],
  DOWN: [
    { x: 0.5, y: 0.3 },
    { x: 0.5, y: 0.8 },
  ],
  LEFT: [
    { x: 0.9, y: 0.5 },
    { x: 0.1, y: 0.5 },
  ],
  RIGHT: [
    { x: 0.1, y: 0.5 },
    { x: 0.9, y: 0.5 },
  ],
};

const swipe: ReadCommand = (value) => {
  const { direction, start, end, from, duration, waitToSettleTimeoutMs } = value.record('swipe', [
    'direction',
    'start',
    'end',
    'from',
    'duration',
    'waitToSettleTimeoutMs',
    'label',
    'optional',
  ]);
  waitToSettleTimeoutMs?.whole('milliseconds', 0, 60_000);
  const durationMs = duration?.whole('milliseconds', SWIPE_MS.min, SWIPE_MS.max) ?? SWIPE_MS.default;
  if (direction) {
    const other = start ?? end;
    if (other) throw other.fault('A swipe has a direction, or start and end.');
    const way = direction.oneOf(DIRECTIONS);
    const selector = from && readSelector(from);
    const words = selector ? `${way} from ${selector.words}` : way;
    return { words, perform: (run) => swipeTo(run, way, selector, durationMs) };
  }
  if (!start || !end) throw value.fault('A swipe has a direction, or start and end.');
  if (from) throw from.fault('"from" is for a swipe with a direction.');
  const [one, other] = [readSpot(start), readSpot(end)];
  return {
    words: `${start.written} to ${end.written}`,
    perform: async ({ session, signal }) => {
      const to = await pointOf(session, other, signal);
      await session.swipe(await pointOf(session, one, signal), to, { durationMs, signal });
    },
  };
};

async function swipeTo(
  { session, screen, signal }: Run,
  way: Direction,
  from: Selector | undefined,
  durationMs: number,
): Promise<void> {
  const [start, end] = SWIPES[way];
  if (!from) return void (await session.swipe(start, end, { durationMs, signal }));
  await screen.act(from, {
    onPoint: ({ x, y }) => {
      const to = {
        UP: { x, y: Math.min(EDGE, y / 2) },
        DOWN: { x, y: Math.max(1 - EDGE, (1 + y) / 2) },
        LEFT: { x: Math.min(EDGE, x / 2), y },
        RIGHT: { x: Math.max(1 - EDGE, (1 + x) / 2), y },
      }[way];
      return session.swipe({ x, y }, to, { durationMs, signal });
    },
  });
}

/** Half a screen. */
const STEP = 0.5;
const UNTIL_MS = { min: 0, max: 600_000, default: 20_000 } as const;

const scroll: ReadCommand = (value) => {
  if (!value.isAbsent) value.record('scroll', ['label', 'optional']);
  return { words: '', perform: async ({ session, signal }) => void (await session.scroll(0, STEP, { signal })) };
};

/** What a direction brings into sight. */
const STEPS: Readonly<Record<Direction, readonly [number, number]>> = {
  DOWN: [0, STEP],
  UP: [0, -STEP],
  RIGHT: [STEP, 0],
  LEFT: [-STEP, 0],
};

const scrollUntilVisible: ReadCommand = (value) => {
  const { element, direction, timeout, speed, centerElement, waitToSettleTimeoutMs } = value.record(
    'scrollUntilVisible',
    ['element', 'direction', 'timeout', 'speed', 'centerElement', 'waitToSettleTimeoutMs', 'label', 'optional'],
    { visibilityPercentage: 'the tree tells the part of an element that is in sight, and not the whole' },
  );
  if (!element) throw value.fault('"element" is missing.');
  if (centerElement?.flag())
    throw centerElement.fault('"centerElement" is not supported: it is enough that it is in sight.');
  // How fast a finger moves; the scroll of a device has no fingers.
  speed?.whole('a speed', 0, 100);
  waitToSettleTimeoutMs?.whole('milliseconds', 0, 60_000);
  const selector = readSelector(element);
  const way = direction?.oneOf(DIRECTIONS) ?? 'DOWN';
  const forMs = timeout?.whole('milliseconds', UNTIL_MS.min, UNTIL_MS.max) ?? UNTIL_MS.default;
  return { words: selector.words, perform: (run) => scrollTo(run, selector, way, forMs) };
};

async function scrollTo(
  { session, screen, signal }: Run,
  selector: Selector,
  way: Direction,
  forMs: number,
): Promise<void> {
  const due = performance.now() + forMs;
  let before: number | undefined;
  while (!(await screen.has(selector))) {
    const { frame } = await screen.read();
    // Nothing has changed by the last one: there is no more.
    if (frame === before || performance.now() >= due) return screen.see(selector, 0);
    before = frame;
    await session.scroll(...STEPS[way], { signal });
  }
}

export const TOUCH: Commands = {
  tapOn: touching(tap, true),
  doubleTapOn: touching(doubleTap, false),
  longPressOn: touching(longPress, false),
  swipe,
  scroll,
  scrollUntilVisible,
};

import type { ActionFields, Observed, UiNode } from '@runcloud/protocol';
import t from 'tap';
import type { InputContext, Picture, Rect } from '../../../server/device/driver.ts';
import { DeviceFault } from '../../../server/device/fault.ts';
import type { UiScreen } from '../../../server/device/ui.ts';
import { CaptureGate } from '../../../server/host/capture-gate.ts';
import { Observer } from '../../../server/host/observe/observer.ts';
import { UiFrames } from '../../../server/host/ui/ui-frames.ts';
import { FakeClock } from '../../support/fake-clock.ts';

const WIDTH = 100;
const HEIGHT = 200;
const TAP: ActionFields = { action: 'tap', x: 0.5, y: 0.5 };
const BAR: UiNode = { role: 'other', name: 'Status bar', system: true, frame: { x: 0, y: 0, width: 1, height: 0.05 } };
const FIELD: UiNode = {
  role: 'textfield',
  editable: true,
  focused: true,
  frame: { x: 0, y: 0.5, width: 1, height: 0.5 },
};
const { focused: _focused, ...UNFOCUSED } = FIELD;
const CLOCK: UiNode = { role: 'text', name: '12:34', frame: { x: 0, y: 0.2, width: 0.5, height: 0.1 } };

interface Change {
  /** Milliseconds after the input. */
  readonly atMs: number;
  readonly paint?: Rect;
  readonly nodes?: readonly UiNode[];
  /** All pixels are a little lighter, or darker again. */
  readonly noise?: number;
}

/** What is seen of an input on a screen on which things change at these times after it, and that moves all the time if it is to. */
async function observe(
  changes: readonly Change[],
  {
    nodes = [BAR] as readonly UiNode[],
    isSlow = false,
    isLossy = false,
    startMs = 9_000,
    missing = [] as string[],
    isMoving = false,
  } = {},
): Promise<Observed> {
  const clock = new FakeClock(1_000, Date.UTC(2026, 4, 6, 7, 8, 0, startMs));
  const stage = new Stage(clock, nodes);
  const frames = new UiFrames({ read: () => stage.screen(missing) });
  const observer = new Observer({
    device: { perform: (_request, { inputSeq }) => stage.input(inputSeq, changes) },
    gate: new CaptureGate({ capture: async () => stage.capture() }),
    clock,
    frames,
    isSlow,
    isLossy,
  });
  if (isMoving)
    for (const { atMs, paint } of every(20, 0, 4_000, BOX)) clock.schedule(atMs, () => stage.change({ atMs, paint }));
  const observed = observer.perform(TAP, contextOf(7)).then(() => observer.observed(7, new AbortController().signal));
  observed.catch(() => undefined);
  await clock.advance(6_000);
  return observed;
}

const contextOf = (inputSeq: number, signal = new AbortController().signal): InputContext => ({ inputSeq, signal });

class Stage {
  readonly #clock: FakeClock;
  #nodes: readonly UiNode[];
  #pixels = new Uint8Array(WIDTH * HEIGHT * 4).fill(255);
  #version = 1;
  #inputSeq = 3;

  constructor(clock: FakeClock, nodes: readonly UiNode[]) {
    this.#clock = clock;
    this.#nodes = nodes;
  }

  async input(inputSeq: number, changes: readonly Change[]) {
    this.#inputSeq = inputSeq;
    for (const change of changes) this.#clock.schedule(change.atMs, () => this.change(change));
    return { pointCount: 1 };
  }

  change({ paint, nodes, noise }: Change): void {
    if (nodes) this.#nodes = nodes;
    if (noise !== undefined) {
      this.#version++;
      this.#pixels = this.#pixels.map((value) => (value === 255 ? 255 - noise : value === 255 - noise ? 255 : value));
    }
    if (!paint) return;
    this.#version++;
    for (let y = paint.y; y < paint.y + paint.height; y++) {
      for (let at = (y * WIDTH + paint.x) * 4; at < (y * WIDTH + paint.x + paint.width) * 4; at += 4) {
        this.#pixels[at] = 255 - (this.#pixels[at] ?? 0);
      }
    }
  }

  screen(missing: readonly string[]): UiScreen {
    return { screen: 'on', orientation: 'portrait', nodes: this.#nodes, missing };
  }

  capture(): Picture {
    const damage = [{ x: 0, y: 0, width: WIDTH, height: HEIGHT }];
    const [pixels, version, inputSeq] = [this.#pixels, this.#version, this.#inputSeq];
    return { pixels, width: WIDTH, height: HEIGHT, orientation: 'portrait', version, damage, inputSeq };
  }
}

const BOX: Rect = { x: 20, y: 60, width: 30, height: 20 };
const CARET: Rect = { x: 30, y: 120, width: 1, height: 10 };
const every = (ms: number, fromMs: number, untilMs: number, paint: Rect): (Change & { readonly paint: Rect })[] =>
  Array.from({ length: (untilMs - fromMs) / ms }, (_, index) => ({ atMs: fromMs + index * ms, paint }));

t.test('a change is told with its place and its times', async (t) => {
  const observed = await observe([
    { atMs: 80, paint: BOX },
    { atMs: 130, paint: { ...BOX, y: 100 } },
  ]);
  t.match(observed, { changed: true, area: { x: 0.2, y: 0.3, width: 0.3, height: 0.3 } });
  const { firstPictureMs = 0, settledMs = 0 } = observed;
  t.ok(firstPictureMs >= 80 && firstPictureMs <= 110, `${firstPictureMs} ms`);
  t.ok(settledMs >= 130 && settledMs <= 160, `${settledMs} ms`);
});

t.test('nothing within half a second is no change, what comes later neither', async (t) => {
  t.strictSame(await observe([]), { changed: false });
  t.strictSame(await observe([{ atMs: 700, paint: BOX }]), { changed: false });
  t.match(await observe([{ atMs: 450, paint: BOX }]), { changed: true });
});

t.test('what changed and is as before again has no area', async (t) => {
  const observed = await observe([
    { atMs: 50, paint: BOX },
    { atMs: 110, paint: BOX },
  ]);
  t.match(observed, { changed: true, firstPictureMs: Number, settledMs: Number });
  t.notOk(observed.area);
});

t.test('one that never stands still afterwards has no end', async (t) => {
  t.match(await observe(every(40, 40, 4_000, BOX)), { changed: true, settledMs: undefined });
});

t.test('the bars of the system do not count', async (t) => {
  t.strictSame(await observe([{ atMs: 100, paint: { x: 70, y: 2, width: 20, height: 5 } }]), { changed: false });
});

t.test('a caret and a time are told from an effect by nothing', async (t) => {
  const nodes = [BAR, CLOCK, FIELD];
  const blinks = every(200, 100, 700, CARET);
  t.strictSame(await observe(blinks, { nodes }), { unknown: 'moves_by_itself' });
  const ticks = [
    { atMs: 100, paint: { x: 5, y: 45, width: 20, height: 10 }, nodes: [BAR, { ...CLOCK, name: '12:35' }, FIELD] },
  ];
  t.strictSame(await observe(ticks, { nodes }), { unknown: 'moves_by_itself' });
  t.match(
    await observe([...blinks, { atMs: 90, paint: BOX }], { nodes }),
    { changed: true },
    'beside it an effect is seen',
  );
  const typed = [BAR, CLOCK, { ...FIELD, value: 'a' }];
  t.match(
    await observe([{ atMs: 30, paint: CARET, nodes: typed }], { nodes }),
    { changed: true },
    'so is one of the elements',
  );
  t.match(await observe(blinks, { nodes: [BAR] }), { changed: true }, 'outside of a field nothing blinks');
  t.match(await observe(blinks, { nodes: [BAR, UNFOCUSED], missing: ['focused'] }), {
    unknown: 'moves_by_itself',
  });
});

t.test('what only goes away may have gone by itself; what it uncovers is an effect', async (t) => {
  const toast: UiNode = { role: 'text', name: 'Saved', frame: { x: 0.2, y: 0.3, width: 0.3, height: 0.1 } };
  t.strictSame(await observe([{ atMs: 100, paint: BOX, nodes: [BAR] }], { nodes: [BAR, toast] }), {
    unknown: 'moves_by_itself',
  });
  const below: UiNode = { role: 'button', name: 'Next', frame: { x: 0.2, y: 0.3, width: 0.3, height: 0.1 } };
  t.match(await observe([{ atMs: 100, paint: BOX, nodes: [BAR, below] }], { nodes: [BAR, toast] }), { changed: true });
});

t.test('of a screen that moved before, only what there is on it counts', async (t) => {
  const label: UiNode = { role: 'text', name: '1 s', frame: { x: 0, y: 0.6, width: 1, height: 0.1 } };
  const button: UiNode = {
    role: 'button',
    name: 'Pause',
    actions: ['tap'],
    frame: { x: 0, y: 0.8, width: 1, height: 0.1 },
  };
  const nodes = [BAR, label, button];
  const told = { nodes, isMoving: true };
  t.strictSame(await observe([], told), { unknown: 'moves_by_itself' });
  const ticks = { atMs: 60, nodes: [BAR, { ...label, name: '2 s' }, button] };
  t.strictSame(await observe([ticks], told), { unknown: 'moves_by_itself' }, 'a text may go on');
  const paused = { atMs: 60, nodes: [BAR, label, { ...button, name: 'Play' }] };
  t.match(await observe([paused], told), { changed: true, area: undefined, settledMs: undefined });
});

t.test('a device that takes long to tell its elements is judged by its pictures', async (t) => {
  t.match(await observe([{ atMs: 50, paint: BOX }], { isSlow: true }), { changed: true, tree: undefined });
  t.match(await observe([{ atMs: 50, paint: CARET }], { isSlow: true }), { unknown: 'moves_by_itself' });
  t.match(await observe([{ atMs: 50, paint: { x: 70, y: 2, width: 20, height: 8 } }], { isSlow: true }), {
    unknown: 'moves_by_itself',
  });
  t.strictSame(await observe([], { isSlow: true }), { changed: false });
});

t.test(
  'an input that cannot be seen is performed all the same, and one that is ended before its turn is not',
  async (t) => {
    const clock = new FakeClock();
    const performed: number[] = [];
    const device = {
      perform: async (_request: ActionFields, { inputSeq }: InputContext) => {
        performed.push(inputSeq);
        return undefined;
      },
    };
    const capture = async () => {
      throw new DeviceFault('failed', 'No picture came.');
    };
    const blind = new Observer({
      device,
      gate: new CaptureGate({ capture }),
      clock,
      frames: undefined,
      isSlow: false,
      isLossy: false,
    });
    await blind.perform(TAP, contextOf(1));
    t.strictSame(await blind.observed(1, new AbortController().signal), { unknown: 'not_seen' });
    const hung = new Observer({
      device,
      gate: new CaptureGate({ capture: () => new Promise(() => undefined) }),
      clock,
      frames: undefined,
      isSlow: false,
      isLossy: false,
    });
    const late = hung.perform(TAP, contextOf(2));
    await clock.advance(3_000);
    await late;
    t.strictSame(performed, [1, 2]);
    const controller = new AbortController();
    const ended = hung.perform(TAP, contextOf(3, controller.signal));
    controller.abort();
    await t.rejects(ended, { name: 'DeviceFault', kind: 'aborted' });
    t.strictSame(performed, [1, 2]);
    t.strictSame(
      await hung.observed(9, new AbortController().signal),
      { unknown: 'next_input' },
      'an earlier one is over',
    );
  },
);

t.test('a scroll to an element that is in sight sends nothing, and changes nothing', async (t) => {
  const clock = new FakeClock();
  const list: UiNode = { ...FIELD, role: 'list', name: 'Rows', actions: ['scroll'] };
  const stage = new Stage(clock, [BAR, list]);
  const frames = new UiFrames({ read: () => stage.screen([]) });
  const perform = async (): Promise<never> => {
    throw new Error('nothing is to be sent');
  };
  const gate = new CaptureGate({ capture: async () => stage.capture() });
  const observer = new Observer({ device: { perform }, gate, clock, frames, isSlow: false, isLossy: false });
  const request: ActionFields = { action: 'scrollTo', target: { text: 'Rows' }, waitMs: 1_000 };
  const performed = observer.perform(request, contextOf(7));
  await clock.advance(6_000);
  t.match(await performed, { deltaY: 0 });
  t.same(await observer.observed(7, new AbortController().signal), { changed: false });
});

t.test('video is compared without what its encoder goes on refining', async (t) => {
  const lossy = { isLossy: true };
  const faint: Change[] = every(40, 20, 400, BOX).map(({ atMs }) => ({ atMs, noise: 5 }));
  t.strictSame(await observe(faint, lossy), { changed: false });
  t.match(await observe([...faint, { atMs: 90, paint: BOX }], lossy), { changed: true, area: { y: 0.28 } });
  t.match(await observe(faint), { changed: true }, 'a picture that is exact is compared to the pixel');
});

t.test('an element that moves while it is waited for is hit where it is at the dispatch', async (t) => {
  const clock = new FakeClock();
  const startMs = clock.monotonicMs();
  const shareNow = () => (clock.monotonicMs() - startMs) / 10_000;
  const read = (): UiScreen => {
    const frame = { x: shareNow(), y: 0.5, width: 0.2, height: 0.1 };
    return { screen: 'on', orientation: 'portrait', nodes: [{ role: 'button', name: 'Go', actions: ['tap'], frame }] };
  };
  const hit: { readonly x: number; readonly at: number }[] = [];
  const device = {
    perform: async (request: ActionFields) => {
      hit.push({ x: 'x' in request ? (request.x ?? 0) : 0, at: shareNow() + 0.1 });
      return { pointCount: 1 };
    },
  };
  const stage = new Stage(clock, []);
  const gate = new CaptureGate({ capture: async () => stage.capture() });
  const observer = new Observer({ device, gate, clock, frames: new UiFrames({ read }), isSlow: false, isLossy: false });
  const done = observer.perform({ action: 'tapElement', target: { text: 'Go' }, waitMs: 2_000 }, contextOf(4));
  await clock.advance(2_000);
  t.match(await done, { pointCount: 1 });
  t.equal(hit.length, 1);
  t.ok(Math.abs((hit[0]?.x ?? 0) - (hit[0]?.at ?? 1)) < 1e-9, JSON.stringify(hit));
  t.ok((hit[0]?.at ?? 0) > 0.105, 'it had moved while the screen was looked at');
});

t.test('pictures that may be old are renewed before anything is said of them', async (t) => {
  const clock = new FakeClock();
  const stage = new Stage(clock, [BAR]);
  let shown = stage.capture();
  const copy = (): Picture => ({ ...stage.capture(), pixels: Uint8Array.from(stage.capture().pixels) });
  shown = copy();
  const device = {
    perform: (_request: ActionFields, { inputSeq }: InputContext) => stage.input(inputSeq, []),
    refresh: async () => {
      shown = copy();
    },
  };
  const gate = new CaptureGate({ capture: async () => shown });
  const observer = new Observer({ device, gate, clock, frames: undefined, isSlow: false, isLossy: false });
  // It moves all the time, and sends no picture of that.
  for (const { atMs, paint } of every(20, 0, 3_000, BOX)) clock.schedule(atMs, () => stage.change({ atMs, paint }));
  const observed = observer.perform(TAP, contextOf(7)).then(() => observer.observed(7, new AbortController().signal));
  await clock.advance(4_000);
  t.strictSame(await observed, { unknown: 'moves_by_itself' });
});

t.test('what changes once another minute has begun may be a clock that the elements do not tell of', async (t) => {
  const minuteEnds = { startMs: 59_700 };
  t.strictSame(await observe([{ atMs: 300, paint: BOX }], minuteEnds), { unknown: 'moves_by_itself' });
  t.strictSame(await observe([], minuteEnds), { changed: false });
  t.match(await observe([{ atMs: 50, paint: BOX }], minuteEnds), { changed: true }, 'before it, it is an effect');
  const button: UiNode = { role: 'button', name: 'Go', frame: { x: 0, y: 0.5, width: 1, height: 0.1 } };
  t.match(await observe([{ atMs: 300, paint: BOX, nodes: [BAR, button] }], minuteEnds), { changed: true });
});

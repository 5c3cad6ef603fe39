import type { ActionFields, UiNode } from '@runcloud/protocol';
import t from 'tap';
import { TargetFault } from '../../../server/device/fault.ts';
import type { UiScreen } from '../../../server/device/ui.ts';
import { Targets } from '../../../server/host/ui/targets.ts';
import { UiFrames } from '../../../server/host/ui/ui-frames.ts';
import { FakeClock } from '../../support/fake-clock.ts';

/** Rows in sight, each a tenth of the display. */
const IN_SIGHT = 5;

interface ListOptions {
  readonly rows: number;
  readonly first?: number;
  /** Whether the list tells of what is out of sight, as the tools of real devices do not. */
  readonly tells?: boolean;
  readonly left?: number;
  readonly nameOf?: (row: number) => string;
  /** Shares of the height that a scroll moves for each that was asked. */
  readonly moves?: number;
}

/** A list of rows, which moves as it is scrolled. */
function listOf(name: string, { rows, first = 0, tells = false, left = 0, nameOf, moves = 1 }: ListOptions) {
  let offset = first / 10;
  const limit = Math.max(0, (rows - IN_SIGHT) / 10);
  const called = nameOf ?? ((row: number) => `${name} ${row}`);
  return {
    scroll: (deltaY: number) => {
      offset = Math.min(limit, Math.max(0, offset + deltaY * moves));
    },
    holds: (x: number) => x >= left && x < left + 0.5,
    node: (): UiNode => {
      const children: UiNode[] = [];
      let [before, after] = [0, 0];
      for (let row = 0; row < rows; row++) {
        const top = Math.max(0.2, 0.2 + row / 10 - offset);
        const bottom = Math.min(0.7, 0.3 + row / 10 - offset);
        if (bottom <= 0.2001) before++;
        else if (top >= 0.6999) after++;
        else
          children.push({
            role: 'cell',
            name: called(row),
            frame: { x: left, y: top, width: 0.5, height: bottom - top },
          });
      }
      const next = Array.from({ length: Math.min(3, after) }, (_, index) => called(rows - after + index));
      const offScreen = { before, after, names: next };
      const frame = { x: left, y: 0.2, width: 0.5, height: 0.5 };
      return { role: 'list', name, actions: ['scroll'], frame, ...(tells ? { offScreen } : {}), children };
    },
  };
}

function deviceWith(...lists: ReturnType<typeof listOf>[]) {
  const clock = new FakeClock();
  const performed: ActionFields[] = [];
  const extra: UiNode[] = [];
  const read = (): UiScreen => ({
    screen: 'on',
    app: 'App',
    orientation: 'portrait',
    nodes: [...extra, ...lists.map((list) => list.node())],
  });
  const device = {
    perform: async (request: ActionFields) => {
      performed.push(request);
      if (request.action === 'scroll') lists.find((list) => list.holds(request.x ?? 0.5))?.scroll(request.deltaY);
      return {};
    },
  };
  const targets = new Targets(device, new UiFrames({ read }), clock);
  const controller = new AbortController();
  const scrollTo = async (target: object, more: object = {}): Promise<unknown> => {
    let isOver = false;
    const request = { action: 'scrollTo', waitMs: 10_000, target, ...more } as Parameters<typeof targets.perform>[0];
    const done = targets
      .perform(request, { inputSeq: 1, signal: controller.signal })
      .catch((error: unknown) => error)
      .finally(() => {
        isOver = true;
      });
    while (!isOver) {
      for (let turn = 0; turn < 20; turn++) await Promise.resolve();
      await clock.advance(25);
    }
    return done;
  };
  return { clock, performed, extra, controller, scrollTo };
}

t.test('an element in sight is answered at once, and nothing is scrolled', async (t) => {
  const { scrollTo, performed } = deviceWith(listOf('Row', { rows: 9 }));
  t.strictSame(await scrollTo({ text: 'Row 2' }), { x: 0.25, y: 0.45, frame: 1, deltaX: 0, deltaY: 0 });
  t.strictSame(performed, []);
});

for (const tells of [true, false]) {
  t.test(
    `it goes down, then up, and stands whole in sight; the list ${tells ? 'tells' : 'does not tell'}`,
    async (t) => {
      const { scrollTo, performed } = deviceWith(listOf('Row', { rows: 60, first: 30, tells }));
      const down = (await scrollTo({ text: 'Row 47', exact: true })) as { y: number; deltaY: number };
      t.match(down, { x: 0.25, deltaX: 0 });
      t.ok(down.y <= 0.65 && down.y >= 0.25, 'no edge cuts it off');
      t.ok(Math.abs(down.deltaY - 1.4) <= 0.4, `${down.deltaY} of the display`);
      t.ok(performed.every((request) => request.action === 'scroll' && request.x === 0.25 && request.y === 0.45));
      const up = (await scrollTo({ text: 'Row 3', exact: true })) as { y: number; deltaY: number };
      t.ok(up.y <= 0.65 && up.y >= 0.25);
      t.ok(up.deltaY < 0, 'back, after the end');
    },
  );
}

t.test('what is nowhere is told with what is at both ends', async (t) => {
  for (const tells of [true, false]) {
    const { scrollTo } = deviceWith(listOf('Row', { rows: 20, first: 7, tells }));
    const failed = await scrollTo({ text: 'Imprint' });
    t.match(failed, { target: 'absent' });
    t.match((failed as Error).message, /^No element "Imprint" in the list "Row" @1 of frame \d+\. At its bottom: /);
    t.match((failed as Error).message, 'At its bottom: cell "Row 17", cell "Row 18", cell "Row 19".');
    t.match((failed as Error).message, 'At its top: cell "Row 0", cell "Row 1", cell "Row 2".');
  }
});

t.test('one direction is the only one', async (t) => {
  const { scrollTo, performed } = deviceWith(listOf('Row', { rows: 30, first: 10 }));
  const failed = (await scrollTo({ text: 'Row 2', exact: true }, { direction: 'down' })) as Error;
  t.match(failed, { target: 'absent', message: /At its bottom: .*"Row 29"\.$/ });
  t.ok(performed.every((request) => request.action === 'scroll' && request.deltaY > 0));
  t.match(await scrollTo({ text: 'Row 2', exact: true }, { direction: 'up' }), { deltaY: Number });
});

t.test('of several lists the one that tells of it is scrolled to its end, or the one that is named', async (t) => {
  const long = () => listOf('Left', { rows: 30, tells: true });
  const right = () => listOf('Right', { rows: 30, tells: true, left: 0.5 });
  const told = deviceWith(long(), right());
  await told.scrollTo({ text: 'Right 6', exact: true });
  t.ok(
    told.performed.length > 0 && told.performed.every((request) => request.action === 'scroll' && request.x === 0.75),
  );
  const named = deviceWith(long(), right());
  t.match(await named.scrollTo({ text: 'Right 20' }, { within: { text: 'Right', role: 'list' } }), { x: 0.75 });
  t.match(await named.scrollTo({ text: 'x' }, { within: { text: 'Nobody' } }), {
    target: 'absent',
    message: /"Nobody"/,
  });
});

t.test('where nothing can be scrolled, or several fit, it says so and scrolls nothing', async (t) => {
  const plain = deviceWith();
  plain.extra.push({ role: 'button', name: 'Save', frame: { x: 0, y: 0, width: 0.5, height: 0.1 } });
  t.match(await plain.scrollTo({ text: 'Imprint' }), {
    message: 'No element "Imprint" in frame 1, and nothing in frame 1 can be scrolled.',
  });
  const twice = deviceWith(listOf('Row', { rows: 20, nameOf: () => 'Same' }));
  t.match(await twice.scrollTo({ text: 'same' }), { target: 'several' });
  t.strictSame([...plain.performed, ...twice.performed], []);
});

t.test('a list without an end is left after its time, or after two hundred steps', async (t) => {
  const endless = () => deviceWith(listOf('Row', { rows: 4_000, moves: 0.2 }));
  const failed = (await endless().scrollTo({ text: 'Imprint' }, { waitMs: 1_000 })) as TargetFault;
  t.ok(failed instanceof TargetFault);
  t.match(failed.message, /^No element "Imprint" within 1000 ms, in \d+ steps through the list "Row" /);
  t.match(failed.message, /Last in sight: (cell "Row \d+"(, )?){3}\.$/);
  const long = endless();
  t.match(await long.scrollTo({ text: 'Imprint' }, { waitMs: 30_000 }), {
    message: /^No element "Imprint" in 200 steps/,
  });
  t.equal(long.performed.length, 200);
});

t.test('an abort ends it between two steps', async (t) => {
  const { scrollTo, controller, performed } = deviceWith(listOf('Row', { rows: 1_000 }));
  const reason = new Error('over');
  const ended = scrollTo({ text: 'Imprint' });
  controller.abort(reason);
  t.equal(await ended, reason);
  t.ok(performed.length <= 1);
});

import type { UiNode } from '@runcloud/protocol';
import t from 'tap';
import type { UiScreen } from '../../../server/device/ui.ts';
import { toldAs, UiFrames, type UiReading } from '../../../server/host/ui/ui-frames.ts';

const { signal } = new AbortController();

function screenOf(name: string, clock = '9:41'): UiScreen {
  const frame = { x: 0, y: 0, width: 1, height: 1 };
  const nodes: UiNode[] = [
    { role: 'button', name, frame, actions: ['tap'] },
    { role: 'text', name: clock, frame, system: true },
  ];
  return { screen: 'on', app: 'App', orientation: 'portrait', nodes };
}

t.test('a frame keeps its number while nothing but the bars of the system changes', async (t) => {
  let screen = screenOf('one');
  const frames = new UiFrames({ read: () => screen });
  const read = () => (frames.read(signal) as UiReading).frame;
  t.strictSame([read(), read()], [1, 1]);
  screen = screenOf('one', '9:42');
  t.equal(read(), 1);
  screen = screenOf('two');
  t.equal(read(), 2);
  screen = { ...screenOf('two'), orientation: 'landscape_left' };
  t.equal(read(), 3);
});

t.test('an input ends a frame for good, even if the screen stays as it is', async (t) => {
  const frames = new UiFrames({ read: () => screenOf('one') });
  const read = () => (frames.read(signal) as UiReading).frame;
  t.equal(read(), 1);
  frames.expire();
  t.equal(read(), 2);
  t.equal(read(), 2);
});

t.test('a source that answers at once is read at once, another one later', async (t) => {
  const now = new UiFrames({ read: () => screenOf('one') }).read(signal);
  t.notOk(now instanceof Promise);
  const later = new UiFrames({ read: async () => screenOf('one') }).read(signal);
  t.ok(later instanceof Promise);
  t.equal((await later).frame, 1);
});

t.test('a reading is told as a tree or as lines, with the same number', async (t) => {
  const reading = await new UiFrames({ read: () => screenOf('one') }).read(signal);
  const facts = { frame: 1, screen: 'on', app: 'App', orientation: 'portrait', nodeCount: 2 };
  t.match(toldAs(reading, 'json'), { ...facts, nodes: [{ ref: '@1', name: 'one' }, { name: '9:41' }] });
  t.strictSame(toldAs(reading, 'outline'), {
    ...facts,
    outline: 'frame 1 · App · portrait · 1 of 2 nodes\nbutton "one" @1\n',
  });
});

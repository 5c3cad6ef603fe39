import type { Target, UiNode } from '@runcloud/protocol';
import t from 'tap';
import type { UiScreen } from '../../../server/device/ui.ts';
import { Touches, touchedOf } from '../../../server/host/ui/touches.ts';
import { UiFrames } from '../../../server/host/ui/ui-frames.ts';

const frame = (x: number, y: number, width = 0.3, height = 0.1) => ({ x, y, width, height });
const button = (name: string, x: number, y: number, more: Partial<UiNode> = {}): UiNode => ({
  role: 'button',
  name,
  frame: frame(x, y),
  actions: ['tap'],
  ...more,
});
const NODES: readonly UiNode[] = [
  { role: 'text', name: '9:41', frame: frame(0, 0, 1, 0.05), system: true },
  { role: 'heading', name: 'Orders', frame: frame(0, 0.05, 1, 0.05) },
  {
    role: 'list',
    name: 'All orders',
    frame: frame(0, 0.1, 1, 0.6),
    children: [
      {
        role: 'cell',
        name: 'First',
        frame: frame(0, 0.1, 1, 0.1),
        actions: ['tap'],
        children: [{ role: 'image', frame: frame(0, 0.1) }],
      },
      button('Delete', 0.6, 0.1),
      button('Delete', 0.6, 0.3, { ref: '@7' }),
      button('More', 0.6, 0.5, { id: 'more' }),
      { role: 'text', name: 'More', frame: frame(0, 0.5) },
    ],
  },
  {
    role: 'textfield',
    value: 'a secret thought',
    frame: frame(0, 0.75),
    editable: true,
    actions: ['type'],
    id: 'search',
  },
  { role: 'textfield', value: 'another', frame: frame(0.5, 0.75), editable: true, actions: ['type'] },
  { role: 'text', value: '12 items', frame: frame(0, 0.9) },
];
const SCREEN: UiScreen = { screen: 'on', app: 'Shop', orientation: 'portrait', nodes: NODES };
const at = (x: number, y: number) => touchedOf({ nodes: NODES, screen: SCREEN }, { x, y });

t.test('a touch is told by what was under it, and where', (t) => {
  t.same(at(0.7, 0.55), {
    app: 'Shop',
    heading: 'Orders',
    element: { role: 'button', name: 'More', id: 'more', frame: frame(0.6, 0.5) },
  });
  t.match(at(0.7, 0.35).element, { name: 'Delete', index: 1 });
  t.match(at(0.7, 0.15).element, { name: 'Delete', index: 0 });
  t.match(at(0.1, 0.55).element, { role: 'text', name: 'More', index: 0 }, 'by its name the button would be meant');
  t.match(at(0.1, 0.15).element, { role: 'cell', name: 'First' }, 'an image without a name is a part of its cell');
  t.match(at(0.1, 0.95).element, { role: 'text', name: '12 items' });
  t.end();
});

t.test('an element that an input names is told as one that is touched', (t) => {
  const on = (target: Target) => touchedOf({ nodes: NODES, screen: SCREEN }, target).element;
  t.match(on({ text: 'more', role: 'button' }), { name: 'More', id: 'more' });
  t.match(on({ ref: '@7', frame: 1 }), { role: 'button', name: 'Delete', index: 1 });
  t.equal(on({ text: 'Delete' }), undefined, 'two are called that');
  t.equal(on({ text: 'Not there yet' }), undefined);
  t.end();
});

t.test('what has no name is not told, nor what a field holds', (t) => {
  t.same(at(0.1, 0.65), { app: 'Shop', heading: 'Orders' }, 'a list is the place of others');
  t.same(at(0.99, 0.99).element, undefined);
  t.same(at(0.1, 0.8).element, { role: 'textfield', id: 'search', frame: frame(0, 0.75) });
  t.same(at(0.6, 0.8).element, undefined);
  t.notMatch(JSON.stringify([at(0.1, 0.8), at(0.6, 0.8)]), /secret|another/);
  t.end();
});

t.test(
  'a source that takes long is asked after a touch, and counts for the next one if no input came since',
  async (t) => {
    const { signal } = new AbortController();
    let reads = 0;
    const frames = new UiFrames({
      isSlow: true,
      read: async () => {
        reads++;
        return SCREEN;
      },
    });
    const touches = new Touches(frames, { isSlow: true });
    const read = () => new Promise((resolve) => setTimeout(resolve, 20));
    t.equal(touches.at({ x: 0.7, y: 0.55 }, signal), undefined, 'nothing is known yet');
    frames.expire();
    await read();
    t.equal(reads, 1);
    t.match(touches.at({ x: 0.7, y: 0.55 }, signal), { element: { id: 'more' } });
    frames.expire();
    t.equal(touches.at({ x: 0.7, y: 0.55 }, signal), undefined, 'an input came since');
    await read();
  },
);

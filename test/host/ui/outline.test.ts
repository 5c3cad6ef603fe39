import type { UiNode } from '@runcloud/protocol';
import t from 'tap';
import { bounded } from '../../../server/host/ui/bounded.ts';
import { outline } from '../../../server/host/ui/outline.ts';

const FRAME = { x: 0, y: 0, width: 1, height: 1 };
const node = (role: UiNode['role'], fields: Partial<UiNode> = {}): UiNode => ({ role, frame: FRAME, ...fields });
const TAP = { actions: ['tap'] } as const;

function told(...given: readonly UiNode[]): string {
  const { nodes, nodeCount } = bounded({ nodes: given });
  return outline(nodes, { frame: 42, screen: 'on', app: 'Notes', orientation: 'portrait', nodeCount });
}

const linesOf = (...given: readonly UiNode[]): readonly string[] =>
  told(...given)
    .trimEnd()
    .split('\n')
    .slice(1);

t.test('wrappers are hoisted, short elements share a line, and the first line says what it is', async (t) => {
  const text = told(
    node('app', {
      name: 'Notes',
      children: [
        node('heading', { name: 'All notes' }),
        node('other', { children: [node('textfield', { name: 'Search', ...TAP })] }),
        node('list', {
          name: 'Recent',
          offScreen: { before: 2, after: 18, names: ['Recipes', 'Travel'] },
          children: [node('cell', { name: 'Groceries', ...TAP }), node('cell', { name: 'Ideas', ...TAP })],
        }),
        node('button', { name: 'New note', ...TAP }),
        node('image'),
      ],
    }),
  );
  t.equal(
    text,
    [
      'frame 42 · Notes · portrait · 6 of 9 nodes',
      'heading "All notes"',
      'textfield "Search" @1',
      'list "Recent"',
      '  … 2 more before',
      '  cell "Groceries" @2 · cell "Ideas" @3',
      '  … 18 more after: "Recipes", "Travel"',
      'button "New note" @4',
      '',
    ].join('\n'),
  );
});

t.test('a name that an ancestor says already is said once', async (t) => {
  const row = node('cell', { name: 'Model', value: 'One', children: [node('text', { name: 'Model' })] });
  t.strictSame(linesOf(row), ['cell "Model" = "One"']);
});

t.test('equal lines stand once, with their number and the first and the last ref', async (t) => {
  const texts = Array.from({ length: 4 }, () => node('text', { name: '–' }));
  const buttons = Array.from({ length: 3 }, () => node('button', { name: 'Delete', ...TAP }));
  t.strictSame(linesOf(...texts, ...buttons), ['text "–" ×4', 'button "Delete" ×3 @1–@3']);
});

t.test('states are said, secure values and the bars of the system are not', async (t) => {
  t.strictSame(
    linesOf(
      node('switch', { name: 'Dark mode', checked: true, ...TAP }),
      node('switch', { name: 'Silent', checked: false, disabled: true, ...TAP }),
      node('textfield', { name: 'PIN', value: '1234', secure: true, focused: true, ...TAP }),
      node('tab', { name: 'Home', selected: true, ...TAP }),
      node('text', { name: '9:41', system: true }),
      node('keyboard', { name: 'Keyboard', children: [node('button', { name: 'q', ...TAP })] }),
    ),
    [
      'switch "Dark mode" on @1',
      'switch "Silent" off disabled @2',
      'textfield "PIN" focused secure @3',
      'tab "Home" selected @4',
      'keyboard, 1 keys',
    ],
  );
});

t.test('no text passes for a line of the outline, and none turns a terminal', async (t) => {
  const name = 'x"\nbutton "Pay" @1\u001b[2J';
  const lines = linesOf(node('text', { name }), node('text', { value: name }));
  t.equal(lines.length, 2);
  t.strictSame(lines, ['text "x\\" button \\"Pay\\" @1 [2J"', 'text = "x\\"\\nbutton \\"Pay\\" @1 [2J"']);
});

t.test('it is never longer than 20 KB, and says how much it leaves out', async (t) => {
  const nodes = Array.from({ length: 1_000 }, (_, index) => node('text', { name: `${index} ${'ä'.repeat(150)}` }));
  const text = told(...nodes);
  t.ok(Buffer.byteLength(text) <= 20_000, `${Buffer.byteLength(text)} bytes`);
  const shown = text.trimEnd().split('\n').length - 2;
  t.match(text, new RegExp(`… ${1_000 - shown} lines left out: ask for the format json`));
});

t.test('a screen that is off, and what a source cannot tell', async (t) => {
  const head = { frame: 7, orientation: 'portrait', nodeCount: 0 } as const;
  t.equal(outline([], { ...head, screen: 'off' }), 'frame 7 · screen off\n');
  t.equal(outline([], { ...head, screen: 'on', missing: ['id'] }), 'frame 7 · portrait · 0 of 0 nodes · without id\n');
});

t.test('the same screen has the same lines', async (t) => {
  const nodes = [node('button', { name: 'A', ...TAP }), node('text', { name: 'B' })];
  t.equal(told(...nodes), told(...nodes));
});

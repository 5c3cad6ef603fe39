import type { UiFrame, UiNode, UiRole } from '@runcloud/protocol';
import { type BestSelector, bestSelector, matchTarget, placedNodes } from '@runcloud/protocol/terms';
import fc from 'fast-check';
import t from 'tap';
import { checkUiCheck } from '../../protocol/ui-condition.ts';

const at = (x: number, y: number, width = 0.2, height = 0.05): UiFrame => ({ x, y, width, height });
const named = (role: UiRole, name: string | undefined, frame: UiFrame, more: Partial<UiNode> = {}): UiNode => ({
  role,
  ...(name === undefined ? {} : { name }),
  frame,
  ...more,
});

/** The selectors of all elements, in the order in which they are drawn. */
const selectors = (nodes: readonly UiNode[]): (BestSelector | undefined)[] =>
  placedNodes(nodes).map((node) => bestSelector(nodes, node));

t.test('an id comes first, then the text with the role, then a role that nothing else has', async (t) => {
  const nodes = [
    named('button', 'Save', at(0, 0.1), { id: 'notes.save', actions: ['tap'] }),
    named('button', 'Cancel', at(0.5, 0.1), { actions: ['tap'] }),
    named('heading', 'Cancel', at(0.5, 0.2)),
    named('textfield', undefined, at(0, 0.3), { value: 'Milk', actions: ['tap', 'type'], editable: true }),
    named('text', undefined, at(0, 0.4), { value: '3 notes' }),
  ];
  t.strictSame(selectors(nodes), [
    { target: { id: 'notes.save' }, by: 'id' },
    { target: { text: 'Cancel', role: 'button' }, by: 'text' },
    { target: { text: 'Cancel', role: 'heading' }, by: 'text' },
    { target: { role: 'textfield' }, by: 'role' },
    { target: { text: '3 notes', role: 'text' }, by: 'text' },
  ]);
});

t.test('the same text in another case is told apart letter by letter', async (t) => {
  const nodes = ['save', 'Save'].map((name, y) => named('button', name, at(0, y / 10), { actions: ['tap'] }));
  t.strictSame(
    selectors(nodes).map((one) => one?.target),
    [
      { text: 'save', role: 'button', exact: true },
      { text: 'Save', role: 'button', exact: true },
    ],
  );
});

t.test('of equal ones a neighbour tells which; where none does, their order', async (t) => {
  const rows = ['Milk', 'Bread'].map((name, y) =>
    named('cell', name, at(0, y / 10, 1), {
      actions: ['tap'],
      children: [named('button', 'Delete', at(0.8, y / 10), { id: 'row.delete', actions: ['tap'] })],
    }),
  );
  t.strictSame(selectors(rows)[3], { target: { id: 'row.delete', near: 'Bread' }, by: 'near' });
  const switches = [0.1, 0.5].map((y) => named('switch', undefined, at(0, y), { actions: ['tap'], checked: true }));
  t.strictSame(selectors(switches)[1], { target: { role: 'switch', index: 1 }, by: 'index' });
});

t.test('what no selector means has none: without a place, or around another of its kind', async (t) => {
  const hidden = named('button', 'Gone', at(0, 0, 0));
  t.equal(bestSelector([hidden], hidden), undefined);
  const outer = named('other', undefined, at(0, 0, 1, 1), { children: [named('other', undefined, at(0, 0))] });
  t.strictSame(selectors([outer]), [undefined, { target: { role: 'other' }, by: 'role' }]);
});

t.test('whatever an app shows, a selector is valid and finds its own element', async (t) => {
  const text = fc.oneof(
    fc.constantFrom('Save', 'save', 'Save as', ' ', '', 'a\n b', '😀'.repeat(150)),
    fc.string({ unit: 'grapheme', maxLength: 3 }),
  );
  const leaf = fc.record(
    {
      role: fc.constantFrom<UiRole>('button', 'text', 'cell', 'textfield'),
      name: text,
      value: text,
      id: fc.constantFrom('', 'one', 'two', 'x'.repeat(300)),
      frame: fc.record({
        x: fc.constantFrom(0, 0.5),
        y: fc.constantFrom(0, 0.25, 0.75),
        width: fc.constantFrom(0, 0.25),
        height: fc.constantFrom(0.1, 0.2),
      }),
      actions: fc.constantFrom(['tap'] as const, ['scroll'] as const),
      system: fc.constant(true as const),
    },
    { requiredKeys: ['role', 'frame'] },
  );
  const around = (within: fc.Arbitrary<object>): fc.Arbitrary<UiNode> =>
    fc.tuple(leaf, fc.array(within, { maxLength: 3 })).map(([node, children]) => ({ ...node, children }) as UiNode);
  const tree = around(around(leaf));
  let found = 0;
  fc.assert(
    fc.property(fc.array(tree, { maxLength: 6 }), (nodes) => {
      for (const node of placedNodes(nodes)) {
        const best = bestSelector(nodes, node);
        if (!best) continue;
        found++;
        const match = matchTarget(nodes, best.target);
        const isValid = checkUiCheck({ target: best.target, is: 'enabled' }).ok;
        if (!isValid || match.kind !== 'one' || match.node !== node) return false;
      }
      return true;
    }),
  );
  t.ok(found > 100, 'and most have one');
});

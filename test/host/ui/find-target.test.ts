import type { Target, UiFrame, UiNode } from '@runcloud/protocol';
import { middleOf } from '@runcloud/protocol/terms';
import t from 'tap';
import { findTarget } from '../../../server/host/ui/find-target.ts';

const at = (x: number, y: number, width = 0.2, height = 0.05): UiFrame => ({ x, y, width, height });
const row = (y: number): UiFrame => at(0, y, 1, 0.05);

const SCREEN: readonly UiNode[] = [
  { role: 'text', name: 'Save', frame: row(0), system: true },
  {
    role: 'app',
    name: 'Groceries',
    id: 'shop',
    frame: at(0, 0.05, 1, 0.95),
    children: [
      { role: 'heading', name: 'Groceries', frame: row(0.1) },
      {
        role: 'cell',
        name: 'Milk',
        frame: row(0.2),
        actions: ['tap'],
        ref: '@1',
        children: [{ role: 'button', name: 'Delete', frame: at(0.8, 0.2), actions: ['tap'], ref: '@2' }],
      },
      {
        role: 'cell',
        name: 'Bread',
        frame: row(0.25),
        actions: ['tap'],
        ref: '@3',
        children: [
          { role: 'button', name: 'Delete', id: 'row.delete', frame: at(0.8, 0.25), actions: ['tap'], ref: '@4' },
        ],
      },
      { role: 'button', name: 'Save as', frame: at(0, 0.5), actions: ['tap'], ref: '@5' },
      { role: 'button', name: 'SAVE', frame: at(0.5, 0.5), actions: ['tap'], ref: '@6' },
      { role: 'textfield', name: 'Search', value: 'Oat  milk', frame: row(0.6), actions: ['tap', 'type'], ref: '@7' },
      { role: 'text', name: 'Gone', frame: at(0, 0.7, 0, 0.05) },
      {
        role: 'list',
        name: 'More',
        frame: row(0.8),
        actions: ['scroll'],
        ref: '@8',
        offScreen: { before: 0, after: 3, names: ['Imprint'] },
      },
    ],
  },
];

const found = (target: Target, action?: 'type') => {
  const finding = findTarget(SCREEN, target, action);
  return finding.kind === 'one' ? (finding.node.ref ?? finding.node.name) : finding;
};

t.test(
  'a text is found in name or value, whatever its case and spaces; a whole one comes before a part of one',
  async (t) => {
    t.equal(found({ text: 'save' }), '@6');
    t.equal(found({ text: 'save a' }), '@5');
    t.equal(found({ text: 'oat milk' }), '@7');
    t.equal(found({ text: 'mil' }, 'type'), '@7');
    t.equal(found({ text: 'SAVE', exact: true }), '@6');
    t.match(found({ text: 'Sav', exact: true }), { kind: 'none' });
  },
);

t.test('what can be used comes before what can be read, an app before the bars of the system', async (t) => {
  t.equal(found({ text: 'Save', exact: true }), 'Save');
  t.equal(found({ text: 'search' }), '@7');
});

t.test('of elements within each other the innermost is meant', async (t) => {
  t.equal(found({ text: 'groceries', role: 'heading' }), 'Groceries');
  const finding = findTarget(SCREEN, { text: 'Groceries' });
  t.match(finding, { kind: 'one', node: { role: 'heading' } });
});

t.test('an id and a role are exact, and hold together with the text', async (t) => {
  t.equal(found({ id: 'row.delete' }), '@4');
  t.match(found({ id: 'row' }), { kind: 'none' });
  t.equal(found({ text: 'Delete', id: 'row.delete' }), '@4');
  t.equal(found({ role: 'textfield' }), '@7');
  t.match(found({ role: 'slider' }), { kind: 'none' });
});

t.test('several are a failure that names them, with their refs', async (t) => {
  t.strictSame(found({ text: 'delete' }), {
    kind: 'several',
    of: { text: 'delete' },
    count: 2,
    names: 'button "Delete" @2, button "Delete" @4',
  });
  const many = Array.from({ length: 9 }, (): UiNode => ({ role: 'cell', name: 'Row', frame: row(0.1) }));
  t.match(findTarget(many, { text: 'Row' }), { count: 9, names: /^(cell "Row", ){4}cell "Row" …$/ });
});

t.test('near means the nearest to one other element, and index counts from there', async (t) => {
  t.equal(found({ text: 'Delete', near: 'Bread' }), '@4');
  t.equal(found({ text: 'Delete', near: 'Bread', index: 1 }), '@2');
  t.equal(found({ role: 'button', near: 'Milk' }), '@2');
  t.match(found({ text: 'Delete', near: 'Cheese' }), { kind: 'none', more: ' There is no "Cheese" to be near to.' });
  t.match(found({ role: 'cell', near: 'Delete' }), { kind: 'several', of: { text: 'Delete' }, count: 2 });
});

t.test('an index counts as elements are drawn', async (t) => {
  t.equal(found({ text: 'Delete', index: 0 }), '@2');
  t.equal(found({ text: 'Delete', index: 1 }), '@4');
  t.match(found({ text: 'Delete', index: 2 }), { kind: 'none', more: / There are 2: button "Delete" @2, / });
});

t.test('nothing is found that has no place; a failure says what is similar, or out of sight', async (t) => {
  t.match(found({ text: 'Gone' }), { kind: 'none' });
  t.match(found({ text: 'Deleted' }), { kind: 'none', more: ' Similar: button "Delete" @2, button "Delete" @4.' });
  t.match(found({ text: 'imprint' }), { kind: 'none', more: ' It is out of sight.' });
  t.strictSame(found({ text: 'xyz' }), { kind: 'none', more: '' });
});

t.test('names that an app chooses cannot pass for words of the failure', async (t) => {
  const nodes: UiNode[] = ['a" @9, button "b', 'a\nb'].map((name) => ({ role: 'button', name, frame: row(0.1) }));
  t.match(findTarget(nodes, { role: 'button' }), { names: 'button "a\\" @9, button \\"b", button "a\\nb"' });
});

t.test('an element is pressed in the middle of what is in sight', async (t) => {
  t.strictSame(middleOf({ x: 0.1, y: 0.2, width: 0.00001, height: 0.7 }), { x: 0.100005, y: 0.55 });
});

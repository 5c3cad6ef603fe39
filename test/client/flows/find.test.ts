import t from 'tap';
import * as yamlLibrary from 'yaml';
import { findOne, isThere } from '../../../client/flow/find.ts';
import { patternOf } from '../../../client/flow/pattern.ts';
import { readSelector, type Selector } from '../../../client/flow/selector.ts';
import { Value } from '../../../client/flow/value.ts';
import type { UiNode } from '../../../client/sdk/types.ts';

function selector(yaml: string): Selector {
  const lines = new yamlLibrary.LineCounter();
  const { contents } = yamlLibrary.parseDocument(yaml, { lineCounter: lines });
  return readSelector(new Value(contents, { yaml: yamlLibrary, file: 'a.yaml', lines }, {}));
}

const frame = (x: number, y: number, width = 0.2, height = 0.05) => ({ x, y, width, height });
const text = (name: string, x: number, y: number, more: Partial<UiNode> = {}): UiNode => ({
  role: 'text',
  name,
  frame: frame(x, y),
  ...more,
});
const button = (name: string, x: number, y: number, more: Partial<UiNode> = {}): UiNode => ({
  ...text(name, x, y),
  role: 'button',
  actions: ['tap'],
  ...more,
});

const ROWS: readonly UiNode[] = [
  {
    role: 'list',
    name: 'Orders',
    id: 'com.example:id/orders',
    frame: frame(0, 0.1, 1, 0.6),
    children: [
      {
        role: 'cell',
        name: 'First',
        frame: frame(0, 0.1, 1, 0.1),
        children: [text('Milk', 0, 0.12), button('Delete', 0.7, 0.12, { ref: '@1' })],
      },
      {
        role: 'cell',
        name: 'Second',
        frame: frame(0, 0.3, 1, 0.1),
        children: [text('Bread', 0, 0.32), button('Delete', 0.7, 0.32, { ref: '@2', disabled: true })],
      },
      {
        role: 'cell',
        name: 'Third',
        frame: frame(0, 0.5, 1, 0.1),
        children: [text('Eggs', 0, 0.52), button('Delete', 0.7, 0.52, { ref: '@3' })],
      },
    ],
  },
  text('Total (2', 0, 0.8),
  text('Saved\n  twice', 0.5, 0.8),
  text('Hidden', 0, 0.9, { frame: frame(0, 0.9, 0, 0) }),
];

const refOf = (yaml: string): string => {
  const found = findOne(ROWS, selector(yaml));
  return found.kind === 'one' ? (found.node.ref ?? found.node.name ?? '') : found.sentence;
};

t.test('elements are found by where they are', (t) => {
  for (const [yaml, ref] of [
    ['{ text: Delete, below: Milk, index: 0 }', '@2'],
    ['{ text: Delete, below: Second }', '@3'],
    ['{ text: Delete, rightOf: Bread }', '@2'],
    ['{ text: Delete, childOf: { text: Second } }', '@2'],
    ['{ text: Delete, childOf: { containsChild: Eggs } }', '@3'],
    ['{ text: Milk, leftOf: { text: Delete, index: 0 } }', 'Milk'],
    ['{ text: Delete, above: Eggs, index: -1 }', '@2'],
    ['{ text: Delete, enabled: false }', '@2'],
    ['{ text: Delete, index: -1 }', '@3'],
    ['{ id: orders }', 'Orders'],
    ['{ id: "com.example:id/.*" }', 'Orders'],
    ['{ text: "(First|Third)", containsDescendants: [ Eggs, { text: Delete, enabled: true } ] }', 'Third'],
    ['Total (2', 'Total (2'],
    ['saved twice', 'Saved\n  twice'],
    ['Saved.*', 'Saved\n  twice'],
  ] as const) {
    t.equal(refOf(yaml), ref, yaml);
  }
  t.end();
});

t.test('what is not there, or not for certain, is told with what is like it', (t) => {
  t.equal(
    refOf('Delete'),
    '3 elements fit "Delete": button "Delete" @1, button "Delete" @2, button "Delete" @3. Say which one with "index" or "below".',
  );
  t.equal(refOf('Hidden'), 'There is no "Hidden" on the screen.');
  t.match(refOf('Save'), /^There is no "Save" on the screen\. It is a part of: text "Saved/);
  t.equal(refOf('{ text: Delete, below: Nothing }'), 'There is no "Nothing" on the screen.');
  t.match(refOf('{ text: Milk, leftOf: Delete }'), /^3 elements fit "Delete"/);
  t.match(refOf('{ text: Delete, index: 3 }'), /There are 3 of them/);
  t.ok(isThere(ROWS, selector('Delete')));
  t.notOk(isThere(ROWS, selector('{ text: Delete, index: 3 }')));
  t.notOk(isThere(ROWS, selector('{ text: Delete, below: Nothing }')));
  t.end();
});

t.test('a text is a regular expression over the whole, or itself', (t) => {
  for (const [pattern, said, matches] of [
    ['Save', 'Save', true],
    ['Save', 'save', true],
    ['Save', 'Saved', false],
    ['.*ave.*', 'Saved', true],
    ['a.b', 'a\nb', true],
    ['a+', 'aaa', true],
    ['$5.00 (tax)', '$5.00 (tax)', true],
    ['a|b', 'ab', false],
    ['Größe', 'Gro\u0308\u00dfe', true],
    ['[', '[', true],
    ['\\d{2} items', '12 items', true],
  ] as const) {
    t.equal(patternOf(pattern).matches(said), matches, `${pattern} / ${said}`);
  }
  t.equal(patternOf('Save').literal, 'Save');
  t.equal(patternOf('Sa.e').literal, undefined);
  t.end();
});

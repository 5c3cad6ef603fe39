import type { UiNode } from '@runcloud/protocol';
import t from 'tap';
import { bounded } from '../../../server/host/ui/bounded.ts';

const FRAME = { x: 0, y: 0, width: 1, height: 1 };
const node = (fields: Partial<UiNode>): UiNode => ({ role: 'text', frame: FRAME, ...fields });

t.test('5,000 nodes are told, and the rest is left out and said to be', async (t) => {
  const many = (count: number) => bounded({ nodes: Array.from({ length: count }, () => node({ name: 'a' })) });
  t.match(many(5_000), { nodeCount: 5_000, truncated: false });
  const more = many(6_000);
  t.match(more, { nodeCount: 5_000, truncated: true });
  t.equal(more.nodes.length, 5_000);
});

t.test('nodes 128 deep are told, however deep they go', async (t) => {
  let deep = node({ name: 'last' });
  for (let depth = 0; depth < 20_000; depth++) deep = node({ name: `${depth}`, children: [deep] });
  const { nodes, nodeCount, truncated } = bounded({ nodes: [deep] });
  t.equal(nodeCount, 128);
  t.ok(truncated);
  t.equal(nodes.length, 1);
});

t.test('names, values and ids are cut to size in whole characters, and all of them together', async (t) => {
  const long = '😀'.repeat(3_000);
  const [cut] = bounded({ nodes: [node({ name: long, value: long, id: long })] }).nodes;
  t.equal(cut?.name, `${'😀'.repeat(199)}…`);
  t.equal(cut?.value, `${'😀'.repeat(999)}…`);
  t.equal(cut?.id, `${'😀'.repeat(199)}…`);
  const all = bounded({ nodes: Array.from({ length: 1_000 }, () => node({ value: 'v'.repeat(1_000) })) });
  t.ok(all.truncated);
  const units = all.nodes.reduce((sum, { value = '' }) => sum + value.length, 0);
  t.ok(units <= 200_000, `${units} units`);
  t.equal(all.nodes.length, 1_000, 'the nodes themselves stay');
});

t.test('characters that would end a line, turn what is written, or cannot be sent become spaces', async (t) => {
  const hostile = 'a\u0000\n\r\u001b[2J\u202eb\u2028\ud800c';
  const [cleaned] = bounded({ nodes: [node({ name: hostile, value: 'one\n\ttwo\u001b\udc00' })] }).nodes;
  t.equal(cleaned?.name, 'a [2J b c');
  t.equal(cleaned?.value, 'one\n\ttwo ');
});

t.test('a secure value is never told', async (t) => {
  const [kept] = bounded({ nodes: [node({ role: 'textfield', secure: true, value: 'secret', name: 'PIN' })] }).nodes;
  t.strictSame(kept, { role: 'textfield', name: 'PIN', frame: FRAME, secure: true });
});

t.test('elements with actions are numbered from 1 in their order, those around before those within', async (t) => {
  const nodes = [
    node({
      role: 'list',
      actions: ['scroll'],
      children: [node({ actions: ['tap'] }), node({}), node({ actions: [] })],
    }),
    node({ actions: ['tap'] }),
  ];
  const { nodes: told } = bounded({ nodes });
  t.strictSame(
    [told[0]?.ref, told[0]?.children?.map(({ ref }) => ref), told[1]?.ref],
    ['@1', ['@2', undefined, undefined], '@3'],
  );
});

t.test('a frame lies within the display, whatever the source says', async (t) => {
  const frames = [
    [
      { x: -1, y: -1, width: 3, height: 1.5 },
      { x: 0, y: 0, width: 1, height: 0.5 },
    ],
    [
      { x: Number.NaN, y: Number.POSITIVE_INFINITY, width: Number.NaN, height: -5 },
      { x: 0, y: 0, width: 0, height: 0 },
    ],
    [
      { x: 0.9, y: 0.9, width: 0.5, height: 0.5 },
      { x: 0.9, y: 0.9, width: 0.1, height: 0.1 },
    ],
  ] as const;
  for (const [given, wanted] of frames)
    t.strictSame(bounded({ nodes: [node({ frame: given })] }).nodes[0]?.frame, wanted);
});

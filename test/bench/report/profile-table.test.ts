import t from 'tap';
import { allocationsOf, cpuOf, formatProfile } from '../../../bench/report/profile-table.ts';

const frame = (functionName: string, url = '') => ({ functionName, url });
const SEND = frame('send', 'file:///anywhere/server/socket/connection.ts');

t.test('time goes to the function that was running, wherever it was called from, and idle time to none', async (t) => {
  const { amount, functions } = cpuOf({
    nodes: [
      { id: 1, callFrame: frame('(root)') },
      { id: 2, callFrame: SEND },
      { id: 3, callFrame: frame('(idle)') },
      { id: 4, callFrame: frame('', 'node:internal/timers') },
      { id: 5, callFrame: SEND },
    ],
    samples: [1, 2, 3, 4, 5, 2],
    timeDeltas: [7, 100, 5_000, 50, 200, 50],
  });
  t.equal(amount, 400);
  t.same(functions, [
    { name: 'send', where: 'socket/connection.ts', amount: 350, share: 0.875 },
    { name: '(anonymous)', where: 'node:internal/timers', amount: 50, share: 0.125 },
  ]);
});

t.test('allocations are added up over the whole tree', async (t) => {
  const leaf = { callFrame: SEND, selfSize: 300, children: [] };
  const { amount, functions } = allocationsOf({
    head: {
      callFrame: frame('(root)'),
      selfSize: 0,
      children: [leaf, { callFrame: frame('read', 'a/b/c.ts?x=1'), selfSize: 100, children: [leaf] }],
    },
  });
  t.equal(amount, 700);
  t.match(functions, [
    { name: 'send', amount: 600 },
    { name: 'read', where: 'b/c.ts', amount: 100 },
  ]);
});

t.test('the table has the title above it and shares in per cent', async (t) => {
  const table = formatProfile('gateway: 1 s', {
    amount: 4,
    functions: [{ name: 'send', where: 'socket/connection.ts', amount: 3, share: 0.75 }],
  });
  t.match(table, /^gateway: 1 s\n\nfunction {2}in +%\n.*\nsend {6}socket\/connection\.ts {2}75\.0$/);
});

t.test('a thread that did nothing has an empty table', async (t) => {
  t.same(cpuOf({ nodes: [], samples: [], timeDeltas: [] }), { amount: 0, functions: [] });
});

import t from 'tap';
import {
  absoluteGoal,
  formatBound,
  formatGoal,
  goalsSum,
  missedGoals,
  outcomeOf,
  ratioColumns,
  ratioGoals,
} from '../../../bench/report/goals.ts';
import { type Comparison, compareRows, type Ratio } from '../../../bench/report/ratios.ts';
import { formatTable } from '../../../bench/report/table.ts';

const rows = [
  { name: 'service', p50Us: 50, perSecond: 900 },
  { name: 'echo', p50Us: 20, perSecond: 300 },
];
const of: Comparison<'p50Us' | 'perSecond'>[] = [
  { of: 'service', to: 'echo', figure: 'p50Us', target: 2 },
  { of: 'service', to: 'echo', figure: 'perSecond', target: 3, bound: 'at least' },
  { of: 'service', to: 'echo', figure: 'perSecond' },
  { of: 'service', to: 'absent', figure: 'perSecond', target: 3, bound: 'at least' },
];
const title = ({ to, figure }: Ratio<'p50Us' | 'perSecond'>) => `service / ${to}: ${figure}`;

t.test('goals are the ratios with a target, each on the side of it that was promised', async (t) => {
  t.same(ratioGoals(compareRows(rows, of), title, 'one-core'), [
    { name: 'one-core: service / echo: p50Us', measured: 2.5, goal: 2, bound: 'at most', unit: 'ratio', met: false },
    { name: 'one-core: service / echo: perSecond', measured: 3, goal: 3, bound: 'at least', unit: 'ratio', met: true },
    {
      name: 'one-core: service / absent: perSecond',
      measured: Number.NaN,
      goal: 3,
      bound: 'at least',
      unit: 'ratio',
      met: false,
    },
  ]);
});

t.test('a figure on its bound keeps it on either side, and past it misses it', async (t) => {
  const met = (measured: number, bound: 'at most' | 'at least') => absoluteGoal('a', 'ms', measured, 10, bound).met;
  t.same([met(9, 'at most'), met(10, 'at most'), met(11, 'at most')], [true, true, false]);
  t.same([met(9, 'at least'), met(10, 'at least'), met(11, 'at least')], [false, true, true]);
  t.same([met(Number.NaN, 'at most'), met(Number.NaN, 'at least')], [false, false]);
});

t.test('a missed goal is a sentence with the figure, the bound and the unit', async (t) => {
  const goals = [
    absoluteGoal('stop to ready', 'ms', 1_234, 1_000, 'at most'),
    absoluteGoal('kept', 'ms', 1, 1_000, 'at most'),
    ...ratioGoals(compareRows(rows, of), title),
  ];
  t.same(missedGoals(goals), [
    'stop to ready is 1,234 ms, not ≤ 1,000 ms',
    'service / echo: p50Us is 2.50, not ≤ 2',
    'service / absent: perSecond is -, not ≥ 3',
  ]);
  t.equal(formatBound('at least', 0.18), '≥ 0.18');
});

t.test('a table of ratios says the goal where there is one, and what became of it', async (t) => {
  const lines = formatTable(ratioColumns(title), compareRows(rows, of)).split('\n').slice(2);
  t.match(lines, [/2\.50 +≤ 2 +MISSED/, /3\.00 +≥ 3 +met/, /3\.00 +-$/, / - +≥ 3 +MISSED/]);
});

t.test('a missed goal is out of reach if bare parts that do this step alone miss it too', async (t) => {
  const of = (measured: number, bound: 'at most' | 'at least', floor?: number) =>
    absoluteGoal('a', 'ms', measured, 10, bound, floor);
  const goals = [
    of(12, 'at most', 11),
    of(12, 'at most', 10),
    of(12, 'at most'),
    of(12, 'at most', Number.NaN),
    of(9, 'at most', 11),
    of(8, 'at least', 9),
    of(8, 'at least', 11),
  ];
  const words = ['out of reach', 'missed', 'missed', 'missed', 'met', 'out of reach', 'missed'];
  t.same(goals.map(outcomeOf), words);
  t.equal(goalsSum(goals), '1 of 7 goals met, 2 out of reach');
  t.equal(goalsSum([of(1, 'at most')]), '1 of 1 goals met');
  t.same(
    [goals[0], goals[1]].map((goal) => goal && formatGoal(goal)),
    ['≤ 10 ms, bare 11.0 ms', '≤ 10 ms'],
  );
  t.match(missedGoals(goals)[0], 'a is 12.0 ms, not ≤ 10 ms, bare 11.0 ms');
});

t.test('the floor of a ratio is that of a control in the place of the service', async (t) => {
  const all = [...rows, { name: 'bare', p50Us: 42, perSecond: 950 }];
  const bare = { of: 'bare', to: 'echo' };
  const ratios = compareRows(all, [
    { of: 'service', to: 'echo', figure: 'p50Us', target: 2, bare },
    { of: 'service', to: 'echo', figure: 'p50Us', target: 2.2, bare },
  ]);
  const goals = ratioGoals(ratios, title);
  t.match(goals, [{ floor: 2.1 }, { floor: 2.1 }]);
  t.same(goals.map(outcomeOf), ['out of reach', 'missed']);
  t.match(formatTable(ratioColumns(title), ratios), /2\.50 +2\.10 +≤ 2 +out of reach/);
});

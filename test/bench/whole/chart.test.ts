import t from 'tap';
import { absoluteGoal, type Goal } from '../../../bench/report/goals.ts';
import { drawChart, shareOfLimit } from '../../../bench/whole/chart.ts';
import type { Results } from '../../../bench/whole/results.ts';

const ratio = (name: string, measured: number, goal: number, bound: Goal['bound']): Goal => ({
  ...absoluteGoal(name, 'ratio', measured, goal, bound),
});

const results = (goals: readonly Goal[]): Results => ({
  at: '2026-01-02T03:04:05.006Z',
  tookMs: 600_000,
  machine: { cores: 2, cpu: 'A & B', memoryMiB: 4_096, kernel: 'Linux 6', node: 'v20.0.0', pinned: true },
  versions: {},
  scenarios: [
    { name: 'tap', summary: 'taps', seconds: 0.3, rounds: 3, tookMs: 1, goals, figures: {} },
    { name: 'lost', summary: 'lost', tookMs: 1, error: 'it failed' },
  ],
});

const barWidths = (svg: string, of: 'met' | 'missed') =>
  [...svg.matchAll(new RegExp(`class="${of}" x="470" y="[\\d.]+" width="([\\d.]+)"`, 'g'))].map(([, width]) =>
    Number(width),
  );

t.test('a bar that ends before the line keeps its goal, on whichever side the goal is', async (t) => {
  t.equal(shareOfLimit({ measured: 1.5, goal: 2, bound: 'at most' }), 0.75);
  t.equal(shareOfLimit({ measured: 8, goal: 4, bound: 'at least' }), 0.5);
  t.equal(shareOfLimit({ measured: 2, goal: 4, bound: 'at least' }), 2);
  t.equal(shareOfLimit({ measured: 0, goal: 0, bound: 'at most' }), 0);
  t.equal(shareOfLimit({ measured: 1, goal: 0, bound: 'at most' }), Number.POSITIVE_INFINITY);
  t.equal(shareOfLimit({ measured: 0, goal: 4, bound: 'at least' }), Number.POSITIVE_INFINITY);
  t.equal(shareOfLimit({ measured: Number.NaN, goal: 4, bound: 'at least' }), Number.POSITIVE_INFINITY);
});

t.test('bars are as long as the share of the limit, and cut off at twice the limit', async (t) => {
  const goals = [
    ratio('half', 1, 2, 'at most'),
    ratio('all', 2, 2, 'at most'),
    ratio('thrice', 6, 2, 'at most'),
    ratio('unknown', Number.NaN, 2, 'at most'),
  ];
  const svg = drawChart(results(goals));
  t.same(barWidths(svg, 'met'), [70, 140]);
  t.same(barWidths(svg, 'missed'), [280, 280]);
  const line = Number(/class="line" x1="([\d.]+)"/.exec(svg)?.[1]);
  t.equal(line, 470 + 140, 'the line stands where a bar that uses its whole limit ends');
});

t.test('each goal says its figure, its bound and whether it is met, without its colour', async (t) => {
  const svg = drawChart(results([ratio('one-core: a', 1.234, 2, 'at most'), absoluteGoal('b', 'ms', 9, 5, 'at most')]));
  t.match(svg, '✓ 1.23 (≤ 2)');
  t.match(svg, '✗ 9.00 ms (≤ 5 ms)');
  t.match(svg, '1 of 2 goals met; lost failed');
  t.notMatch(svg, '>lost<', 'a scenario without figures has no bars');
});

t.test('text is escaped, and colours follow the reader’s choice of light or dark', async (t) => {
  const svg = drawChart(results([ratio('<a & "b">', 1, 2, 'at most')]));
  t.match(svg, '&lt;a &amp; &quot;b&quot;&gt;');
  t.match(svg, 'A &amp; B');
  t.match(svg, '@media (prefers-color-scheme: dark)');
  t.notMatch(svg.replace(/&(amp|lt|gt|quot);/g, ''), '&');
});

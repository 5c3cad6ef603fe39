import { formatGoal, formatMeasured, type Outcome, outcomeOf } from '../report/goals.ts';
import { goalsOf, type Results, type RunGoal, resultsSum } from './results.ts';

/**
 * Draws the goals of a run as bars. The length of a bar is the used share of its limit: for a cost, the cost divided by its
 * goal; for a throughput, the goal divided by the throughput. A bar that ends before the line thus always meets its goal.
 */

const WIDTH = 1000;
const LABEL_X = 16;
const BAR_X = 470;
const BAR_END_X = 750;
const VALUE_X = 762;
const ROW_HEIGHT = 22;
const BAR_HEIGHT = 10;
const HEAD_HEIGHT = 76;
const GROUP_HEIGHT = 28;
const FOOT_HEIGHT = 34;
/** A bar is cut off at twice its limit. */
const SHARE_MAX = 2;

const LINE_X = BAR_X + (BAR_END_X - BAR_X) / SHARE_MAX;

const CAPTION =
  'A bar is the share of its limit that is used: one that ends before the line keeps its goal. A full track is twice the limit or more. ≈: bare parts miss it too.';

/** Readable on light and dark pages; `met` and `missed` differ not only by colour but also by a symbol. */
const STYLE = `
    text { font: 12px system-ui, -apple-system, 'Segoe UI', sans-serif; fill: #1f2328 }
    .title { font-size: 16px; font-weight: 600 }
    .group { font-weight: 600 }
    .faint { fill: #59636e }
    .value { font-variant-numeric: tabular-nums }
    .paper { fill: #ffffff; stroke: #d1d9e0 }
    .track { fill: #eff2f5 }
    .met { fill: #2b7fb8 }
    .missed { fill: #cf6b12 }
    .line { stroke: #1f2328; stroke-width: 1.5 }
    @media (prefers-color-scheme: dark) {
      text { fill: #f0f6fc }
      .faint { fill: #9198a1 }
      .paper { fill: #0d1117; stroke: #3d444d }
      .track { fill: #212830 }
      .met { fill: #58a6d8 }
      .missed { fill: #e8914a }
      .line { stroke: #f0f6fc }
    }`;

/** The share of its limit that a goal's figure uses; infinite if it was not measured. */
export function shareOfLimit({ measured, goal, bound }: Pick<RunGoal, 'measured' | 'goal' | 'bound'>): number {
  if (Number.isNaN(measured)) return Number.POSITIVE_INFINITY;
  const [part, limit] = bound === 'at most' ? [measured, goal] : [goal, measured];
  if (limit === 0) return part === 0 ? 0 : Number.POSITIVE_INFINITY;
  return part / limit;
}

/** One SVG image of the results. */
export function drawChart(results: Results): string {
  const goals = goalsOf(results);
  const names = [...new Set(goals.map(({ scenario }) => scenario))];
  const parts: string[] = [];
  let y = HEAD_HEIGHT;
  const top = y;
  for (const name of names) {
    parts.push(text(LABEL_X, y + GROUP_HEIGHT - 9, name, 'group'));
    y += GROUP_HEIGHT;
    for (const goal of goals.filter(({ scenario }) => scenario === name)) {
      parts.push(drawRow(goal, y));
      y += ROW_HEIGHT;
    }
  }
  const height = y + FOOT_HEIGHT;
  const sum = resultsSum(results);
  const { cores, cpu, node } = results.machine;
  const head = [
    text(LABEL_X, 28, sum, 'title'),
    text(LABEL_X, 50, CAPTION, 'faint'),
    text(LINE_X, HEAD_HEIGHT - 6, 'goal', 'faint', 'middle'),
  ];
  const foot = `${results.at.slice(0, 10)} · Node.js ${node} · ${cores} × ${cpu} · two-cores where no layout is named`;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="${sum}">
  <style>${STYLE}
  </style>
  <rect class="paper" x="0.5" y="0.5" width="${WIDTH - 1}" height="${height - 1}" rx="8"/>
  ${[...head, ...parts].join('\n  ')}
  <line class="line" x1="${LINE_X}" x2="${LINE_X}" y1="${top}" y2="${y}"/>
  ${text(LABEL_X, height - 14, foot, 'faint')}
</svg>
`;
}

const SYMBOL: Readonly<Record<Outcome, string>> = { met: '✓', missed: '✗', 'out of reach': '≈' };

function drawRow(goal: RunGoal, y: number): string {
  const share = Math.min(SHARE_MAX, shareOfLimit(goal));
  const middle = y + ROW_HEIGHT / 2;
  const width = Math.max(2, ((BAR_END_X - BAR_X) * share) / SHARE_MAX);
  const bar = (of: string, long: number) =>
    `<rect class="${of}" x="${BAR_X}" y="${middle - BAR_HEIGHT / 2}" width="${long.toFixed(1)}" height="${BAR_HEIGHT}" rx="2"/>`;
  return [
    text(LABEL_X, middle + 4, goal.name.replace(/^two-cores: /, ''), 'faint'),
    bar('track', BAR_END_X - BAR_X),
    bar(goal.met ? 'met' : 'missed', width),
    text(VALUE_X, middle + 4, `${SYMBOL[outcomeOf(goal)]} ${formatMeasured(goal)} (${formatGoal(goal)})`, 'value'),
  ].join('\n  ');
}

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

function text(x: number, y: number, content: string, of: string, anchor = 'start'): string {
  const escaped = content.replace(/[&<>"]/g, (character) => ESCAPES[character] ?? character);
  return `<text class="${of}" x="${x}" y="${y}"${anchor === 'start' ? '' : ` text-anchor="${anchor}"`}>${escaped}</text>`;
}

import { formatGoal, formatMeasured, outcomeOf } from '../report/goals.ts';
import { goalsOf, type Results, resultsSum } from './results.ts';

/** The lines around the part of the project's README that is generated from the results. */
export const README_FROM = '<!-- Made from bench/results/latest.json by `npm run bench`: -->';
export const README_UNTIL = '<!-- up to here. -->';

/** One line for each scenario: its first and most important goal, with a link to the description of the measurement. */
export function readmeFigures(results: Results): string {
  const goals = goalsOf(results);
  const first = [...new Set(goals.map(({ scenario }) => scenario))].flatMap(
    (name) => goals.find(({ scenario }) => scenario === name) ?? [],
  );
  const lines = first.map((goal) => [
    `[${goal.scenario}](bench/README.md#${goal.scenario})`,
    goal.name,
    formatMeasured(goal),
    `${formatGoal(goal)}${outcomeOf(goal) === 'missed' ? ', missed' : ''}`,
  ]);
  const { cores, cpu, node } = results.machine;
  return [
    `${results.at.slice(0, 10)}, ${cores} × ${cpu}, Node.js ${node}: ${resultsSum(results)}.`,
    '',
    markdownTable(['Scenario', 'Measured', 'Is', 'Goal'], lines),
    '',
    `![Goals of the last run of all scenarios, and what was measured](bench/results/latest.svg)`,
  ].join('\n');
}

/** Columns of equal width, as the other tables of the README are written. */
function markdownTable(titles: readonly string[], lines: readonly (readonly string[])[]): string {
  const widths = titles.map((title, at) => Math.max(title.length, ...lines.map((line) => line[at]?.length ?? 0)));
  const rule = widths.map((width) => '-'.repeat(width));
  const row = (cells: readonly string[]) => `| ${cells.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' | ')} |`;
  return [titles, rule, ...lines].map(row).join('\n');
}

/** The README with its generated part replaced. Throws if the lines around it are missing. */
export function withFigures(readme: string, results: Results): string {
  const [from, until] = [readme.indexOf(README_FROM), readme.indexOf(README_UNTIL)];
  if (from < 0 || until < from) throw new Error('README.md has no place for the figures of the benchmark');
  return `${readme.slice(0, from + README_FROM.length)}\n\n${readmeFigures(results)}\n\n${readme.slice(until)}`;
}

import { formatGoal, formatMeasured, OUTCOME_WORD, outcomeOf } from '../report/goals.ts';
import { type Column, formatTable } from '../report/table.ts';
import { goalsOf, type Results, type RunGoal, resultsSum } from './results.ts';

const COLUMNS: readonly Column<RunGoal>[] = [
  { title: 'goal of', text: ({ scenario }) => scenario },
  { title: 'what', words: true, text: ({ name }) => name },
  { title: 'is', text: formatMeasured },
  { title: 'goal', text: formatGoal },
  { title: 'met', text: (goal) => OUTCOME_WORD[outcomeOf(goal)] },
];

/** Formats one table for the whole run, and a line for each scenario without figures. */
export function formatGoals(results: Pick<Results, 'scenarios' | 'tookMs'>): string {
  const goals = goalsOf(results);
  const failed = results.scenarios.flatMap((each) => ('error' in each ? [`${each.name} FAILED: ${each.error}`] : []));
  const minutes = (results.tookMs / 60_000).toFixed(1);
  const sum = `${resultsSum(results)}, ${results.scenarios.length} scenarios in ${minutes} minutes`;
  return [formatTable(COLUMNS, goals), ...failed, sum].join('\n\n');
}

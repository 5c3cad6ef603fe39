import { type Goal, goalsSum } from '../report/goals.ts';
import type { Machine } from './machine.ts';

/** The result of one scenario of the whole run. */
export type ScenarioResult = ScenarioFigures | ScenarioFailure;

export interface ScenarioFigures {
  readonly name: string;
  readonly summary: string;
  readonly seconds: number;
  readonly rounds: number;
  readonly tookMs: number;
  /** Ratios first, figures second: also in the file. */
  readonly goals: readonly Goal[];
  readonly figures: object;
}

/** A scenario without figures, which does not affect the others. */
export interface ScenarioFailure {
  readonly name: string;
  readonly summary: string;
  readonly tookMs: number;
  readonly error: string;
}

/** `bench/results/latest.json`: figures that were not measured are `null` there. */
export interface Results {
  /** When the run began, ISO 8601. */
  readonly at: string;
  readonly tookMs: number;
  readonly machine: Machine;
  /** Versions of the packages and programs that the service and its peers use. */
  readonly versions: Readonly<Record<string, string>>;
  readonly scenarios: readonly ScenarioResult[];
}

/** One goal of the whole run, with the scenario that measured it. */
export interface RunGoal extends Goal {
  readonly scenario: string;
}

/** All goals, in the order of the scenarios and of the goals in each. */
export function goalsOf({ scenarios }: Pick<Results, 'scenarios'>): RunGoal[] {
  return scenarios.flatMap((each) =>
    'error' in each ? [] : each.goals.map((goal) => ({ scenario: each.name, ...goal })),
  );
}

/** Names of the scenarios that have no figures. */
export const failedOf = ({ scenarios }: Pick<Results, 'scenarios'>): string[] =>
  scenarios.flatMap((each) => ('error' in each ? [each.name] : []));

/** `20 of 30 goals met, 4 out of reach; idle failed`. */
export function resultsSum(results: Pick<Results, 'scenarios'>): string {
  const failed = failedOf(results);
  const sum = goalsSum(goalsOf(results));
  return failed.length === 0 ? sum : `${sum}; ${failed.join(', ')} failed`;
}

const withNaN = (goal: Goal): Goal => ({
  ...goal,
  measured: goal.measured ?? Number.NaN,
  ...(goal.floor === undefined ? {} : { floor: goal.floor ?? Number.NaN }),
});

/** Reads results. JSON has no `NaN`, so a figure that could not be measured is `null` there, and is `NaN` again here. */
export function readResults(json: string): Results {
  const results: Results = JSON.parse(json);
  const scenarios = results.scenarios.map((each) => {
    if ('error' in each) return each;
    return { ...each, goals: each.goals.map(withNaN) };
  });
  return { ...results, scenarios };
}

import { type Bound, meets, type Ratio } from './ratios.ts';
import { type Column, formatFigure } from './table.ts';

/**
 * The goal for one figure of a scenario, and the measured value. The table of goals, the results file and the chart are made
 * from it for every scenario.
 */
export interface Goal {
  /** Name of the figure, unique within a scenario. */
  readonly name: string;
  /** `NaN` if it could not be measured; the goal is then missed. */
  readonly measured: number;
  readonly goal: number;
  readonly bound: Bound;
  /** `ratio` to a control or a peer of the same run, else the unit of an absolute figure: `ms`, `bytes`. */
  readonly unit: string;
  readonly met: boolean;
  /** The same figure of a control of the same run that does this step and nothing else. */
  readonly floor?: number;
}

/** The goal of one absolute figure. */
export function absoluteGoal(
  name: string,
  unit: string,
  measured: number,
  goal: number,
  bound: Bound,
  floor?: number,
): Goal {
  const met = meets(measured, goal, bound);
  return { name, measured, goal, bound, unit, met, ...(floor === undefined ? {} : { floor }) };
}

/** A missed goal is out of reach of the machine if bare parts that do this step alone miss it too. */
export type Outcome = 'met' | 'missed' | 'out of reach';

export function outcomeOf({ met, goal, bound, floor }: Pick<Goal, 'met' | 'goal' | 'bound' | 'floor'>): Outcome {
  if (met) return 'met';
  return floor !== undefined && Number.isFinite(floor) && !meets(floor, goal, bound) ? 'out of reach' : 'missed';
}

/** `20 of 30 goals met, 4 out of reach`. */
export function goalsSum(goals: readonly Goal[]): string {
  const count = (outcome: Outcome) => goals.filter((goal) => outcomeOf(goal) === outcome).length;
  const sum = `${count('met')} of ${goals.length} goals met`;
  return count('out of reach') === 0 ? sum : `${sum}, ${count('out of reach')} out of reach`;
}

/**
 * The goals among ratios: those that have a target.
 *
 * @param title returns the name of a ratio
 * @param prefix prefix of each name, such as the layout, if the same ratio is measured more than once
 */
export function ratioGoals<Figure extends string>(
  ratios: readonly Ratio<Figure>[],
  title: (ratio: Ratio<Figure>) => string,
  prefix?: string,
): Goal[] {
  return ratios.flatMap((each) => {
    const { ratio, target, bound = 'at most', met, floor } = each;
    if (target === undefined) return [];
    const name = prefix === undefined ? title(each) : `${prefix}: ${title(each)}`;
    const goal = { name, measured: ratio, goal: target, bound, unit: 'ratio', met: met === true };
    return [floor === undefined ? goal : { ...goal, floor }];
  });
}

const SIGN: Record<Bound, string> = { 'at most': '≤', 'at least': '≥' };

/** `≤ 1.8`, `≥ 4`, `≤ 6,000 bytes`: the exact goal, not rounded. */
export const formatBound = (bound: Bound, goal: number, unit = 'ratio'): string =>
  `${SIGN[bound]} ${withUnit(goal.toLocaleString('en-US', { maximumFractionDigits: 10 }), unit)}`;

/** `1.85`, `412 ms`, `0 bytes`. */
export const formatMeasured = ({ measured, unit }: Pick<Goal, 'measured' | 'unit'>): string =>
  withUnit(measured === 0 ? '0' : formatFigure(measured), unit);

/** `≤ 1.8`, or with the floor of a goal that is out of reach `≤ 1.8, bare 1.9`. */
export function formatGoal(goal: Goal): string {
  const bound = formatBound(goal.bound, goal.goal, goal.unit);
  if (outcomeOf(goal) !== 'out of reach') return bound;
  return `${bound}, bare ${formatMeasured({ measured: goal.floor ?? Number.NaN, unit: goal.unit })}`;
}

const withUnit = (figure: string, unit: string): string => (unit === 'ratio' ? figure : `${figure} ${unit}`);

/** One sentence for each goal that is missed. */
export function missedGoals(goals: readonly Goal[]): string[] {
  const missed = goals.filter(({ met }) => !met);
  return missed.map((each) => `${each.name} is ${formatMeasured(each)}, not ${formatGoal(each)}`);
}

/** The columns of a table of ratios. */
export function ratioColumns<Figure extends string>(
  title: (ratio: Ratio<Figure>) => string,
): readonly Column<Ratio<Figure>>[] {
  return [
    { title: 'ratio', text: title },
    { title: 'is', text: ({ ratio }) => formatFigure(ratio) },
    { title: 'bare', text: ({ floor }) => (floor === undefined ? '' : formatFigure(floor)) },
    {
      title: 'goal',
      text: ({ target, bound = 'at most' }) => (target === undefined ? '-' : formatBound(bound, target)),
    },
    {
      title: '',
      text: ({ met, target: goal, bound = 'at most', floor }) =>
        met === undefined || goal === undefined
          ? ''
          : OUTCOME_WORD[outcomeOf({ met, goal, bound, ...(floor === undefined ? {} : { floor }) })],
    },
  ];
}

export const OUTCOME_WORD: Readonly<Record<Outcome, string>> = {
  met: 'met',
  missed: 'MISSED',
  'out of reach': 'out of reach',
};

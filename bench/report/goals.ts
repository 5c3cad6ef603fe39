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
}

/** The goal of one absolute figure. */
export function absoluteGoal(name: string, unit: string, measured: number, goal: number, bound: Bound): Goal {
  return { name, measured, goal, bound, unit, met: meets(measured, goal, bound) };
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
    const { ratio, target, bound = 'at most', met } = each;
    if (target === undefined) return [];
    const name = prefix === undefined ? title(each) : `${prefix}: ${title(each)}`;
    return [{ name, measured: ratio, goal: target, bound, unit: 'ratio', met: met === true }];
  });
}

const SIGN: Record<Bound, string> = { 'at most': '≤', 'at least': '≥' };

/** `≤ 1.8`, `≥ 4`, `≤ 6,000 bytes`: the exact goal, not rounded. */
export const formatBound = (bound: Bound, goal: number, unit = 'ratio'): string =>
  `${SIGN[bound]} ${withUnit(goal.toLocaleString('en-US', { maximumFractionDigits: 10 }), unit)}`;

/** `1.85`, `412 ms`, `0 bytes`. */
export const formatMeasured = ({ measured, unit }: Pick<Goal, 'measured' | 'unit'>): string =>
  withUnit(measured === 0 ? '0' : formatFigure(measured), unit);

const withUnit = (figure: string, unit: string): string => (unit === 'ratio' ? figure : `${figure} ${unit}`);

/** One sentence for each goal that is missed. */
export function missedGoals(goals: readonly Goal[]): string[] {
  const missed = goals.filter(({ met }) => !met);
  return missed.map(
    (each) => `${each.name} is ${formatMeasured(each)}, not ${formatBound(each.bound, each.goal, each.unit)}`,
  );
}

/** The columns of a table of ratios. */
export function ratioColumns<Figure extends string>(
  title: (ratio: Ratio<Figure>) => string,
): readonly Column<Ratio<Figure>>[] {
  return [
    { title: 'ratio', text: title },
    { title: 'is', text: ({ ratio }) => formatFigure(ratio) },
    {
      title: 'goal',
      text: ({ target, bound = 'at most' }) => (target === undefined ? '-' : formatBound(bound, target)),
    },
    { title: '', text: ({ met }) => (met === undefined ? '' : metWord(met)) },
  ];
}

export const metWord = (met: boolean): string => (met ? 'met' : 'MISSED');

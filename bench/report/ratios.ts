/** Ratios of measured figures to those of their controls, and whether they meet their targets. */

/** The side of its target on which a figure must be; the target itself is included. */
export type Bound = 'at most' | 'at least';

/** The ratio of `figure` of row `of` to the same figure of row `to`. */
export interface Comparison<Figure extends string> {
  readonly of: string;
  readonly to: string;
  readonly figure: Figure;
  /** The required ratio; without it, the ratio is only information. */
  readonly target?: number;
  /** `at most` by default, for times and costs; `at least` for throughput. */
  readonly bound?: Bound;
  /** The same comparison with a control in the service's place, which does this step alone: what can be reached on this machine. */
  readonly bare?: { readonly of: string; readonly to: string };
}

export interface Ratio<Figure extends string> extends Comparison<Figure> {
  readonly ratio: number;
  /** `undefined` without a target. A ratio that could not be measured misses its target. */
  readonly met: boolean | undefined;
  /** The ratio of `bare`. */
  readonly floor?: number;
}

/** Whether a figure meets its target; one that could not be measured does not. */
export const meets = (measured: number, target: number, bound: Bound): boolean =>
  bound === 'at least' ? measured >= target : measured <= target;

type Row<Figure extends string> = { readonly name: string } & Readonly<Record<Figure, number>>;

export function compareRows<Figure extends string>(
  rows: readonly Row<Figure>[],
  comparisons: readonly Comparison<Figure>[],
): Ratio<Figure>[] {
  const value = (name: string, figure: Figure) => rows.find((row) => row.name === name)?.[figure] ?? Number.NaN;
  return comparisons.map((comparison) => {
    const { figure, target, bound = 'at most', bare } = comparison;
    const ratio = value(comparison.of, figure) / value(comparison.to, figure);
    const met = target === undefined ? undefined : meets(ratio, target, bound);
    return { ...comparison, ratio, met, ...(bare && { floor: value(bare.of, figure) / value(bare.to, figure) }) };
  });
}

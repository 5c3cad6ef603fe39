/** How a measured figure compares with its control, and whether the comparison meets its target. */

/** What is compared: `figure` of row `of` divided by the same figure of row `to`. */
export interface Comparison<Figure extends string> {
  readonly of: string;
  readonly to: string;
  readonly figure: Figure;
  /** The ratio that must not be passed; without it the ratio is information. */
  readonly target?: number;
}

export interface Ratio<Figure extends string> extends Comparison<Figure> {
  readonly ratio: number;
  /** `undefined` without a target. A ratio that could not be measured misses its target. */
  readonly met: boolean | undefined;
}

type Row<Figure extends string> = { readonly name: string } & Readonly<Record<Figure, number>>;

export function compareRows<Figure extends string>(
  rows: readonly Row<Figure>[],
  comparisons: readonly Comparison<Figure>[],
): Ratio<Figure>[] {
  const value = (name: string, figure: Figure) => rows.find((row) => row.name === name)?.[figure] ?? Number.NaN;
  return comparisons.map((comparison) => {
    const ratio = value(comparison.of, comparison.figure) / value(comparison.to, comparison.figure);
    return { ...comparison, ratio, met: comparison.target === undefined ? undefined : ratio <= comparison.target };
  });
}

/** Ratios whose target is missed, those that could not be measured included. */
export function missedTargets<Figure extends string>(ratios: readonly Ratio<Figure>[]): Ratio<Figure>[] {
  return ratios.filter(({ met }) => met === false);
}

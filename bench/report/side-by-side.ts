import { median } from './percentiles.ts';
import { formatFigure, formatTable } from './table.ts';

/** The figures of a run of this checkout and of one of the other checkout, measured right after each other. */
export interface Pair {
  readonly here: object;
  readonly there: object;
}

/** Figures by table, row and name. */
type Tables = ReadonlyMap<string, ReadonlyMap<string, ReadonlyMap<string, number>>>;

/** Finds the tables in any scenario's figures: lists of objects that have a name and numbers. */
export function tablesOf(figures: object, layout = ''): Tables {
  const own = 'layout' in figures && typeof figures.layout === 'string' ? figures.layout : layout;
  const tables = new Map<string, Map<string, ReadonlyMap<string, number>>>();
  for (const [key, list] of Object.entries(figures)) {
    if (!Array.isArray(list)) continue;
    for (const item of list) {
      if (typeof item !== 'object' || item === null) continue;
      if (typeof item.name !== 'string') {
        for (const [title, rows] of tablesOf(item, own)) tables.set(title, new Map(rows));
        continue;
      }
      const title = [own, key].filter(Boolean).join(', ');
      const rows = tables.get(title) ?? new Map();
      tables.set(title, rows.set(item.name, new Map(Object.entries(item).filter(([, value]) => isFigure(value)))));
    }
  }
  return tables;
}

const isFigure = (value: unknown): value is number => typeof value === 'number';

/** Ratios of the figures here to those there: medians over the pairs. Figures that only one side has are left out. */
export function formatSideBySide(pairs: readonly Pair[]): string {
  const both = pairs.map(({ here, there }) => ({ here: tablesOf(here), there: tablesOf(there) }));
  const ratio = (title: string, row: string, figure: string): number => {
    const of = (tables: Tables) => tables.get(title)?.get(row)?.get(figure) ?? Number.NaN;
    return median(both.map(({ here, there }) => of(here) / of(there)).filter(Number.isFinite));
  };
  const [first] = both;
  return [...(first?.here ?? [])]
    .map(([title, rows]) => {
      const figures = new Set([...rows.values()].flatMap((row) => [...row.keys()]));
      const columns = [...figures].map((figure) => ({
        title: figure,
        text: (row: string) => formatFigure(ratio(title, row, figure)),
      }));
      return formatTable([{ title, text: (row: string) => row }, ...columns], [...rows.keys()]);
    })
    .join('\n\n');
}

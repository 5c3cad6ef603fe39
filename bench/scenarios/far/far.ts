import type { PhotonFigures } from '../../photon/job.ts';
import { absoluteGoal, type Goal, missedGoals, ratioColumns, ratioGoals } from '../../report/goals.ts';
import { type Comparison, compareRows, type Ratio } from '../../report/ratios.ts';
import { type Column, formatFigure, formatTable } from '../../report/table.ts';
import { interleave } from '../interleave.ts';
import { type RowFigures, rowFigures } from '../photon/figures.ts';
import type { Scenario, ScenarioOptions } from '../scenario.ts';
import { FarBed, LINK, type SlowFigures, type StallFigures } from './bed.ts';
import { FAR_ROWS, ROW_NAMES } from './rows.ts';

/** A tap over the far link takes 0.1 s, while `--seconds` is meant for thousands of requests per second. */
const TAP_TIMES = 40;
/** Time over a moving screen is measured before and after a stall. */
const STALL_TIMES = 7;
/** The screen of a viewer on a slow link: long enough for some key pictures, if it has any. */
const SLOW_TIMES = 30;

type FarFigure = 'p50Ms' | 'p95Ms';

const COMPARISONS: readonly Comparison<FarFigure>[] = [
  { of: ROW_NAMES.besideFar, to: ROW_NAMES.near, figure: 'p50Ms', target: 1.2 },
  { of: ROW_NAMES.tiles, to: ROW_NAMES.bareTiles, figure: 'p50Ms', target: 1.2 },
  { of: ROW_NAMES.h264, to: ROW_NAMES.bareVideo, figure: 'p50Ms' },
  { of: ROW_NAMES.h264, to: ROW_NAMES.bareVideo, figure: 'p95Ms' },
];
/** From a tap to its picture in H.264 over the far link: the round trip, and this. */
const ADDED_MS_MAX = 40;
const RECOVERED_SHARE = 0.9;
/** Of a viewer whose link does not carry the stream. */
const KEY_SHARE_MAX = 0.1;
const SLOW_DELAY_MS_MAX = { p95: 300, p99: 400 };

const ratioTitle = ({ of, to, figure }: Ratio<FarFigure>): string => `${of} / ${to}: ${figure.slice(0, -'Ms'.length)}`;

const COLUMNS: readonly Column<RowFigures>[] = [
  { title: 'a tap, seen by', text: ({ name }) => name, words: true },
  { title: 'taps', text: ({ taps }) => String(taps) },
  { title: 'p50 ms', text: ({ p50Ms }) => formatFigure(p50Ms) },
  { title: 'p95 ms', text: ({ p95Ms }) => formatFigure(p95Ms) },
  { title: 'p99 ms', text: ({ p99Ms }) => formatFigure(p99Ms) },
  { title: 'bytes', text: ({ pictureBytes }) => formatFigure(pictureBytes) },
];

async function measure(options: ScenarioOptions) {
  const { controlsOnly, progress, rounds, seconds } = options;
  progress('starting the service');
  const bed = await FarBed.open();
  try {
    const rows = FAR_ROWS.filter(({ isBare }) => !controlsOnly || isBare);
    const taps = await interleave(rows, rounds, (row, round): Promise<PhotonFigures> => {
      if (row === rows[0]) progress(round === 0 ? 'warm-up' : `round ${round} of ${rounds}`);
      return bed.tap(row, seconds * 1_000 * TAP_TIMES * (round === 0 ? 0.1 : 1)).catch((error: Error) => {
        throw new Error(`${row.name}: ${error.message}\n${bed.lastWords()}`.trim());
      });
    });
    const found = rows.map(({ name }, at) => rowFigures(name, taps[at] ?? []));
    if (controlsOnly) return { rows: found, stall: undefined, slow: undefined };
    progress('a stall');
    const stall = await bed.stall(seconds * 1_000 * STALL_TIMES);
    progress('a slow link');
    return { rows: found, stall, slow: await bed.slow(seconds * 1_000 * SLOW_TIMES) };
  } finally {
    await bed.stop();
  }
}

function goalsOf(
  rows: readonly RowFigures[],
  ratios: readonly Ratio<FarFigure>[],
  stall: StallFigures | undefined,
  slow: SlowFigures | undefined,
): Goal[] {
  const addedMs = (row: string) => (rows.find(({ name }) => name === row)?.p95Ms ?? Number.NaN) - LINK.roundTripMs;
  const [oursMs, bareMs] = [addedMs(ROW_NAMES.h264), addedMs(ROW_NAMES.bareVideo)];
  const recovered = stall ? stall.afterPerSecond / stall.beforePerSecond : Number.NaN;
  return [
    ...ratioGoals(ratios, ratioTitle),
    absoluteGoal('far, H.264: p95 beyond the round trip', 'ms', oursMs, ADDED_MS_MAX, 'at most', bareMs),
    absoluteGoal(
      '2 s after a stall: pictures a second, after / before',
      'ratio',
      recovered,
      RECOVERED_SHARE,
      'at least',
    ),
    absoluteGoal('1 Mbit/s: share of key pictures', 'ratio', slow?.keyShare ?? Number.NaN, KEY_SHARE_MAX, 'at most'),
    absoluteGoal('1 Mbit/s: delay, p95', 'ms', slow?.delayP95Ms ?? Number.NaN, SLOW_DELAY_MS_MAX.p95, 'at most'),
    absoluteGoal('1 Mbit/s: delay, p99', 'ms', slow?.delayP99Ms ?? Number.NaN, SLOW_DELAY_MS_MAX.p99, 'at most'),
  ];
}

function stallText({ beforePerSecond, afterPerSecond, beforeDelayMs, afterDelayMs }: StallFigures): string {
  const [before, after] = [formatFigure(beforePerSecond), formatFigure(afterPerSecond)];
  const [beforeMs, afterMs] = [formatFigure(beforeDelayMs), formatFigure(afterDelayMs)];
  return `A moving screen over the far link, in H.264: ${before} pictures a second, ${beforeMs} ms after their capture (p50);
from two seconds after a stall of one second on, ${after} pictures a second, ${afterMs} ms after their capture.`;
}

function slowText({ perSecond, keyShare, delayP50Ms, delayP95Ms, delayP99Ms }: SlowFigures): string {
  return `The same over 1 Mbit/s, with no other viewer: ${formatFigure(perSecond)} pictures a second, ${formatFigure(keyShare * 100)} % of the bytes in key pictures,
${formatFigure(delayP50Ms)} ms (p50), ${formatFigure(delayP95Ms)} ms (p95) and ${formatFigure(delayP99Ms)} ms (p99) after their capture.`;
}

const METHOD = `The far link has ${(LINK.bytesPerSecond * 8) / 1e6} Mbit/s, a round trip of ${LINK.roundTripMs} ms and ${LINK.loss * 100} % of loss. Twenty near viewers watch the same
session in H.264 all the time. Percentiles over the taps of all rounds, which took turns; round 0 is thrown away.`;

/** Measures a viewer on a far, slow and lossy link, and what it costs those who are near. */
export const far: Scenario = {
  name: 'far',
  summary: 'a viewer on a far, slow and lossy link, and what it costs twenty near ones',
  share: { rounds: 2 },
  async run(options) {
    const { rows, stall, slow } = await measure(options);
    const ratios = compareRows(rows, COMPARISONS);
    const goals = goalsOf(rows, ratios, stall, slow);
    const measured = ratios.filter(({ ratio }) => Number.isFinite(ratio));
    const parts = [formatTable(COLUMNS, rows)];
    if (stall) parts.push(stallText(stall));
    if (slow) parts.push(slowText(slow));
    if (measured.length > 0) parts.push(formatTable(ratioColumns(ratioTitle), measured));
    return {
      text: [...parts, METHOD].join('\n\n'),
      figures: { rows, ratios, stall, slow },
      goals,
      missed: missedGoals(goals),
    };
  },
};

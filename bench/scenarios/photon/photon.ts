import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromiumProgram } from '../../photon/chromium.ts';
import type { PhotonFigures, PhotonOrder } from '../../photon/job.ts';
import { hasTigerVnc } from '../../photon/tiger-vnc.ts';
import { readStages } from '../../processes/stage-watch.ts';
import { absoluteGoal, type Goal, missedGoals, ratioGoals } from '../../report/goals.ts';
import { compareRows } from '../../report/ratios.ts';
import { interleave } from '../interleave.ts';
import type { Scenario, ScenarioOptions, ScenarioReport } from '../scenario.ts';
import { PhotonBed } from './bed.ts';
import { type RowFigures, rowFigures } from './figures.ts';
import { formatReport, ratioTitle } from './report.ts';
import { PEER_KINDS, PHOTON_ROWS, type PhotonRow, ROW_NAMES, STAGED_KINDS } from './rows.ts';
import { formatParts, partFigures } from './stages.ts';
import { FLOOR_OF, PHOTON_COMPARISONS, PROMISES } from './targets.ts';

/** A tap with its picture and pause takes 50 ms, while `--seconds` is meant for thousands of requests per second. */
const TAP_TIMES = 8;
const STILL_MS = 1_000;
/** Hundreds of taps of each row: programs that have run for minutes have compiled what they run, and so are to be those measured. */
const WARM_UP_TIMES = 4;

async function measureRow(bed: PhotonBed, row: PhotonRow, how: Omit<PhotonOrder, 'job'>): Promise<PhotonFigures> {
  return bed.photon.run({ job: bed.job(row), ...how }).catch((error: Error) => {
    throw new Error(`${row.name}: ${error.message}\n${bed.lastWords()}`.trim());
  });
}

const INSTALLED: Readonly<Record<NonNullable<PhotonRow['needs']>, () => boolean>> = {
  Chromium: () => chromiumProgram() !== undefined,
  TigerVNC: hasTigerVnc,
};

const isHere = ({ needs }: PhotonRow): boolean => needs === undefined || INSTALLED[needs]();

/** Chromium leaves out a frame of a screencast for which the acknowledgements of those before come too late, and it does not come again. */
const mayHurry = ({ kind }: PhotonRow): boolean => kind !== 'screencast';

/** Measures each row in turns, round after round; round 0 warms up. */
function takeTurns(
  bed: PhotonBed,
  titles: readonly PhotonRow[],
  { progress, rounds, seconds }: ScenarioOptions,
  stillMs: number,
): Promise<readonly (readonly PhotonFigures[])[]> {
  return interleave(titles, rounds, (row, round) => {
    if (row === titles[0]) progress(round === 0 ? 'warm-up' : `round ${round} of ${rounds}`);
    const tapMs = seconds * 1_000 * TAP_TIMES;
    return round === 0
      ? measureRow(bed, row, { tapMs: tapMs * WARM_UP_TIMES, stillMs: 0, ...(mayHurry(row) && { hurries: true }) })
      : measureRow(bed, row, { tapMs, stillMs });
  });
}

/** Measures the rows, and where the time of each tap goes that the service tells of. */
async function measure(options: ScenarioOptions, titles: readonly PhotonRow[], stillMs: number) {
  const dir = mkdtempSync(join(tmpdir(), 'runcloud-stages-'));
  try {
    options.progress('starting the service');
    const bed = await PhotonBed.open(titles, dir);
    let found: readonly (readonly PhotonFigures[])[];
    try {
      found = await takeTurns(bed, titles, options, stillMs);
    } finally {
      // The service writes its notes as it ends.
      await bed.close();
    }
    const marks = readStages(dir);
    const parts = titles.flatMap(({ name, kind }, at) => {
      const ways = (found[at] ?? []).flatMap((round) => round.ways);
      return STAGED_KINDS.includes(kind) ? partFigures(name, ways, marks) : [];
    });
    return { rows: titles.map(({ name }, at) => rowFigures(name, found[at] ?? [], parts)), parts };
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

/** Where the time of the rows goes that the service sends over a socket, stage by stage. */
async function measureStages(options: ScenarioOptions): Promise<ScenarioReport> {
  const titles = PHOTON_ROWS.filter(({ kind }) => STAGED_KINDS.includes(kind));
  const { rows, parts } = await measure(options, titles, 0);
  return {
    text: `${formatReport(rows, [], undefined)}\n\n${formatParts(parts)}`,
    figures: { rows, parts },
    missed: [],
  };
}

function promisedGoals(rows: readonly RowFigures[], away: readonly string[]): Goal[] {
  const figuresOf = (name: string) => rows.find((row) => row.name === name);
  return PROMISES.filter(({ of }) => !away.includes(ROW_NAMES[of])).flatMap(({ of, ms }) => {
    const [ours, floor] = [figuresOf(ROW_NAMES[of]), figuresOf(ROW_NAMES[FLOOR_OF[of]])];
    return (['p50Ms', 'p95Ms', 'p99Ms'] as const).flatMap((figure) => {
      const [goal, name] = [ms[figure], `${ROW_NAMES[of]}: ${figure.slice(0, -'Ms'.length)}`];
      return goal === undefined
        ? []
        : [absoluteGoal(name, 'ms', ours?.[figure] ?? Number.NaN, goal, 'at most', floor?.[figure])];
    });
  });
}

/** Measures the time from a tap to the picture that shows it, beside a browser's own screencast and VNC. */
export const photon: Scenario = {
  name: 'photon',
  summary: 'from a tap to the picture that shows it, beside Chromium’s own screencast and TigerVNC',
  share: { rounds: 2 },
  async run(options) {
    if (options.stages) return measureStages(options);
    const { controlsOnly } = options;
    const titles = PHOTON_ROWS.filter((row) => isHere(row) && !(controlsOnly && !PEER_KINDS.includes(row.kind)));
    const left = PHOTON_ROWS.filter((row) => !isHere(row)).map(({ name, needs }) => `${name} (needs ${needs})`);
    const missing = left.length === 0 ? undefined : `Not measured on this machine: ${left.join(', ')}.`;
    const { rows } = await measure(options, titles, STILL_MS);
    // A goal relative to a program that is not installed is neither met nor missed.
    const away = PHOTON_ROWS.filter((row) => !isHere(row)).map(({ name }): string => name);
    const comparisons = PHOTON_COMPARISONS.filter(({ of, to }) => !away.includes(of) && !away.includes(to));
    const ratios = compareRows(rows, comparisons);
    const peers: readonly string[] = PEER_KINDS.map((kind) => ROW_NAMES[kind]);
    const ours = rows.filter(({ name }) => !peers.includes(name));
    const goals = [
      ...ratioGoals(ratios, ratioTitle),
      ...(controlsOnly ? [] : promisedGoals(rows, away)),
      ...ours.map(({ name, stillBytesPerSecond }) =>
        absoluteGoal(`${name}: a second of a still screen`, 'bytes', stillBytesPerSecond, 0, 'at most'),
      ),
    ];
    return {
      text: formatReport(rows, ratios, missing),
      figures: { rows, ratios, missing },
      goals,
      missed: missedGoals(goals),
    };
  },
};

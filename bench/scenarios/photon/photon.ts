import { chromiumProgram } from '../../photon/chromium.ts';
import type { PhotonFigures } from '../../photon/job.ts';
import { hasTigerVnc } from '../../photon/tiger-vnc.ts';
import { absoluteGoal, missedGoals, ratioGoals } from '../../report/goals.ts';
import { compareRows } from '../../report/ratios.ts';
import { interleave } from '../interleave.ts';
import type { Scenario, ScenarioOptions } from '../scenario.ts';
import { PhotonBed } from './bed.ts';
import { rowFigures } from './figures.ts';
import { formatReport, ratioTitle } from './report.ts';
import { PEER_KINDS, PHOTON_ROWS, type PhotonRow, ROW_NAMES } from './rows.ts';
import { PHOTON_COMPARISONS, PROMISES } from './targets.ts';

/** A tap with its picture and pause takes 50 ms, while `--seconds` is meant for thousands of requests per second. */
const TAP_TIMES = 8;
const STILL_MS = 1_000;

async function measureRow(bed: PhotonBed, row: PhotonRow, tapMs: number, stillMs: number): Promise<PhotonFigures> {
  return bed.photon.run({ job: bed.job(row), tapMs, stillMs }).catch((error: Error) => {
    throw new Error(`${row.name}: ${error.message}\n${bed.lastWords()}`.trim());
  });
}

const INSTALLED: Readonly<Record<NonNullable<PhotonRow['needs']>, () => boolean>> = {
  Chromium: () => chromiumProgram() !== undefined,
  TigerVNC: hasTigerVnc,
};

const isHere = ({ needs }: PhotonRow): boolean => needs === undefined || INSTALLED[needs]();

async function measure({ controlsOnly, progress, rounds, seconds }: ScenarioOptions) {
  const titles = PHOTON_ROWS.filter((row) => isHere(row) && !(controlsOnly && !PEER_KINDS.includes(row.kind)));
  const left = PHOTON_ROWS.filter((row) => !isHere(row)).map(({ name, needs }) => `${name} (needs ${needs})`);
  const missing = left.length === 0 ? undefined : `Not measured on this machine: ${left.join(', ')}.`;
  progress('starting the service');
  const bed = await PhotonBed.open(controlsOnly);
  try {
    const found = await interleave(titles, rounds, (row, round) => {
      if (row === titles[0]) progress(round === 0 ? 'warm-up' : `round ${round} of ${rounds}`);
      const tapMs = seconds * 1_000 * TAP_TIMES;
      return round === 0 ? measureRow(bed, row, tapMs * 0.2, 0) : measureRow(bed, row, tapMs, STILL_MS);
    });
    return { rows: titles.map(({ name }, at) => rowFigures(name, found[at] ?? [])), missing };
  } finally {
    await bed.close();
  }
}

/** Measures the time from a tap to the picture that shows it, beside a browser's own screencast and VNC. */
export const photon: Scenario = {
  name: 'photon',
  summary: 'from a tap to the picture that shows it, beside Chromium’s own screencast and TigerVNC',
  share: { rounds: 2 },
  async run(options) {
    const { rows, missing } = await measure(options);
    // A goal relative to a program that is not installed is neither met nor missed.
    const away = PHOTON_ROWS.filter((row) => !isHere(row)).map(({ name }): string => name);
    const comparisons = PHOTON_COMPARISONS.filter(({ of, to }) => !away.includes(of) && !away.includes(to));
    const ratios = compareRows(rows, comparisons);
    const peers: readonly string[] = PEER_KINDS.map((kind) => ROW_NAMES[kind]);
    const ours = rows.filter(({ name }) => !peers.includes(name));
    const goals = [
      ...ratioGoals(ratios, ratioTitle),
      ...PROMISES.filter(() => !options.controlsOnly).map(({ of, figure, ms }) => {
        const measured = rows.find(({ name }) => name === of)?.[figure] ?? Number.NaN;
        return absoluteGoal(`${of}: ${figure.slice(0, -'Ms'.length)}`, 'ms', measured, ms, 'at most');
      }),
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

import { chromiumProgram } from '../../photon/chromium.ts';
import type { PhotonFigures } from '../../photon/job.ts';
import { absoluteGoal, missedGoals, ratioGoals } from '../../report/goals.ts';
import { compareRows } from '../../report/ratios.ts';
import { interleave } from '../interleave.ts';
import type { Scenario, ScenarioOptions } from '../scenario.ts';
import { PhotonBed } from './bed.ts';
import { rowFigures } from './figures.ts';
import { formatReport, ratioTitle } from './report.ts';
import { PHOTON_ROWS, type PhotonRow, ROW_NAMES } from './rows.ts';
import { PHOTON_COMPARISONS } from './targets.ts';

/** A tap with its picture and pause takes a twentieth of a second: `--seconds` is meant for thousands. */
const TAP_TIMES = 8;
const STILL_MS = 1_000;

async function measureRow(bed: PhotonBed, row: PhotonRow, tapMs: number): Promise<PhotonFigures> {
  return bed.photon.run({ job: bed.job(row), tapMs, stillMs: STILL_MS }).catch((error: Error) => {
    throw new Error(`${row.name}: ${error.message}\n${bed.lastWords()}`.trim());
  });
}

async function measure({ controlsOnly, progress, rounds, seconds }: ScenarioOptions) {
  const browser = chromiumProgram() !== undefined;
  const titles = PHOTON_ROWS.filter(
    ({ kind, needsBrowser }) => (browser || !needsBrowser) && !(controlsOnly && kind !== 'screencast'),
  );
  const left = browser ? [] : PHOTON_ROWS.filter(({ needsBrowser }) => needsBrowser).map(({ name }) => name);
  const missing = left.length === 0 ? undefined : `No Chromium on this machine, not measured: ${left.join(', ')}.`;
  progress('starting the service');
  const bed = await PhotonBed.open(controlsOnly);
  try {
    const found = await interleave(titles, rounds, (row, round) => {
      if (row === titles[0]) progress(round === 0 ? 'warm-up' : `round ${round} of ${rounds}`);
      return measureRow(bed, row, seconds * 1_000 * TAP_TIMES * (round === 0 ? 0.2 : 1));
    });
    return { rows: titles.map(({ name }, at) => rowFigures(name, found[at] ?? [])), missing };
  } finally {
    await bed.close();
  }
}

/** From a tap to the picture that shows it, beside a browser's own screencast. */
export const photon: Scenario = {
  name: 'photon',
  summary: 'from a tap to the picture that shows it, beside Chromium’s own screencast',
  async run(options) {
    const { rows, missing } = await measure(options);
    const ratios = compareRows(rows, PHOTON_COMPARISONS);
    const ours = rows.filter(({ name }) => name !== ROW_NAMES.screencast);
    const goals = [
      ...ratioGoals(ratios, ratioTitle),
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

import t from 'tap';
import { crowded } from '../../../bench/scenarios/crowded/crowded.ts';
import { type CrowdedRound, crowdedFigures } from '../../../bench/scenarios/crowded/figures.ts';
import { CROWDED_ROWS, ROW_NAMES, VIEWERS } from '../../../bench/scenarios/crowded/rows.ts';
import { CROWDED_COMPARISONS } from '../../../bench/scenarios/crowded/targets.ts';

const options = { seconds: 0.03, rounds: 1, layouts: ['two-cores'], progress: () => undefined } as const;

t.test('every comparison names two rows that are measured', async (t) => {
  const names = new Set(CROWDED_ROWS.map(({ name }) => name));
  t.equal(names.size, CROWDED_ROWS.length);
  for (const { of, to } of CROWDED_COMPARISONS) t.ok(names.has(of) && names.has(to), `${of} / ${to}`);
});

t.test('a session is tapped at rest, and with its own crowd and that of a bare sender', async (t) => {
  const { text, figures } = await crowded.run({ ...options, controlsOnly: false });
  const { rows, ratios } = figures as { rows: ReturnType<typeof crowdedFigures>[]; ratios: { ratio: number }[] };
  t.equal(rows.length, CROWDED_ROWS.length);
  for (const { name, tapP50Us, tapP99Us, heldP99Ms, serverCores, perViewer, encodingsPerPicture } of rows) {
    t.match(text, name);
    t.ok(tapP50Us > 0 && tapP50Us <= tapP99Us && heldP99Ms >= 0 && serverCores > 0, name);
    const watched = name === ROW_NAMES.alone || name === ROW_NAMES.crowded;
    t.equal(perViewer > 0 && encodingsPerPicture > 0, watched, name);
  }
  t.ok(ratios.every(({ ratio }) => ratio > 0));
});

t.test('the controls are measured alone', async (t) => {
  const { figures, missed } = await crowded.run({ ...options, seconds: 0.02, controlsOnly: true });
  t.match((figures as { rows: { name: string }[] }).rows, [{ name: ROW_NAMES.idle }, { name: ROW_NAMES.bare }]);
  t.equal(missed.length, CROWDED_COMPARISONS.filter(({ target }) => target !== undefined).length);
});

t.test('figures are medians, and pictures are those of the session', (t) => {
  const round = (p99Us: number, encodings: number): CrowdedRound => ({
    taps: {
      p50Us: 1,
      p95Us: 1,
      p99Us,
      p999Us: 9,
      maxUs: 9,
      answers: 1,
      answersInAll: 1,
      perSecond: 1,
      loadCoreShare: 0,
    },
    held: { p99Ms: 2, maxMs: 3 },
    encodings,
    cpuUs: 1_000_000,
    seconds: 2,
    seen: {
      viewers: VIEWERS,
      seconds: 2,
      packets: 120 * VIEWERS,
      bytes: 1,
      leftOut: 0,
      pictures: 120,
      first: [],
      packetsByViewer: [],
      delay: { p50Us: 1, p95Us: 1, p99Us: 1, p999Us: 1, maxUs: 1 },
      coreShare: 0,
    },
  });
  t.match(crowdedFigures('a', [round(5, 120), round(7, 240)]), {
    tapP99Us: 6,
    heldP99Ms: 2,
    perViewer: 60,
    encodingsPerPicture: 1.5,
    serverCores: 0.5,
  });
  const { seen: _, ...unwatched } = round(5, 0);
  t.ok(Number.isNaN(crowdedFigures('b', [unwatched]).perViewer));
  t.end();
});

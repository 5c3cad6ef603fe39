import t from 'tap';
import { type RecordRound, recordFigures } from '../../../bench/scenarios/record/figures.ts';
import { record } from '../../../bench/scenarios/record/record.ts';
import { RECORD_ROWS, VIEWERS } from '../../../bench/scenarios/record/rows.ts';
import { RECORD_COMPARISONS } from '../../../bench/scenarios/record/targets.ts';

const options = { seconds: 0.05, rounds: 1, layouts: ['two-cores'], progress: () => undefined } as const;

t.test('every comparison names two rows that are measured', async (t) => {
  const names = new Set(RECORD_ROWS.map(({ name }) => name));
  for (const { of, to } of RECORD_COMPARISONS) t.ok(names.has(of) && names.has(to), `${of} / ${to}`);
});

t.test('a session is measured with and without its recording, and the recording becomes ready', async (t) => {
  const { text, figures } = await record.run({ ...options, controlsOnly: false });
  const { rows, ratios } = figures as { rows: ReturnType<typeof recordFigures>[]; ratios: { ratio: number }[] };
  const [watched, recorded] = rows;
  t.equal(rows.length, RECORD_ROWS.length);
  for (const { name, tapP50Us, tapP99Us, perViewer, encodingsPerPicture, serverCores } of rows) {
    t.match(text, name);
    t.ok(tapP50Us > 0 && tapP50Us <= tapP99Us && perViewer > 0 && encodingsPerPicture > 0 && serverCores > 0, name);
  }
  t.ok(Number.isNaN(watched?.readyMs));
  t.ok((recorded?.durationMs ?? 0) >= 1_000 && (recorded?.kilobytesPerSecond ?? 0) > 0 && (recorded?.readyMs ?? 0) > 0);
  t.ok(ratios.every(({ ratio }) => ratio > 0));
});

t.test('the control is measured alone', async (t) => {
  const { figures, missed } = await record.run({ ...options, seconds: 0.02, controlsOnly: true });
  t.match((figures as { rows: { name: string }[] }).rows, [{ name: 'watched' }]);
  t.equal(missed.length, RECORD_COMPARISONS.filter(({ target }) => target !== undefined).length);
});

t.test('pictures and encodings are counted over the same time, and medians are of all rounds', async (t) => {
  const round = (encodings: number, p99Us: number, readyMs: number): RecordRound => ({
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
    encodings,
    cpuUs: 1_000_000,
    recording: { durationMs: 2_000, bytes: 8_000, readyMs },
  });
  t.match(recordFigures('a', [round(120, 5, 10), round(240, 7, 30)]), {
    tapP99Us: 6,
    perViewer: 60,
    encodingsPerPicture: 1.5,
    serverCores: 0.5,
    kilobytesPerSecond: 4,
    readyMs: 20,
  });
});

import t from 'tap';
import { chromiumProgram } from '../../../bench/photon/chromium.ts';
import type { PhotonFigures } from '../../../bench/photon/job.ts';
import { hasTigerVnc } from '../../../bench/photon/tiger-vnc.ts';
import type { StageMark } from '../../../bench/processes/stage-watch.ts';
import { rowFigures } from '../../../bench/scenarios/photon/figures.ts';
import { photon } from '../../../bench/scenarios/photon/photon.ts';
import { formatReport } from '../../../bench/scenarios/photon/report.ts';
import { PHOTON_ROWS, ROW_NAMES } from '../../../bench/scenarios/photon/rows.ts';
import { formatParts, PARTS, partFigures, SIDES } from '../../../bench/scenarios/photon/stages.ts';
import { PHOTON_COMPARISONS } from '../../../bench/scenarios/photon/targets.ts';
import { STAGES } from '../../../server/link/stages.ts';

const browser = chromiumProgram() !== undefined;
if (!browser && process.env.CI) throw new Error('Chromium is not installed, and CI must measure beside it');

const options = { seconds: 0.04, rounds: 1, layouts: ['two-cores'], progress: () => undefined } as const;

t.test('every comparison names rows that are measured', (t) => {
  const names = new Set(PHOTON_ROWS.map(({ name }) => name));
  t.equal(names.size, PHOTON_ROWS.length);
  for (const { of, to, bare } of PHOTON_COMPARISONS) {
    for (const name of [of, to, ...(bare ? [bare.of, bare.to] : [])]) t.ok(names.has(name), name);
  }
  t.end();
});

t.test('taps are seen from start to end, in every way that this machine has', async (t) => {
  const { text, figures } = await photon.run({ ...options, controlsOnly: false });
  const { rows, missing } = figures as { rows: readonly ReturnType<typeof rowFigures>[]; missing?: string };
  const away = PHOTON_ROWS.filter(
    ({ needs }) => (needs === 'Chromium' && !browser) || (needs === 'TigerVNC' && !hasTigerVnc()),
  );
  t.equal(rows.length, PHOTON_ROWS.length - away.length);
  for (const { name, taps, leastMs, p50Ms, p99Ms, stillBytesPerSecond } of rows) {
    t.match(text, name);
    t.ok(taps > 0 && leastMs > 0 && leastMs <= p50Ms && p50Ms <= p99Ms, name);
    t.equal(stillBytesPerSecond, 0, `${name}: a still screen sends nothing`);
  }
  t.equal(missing === undefined, away.length === 0);
  for (const { name } of away) t.match(missing, name);
  const [jpeg, h264] = [ROW_NAMES.jpeg, ROW_NAMES.h264].map((of) => rows.find(({ name }) => name === of));
  t.ok((h264?.pictureBytes ?? 0) < (jpeg?.pictureBytes ?? 0) / 2);
});

t.test('the control is measured alone', { skip: browser ? false : 'NO BROWSER: nothing to measure' }, async (t) => {
  const { figures, missed } = await photon.run({ ...options, controlsOnly: true });
  const { rows } = figures as { rows: readonly { name: string; taps: number }[] };
  const floors = [ROW_NAMES.bare, ROW_NAMES.bareJpeg];
  const others = [ROW_NAMES.bareVideo, ROW_NAMES.screencast, ROW_NAMES.barePage];
  t.same(
    rows.map(({ name }) => name),
    hasTigerVnc() ? [ROW_NAMES.vnc, ...floors, ROW_NAMES.vncFast, ...others] : [...floors, ...others],
  );
  t.ok((rows[0]?.taps ?? 0) > 0);
  t.ok(missed.length > 0, 'targets of a service that was not measured are missed');
});

t.test('with stages, a table tells where the time of each tap goes', async (t) => {
  const { text, figures } = await photon.run({ ...options, controlsOnly: false, stages: true });
  const { rows, parts } = figures as {
    rows: readonly ReturnType<typeof rowFigures>[];
    parts: ReturnType<typeof partFigures>;
  };
  t.same(
    rows.map(({ name }) => name),
    [ROW_NAMES.tiles, ROW_NAMES.jpeg, ROW_NAMES.h264],
  );
  t.equal(parts.length, rows.length * (PARTS.length + SIDES.length));
  for (const { row, part, p50Ms, p99Ms } of parts) {
    t.ok(p50Ms >= 0 && p50Ms <= p99Ms, `${row}: ${part} takes ${p50Ms} ms`);
    t.ok(p99Ms <= (rows.find(({ name }) => name === row)?.p99Ms ?? 0), `${row}: ${part} is a part of the way`);
  }
  t.match(text, 'encoding');
});

t.test('the parts of a way are what lies between its stages', (t) => {
  const STEPS_MS = [1, 2, 3, 4, 5, 6];
  const marksOf = (inputSeq: number, sentMs: number, slowerMs: number): readonly StageMark[] => {
    let atMs = sentMs;
    return STAGES.map((stage, at) => {
      atMs += (STEPS_MS[at] ?? 0) + (stage === 'encoded' ? slowerMs : 0);
      return { stage, inputSeq, atMs };
    });
  };
  const slow = (n: number): number => (n === 39 ? 40 : 0);
  const ways = Array.from({ length: 40 }, (_, n) => {
    const sentMs = n * 1_000;
    return { inputSeq: n, sentMs, arrivedMs: sentMs + 21 + slow(n) + 7 };
  });
  const marks = ways.flatMap(({ inputSeq, sentMs }) => marksOf(inputSeq, sentMs, slow(inputSeq)));
  // A picture that is sent again, and a tap of which nothing is noted.
  const again = marksOf(3, 3_500, 0);
  const unnoted = { inputSeq: 99, sentMs: 0, arrivedMs: 1 };
  const parts = partFigures('a', [...ways, unnoted], [...again, ...marks]);
  t.same(
    parts.map(({ part, p50Ms }) => [part, p50Ms]),
    [...PARTS.map((part, at) => [part, at + 1]), ['device', 4], ['service', 24]],
  );
  t.same(
    parts.map(({ slowMoreMs }) => slowMoreMs),
    [...PARTS, ...SIDES].map((part) => (part === 'encoded' || part === 'service' ? 40 : 0)),
  );
  t.match(formatParts(parts), /encoding +5\.00 +5\.00 +45\.0 +40\.0/);
  t.end();
});

t.test('percentiles are of the taps of all rounds together', (t) => {
  const round = (photonMs: readonly number[], stillBytesPerSecond: number): PhotonFigures => ({
    photonMs,
    pixelsMs: photonMs,
    captureMs: [],
    pictureBytes: [7],
    stillBytesPerSecond,
    ways: [],
  });
  const figures = rowFigures('a', [round([5, 1], 0), round([9, 3], 8)]);
  t.match(figures, { taps: 4, leastMs: 1, p50Ms: 3, p95Ms: 9, pictureBytes: 7, stillBytesPerSecond: 8 });
  t.ok(Number.isNaN(figures.captureP50Ms));
  t.match(formatReport([figures], [], 'No Chromium here.'), 'No Chromium here.');
  t.end();
});

import t from 'tap';
import type { LoadFigures } from '../../../bench/load/job.ts';
import { type MixedFigures, mixedFigures } from '../../../bench/scenarios/mixed/figures.ts';
import { mixed } from '../../../bench/scenarios/mixed/mixed.ts';
import { MIXED_ROWS, ROW_NAMES, TAPS_PER_SECOND } from '../../../bench/scenarios/mixed/rows.ts';
import { MIXED_COMPARISONS } from '../../../bench/scenarios/mixed/targets.ts';

t.test('every comparison names two rows that are measured', async (t) => {
  const names = new Set<string>(MIXED_ROWS.map(({ name }) => name));
  t.equal(names.size, MIXED_ROWS.length);
  for (const { of, to } of MIXED_COMPARISONS) t.ok(names.has(of) && names.has(to), `${of} / ${to}`);
});

t.test('taps, viewers and recordings are measured at once, and the taps by themselves', async (t) => {
  const layouts = ['two-cores'] as const;
  const options = { seconds: 0.06, rounds: 1, layouts, controlsOnly: false, progress: () => undefined };
  const { text, figures, goals } = await mixed.run(options);
  const { rows } = figures as { rows: readonly MixedFigures[] };
  t.equal(rows.length, MIXED_ROWS.length);
  for (const { name, tapP50Us, tapP99Us, tapsPerSecond } of rows) {
    t.match(text, name);
    t.ok(tapP50Us > 0 && tapP50Us <= tapP99Us, name);
    t.ok(Math.abs(tapsPerSecond - TAPS_PER_SECOND) < TAPS_PER_SECOND / 10, `${name}: every tap was answered`);
  }
  const [echo, , everything] = rows;
  t.equal(echo?.name, ROW_NAMES.echo);
  t.ok(Number.isNaN(echo?.delayP50Ms) && Number.isNaN(echo?.readyMs));
  t.ok((everything?.perViewer ?? 0) > 0 && (everything?.delayP50Ms ?? 0) > 0 && (everything?.readyMs ?? 0) > 0);
  t.equal(goals?.length, 2 + MIXED_COMPARISONS.filter(({ target }) => target !== undefined).length);
});

t.test('figures of the screen are of the rounds that had one, medians are of all rounds', async (t) => {
  const taps = (p50Us: number): LoadFigures => ({
    p50Us,
    p95Us: 9,
    p99Us: 9,
    p999Us: 9,
    maxUs: 9,
    answers: 1,
    answersInAll: 1,
    perSecond: 200,
    loadCoreShare: 0,
  });
  const seen = {
    viewers: 4,
    seconds: 2,
    packets: 240,
    bytes: 1,
    leftOut: 0,
    pictures: 120,
    first: [],
    packetsByViewer: [],
    delay: { p50Us: 3_000, p95Us: 3_000, p99Us: 9_000, p999Us: 1, maxUs: 1 },
    coreShare: 0,
  };
  const round = (p50Us: number, readyMs: readonly number[]) => ({ taps: taps(p50Us), seen, cpuUs: 1e6, readyMs });
  t.match(mixedFigures('a', [round(1, [10, 30]), round(3, [20, 50])]), {
    tapP50Us: 2,
    delayP50Ms: 3,
    perViewer: 30,
    serverCores: 0.5,
    readyMs: 40,
  });
  t.ok(Number.isNaN(mixedFigures('b', [{ taps: taps(1) }]).perViewer));
});

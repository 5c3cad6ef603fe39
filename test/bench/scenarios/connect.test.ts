import t from 'tap';
import { connect } from '../../../bench/scenarios/connect/connect.ts';
import { type ConnectFigures, connectFigures, sumOf } from '../../../bench/scenarios/connect/figures.ts';
import { CONNECT_ROWS, needsService, ROW_NAMES } from '../../../bench/scenarios/connect/rows.ts';
import { CONNECT_COMPARISONS } from '../../../bench/scenarios/connect/targets.ts';

const options = { seconds: 0.02, rounds: 1, layouts: ['two-cores'], progress: () => undefined } as const;
type Rows = readonly ConnectFigures[];

t.test('every comparison names two rows that there are', async (t) => {
  const names = new Set<string>([...CONNECT_ROWS.map(({ name }) => name), ROW_NAMES.bareFirst]);
  t.equal(names.size, CONNECT_ROWS.length + 1);
  for (const { of, to } of CONNECT_COMPARISONS) t.ok(names.has(of) && names.has(to), `${of} / ${to}`);
});

t.test('sockets and screens are opened from start to end, by the service and beside it', async (t) => {
  const { text, figures, goals } = await connect.run({ ...options, controlsOnly: false });
  const { rows, ratios } = figures as { rows: Rows; ratios: { ratio: number }[] };
  t.equal(rows.length, CONNECT_ROWS.length + 1);
  for (const { name, opened, p50Ms, p99Ms } of rows) {
    t.match(text, name);
    t.ok(opened > 0 && p50Ms > 0 && p50Ms <= p99Ms, name);
  }
  t.ok(ratios.every(({ ratio }) => ratio > 0));
  t.equal(goals?.length, CONNECT_COMPARISONS.filter(({ target }) => target !== undefined).length);
});

t.test('the controls are measured alone', async (t) => {
  const { figures, missed } = await connect.run({ ...options, controlsOnly: true });
  t.equal((figures as { rows: Rows }).rows.length, CONNECT_ROWS.filter((row) => !needsService(row)).length);
  t.ok(missed.length > 0, 'targets of a service that was not measured are missed');
});

t.test('percentiles are of the openings of all rounds, rates and costs the medians of the rounds', async (t) => {
  const round = (tookMs: readonly number[], serverCpuUs: number) => ({
    tookMs,
    seconds: 2,
    openedInAll: tookMs.length,
    serverCpuUs,
  });
  const row = connectFigures('a', [round([5, 1], 10), round([9, 3, 4, 2], 30)]);
  t.match(row, { opened: 6, p50Ms: 3, p99Ms: 9, perSecond: 1.5, serverCpuUs: 20 });
  const [sum] = sumOf('both', [row, { ...row, name: 'b', p50Ms: 4 }], ['a', 'b']);
  t.match(sum, { name: 'both', opened: 6, p50Ms: 7, p99Ms: 18 });
  t.same(sumOf('both', [row], ['a', 'b']), [], 'no sum without one of its parts');
});

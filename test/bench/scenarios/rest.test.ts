import t from 'tap';
import { peersInstalled } from '../../../bench/processes/peers.ts';
import { readRequest } from '../../../bench/scenarios/rest/messages.ts';
import { rest } from '../../../bench/scenarios/rest/rest.ts';
import { REST_ROWS } from '../../../bench/scenarios/rest/rows.ts';
import { restComparisons } from '../../../bench/scenarios/rest/targets.ts';
import type { RowFigures } from '../../../bench/scenarios/tap/figures.ts';

t.test('every comparison names two rows that are measured', async (t) => {
  const names = new Set(REST_ROWS.map(({ name }) => name));
  t.equal(names.size, REST_ROWS.length);
  const comparisons = restComparisons('two-cores', true);
  for (const { of, to } of [...comparisons, ...comparisons.flatMap(({ bare }) => bare ?? [])])
    t.ok(names.has(of) && names.has(to), `${of} / ${to}`);
});

t.test('goals hold where each side has a core, and not beside a peer that is not installed', async (t) => {
  const targets = (layout: 'one-core' | 'two-cores', peers: boolean) =>
    restComparisons(layout, peers).filter(({ target }) => target !== undefined).length;
  t.same([targets('two-cores', true), targets('two-cores', false), targets('one-core', true)], [2, 1, 0]);
  t.notOk(restComparisons('two-cores', false).some(({ of, to }) => `${of}${to}`.includes('Fastify')));
});

t.test('a read is one whole request whose id has its digits', async (t) => {
  const { bytes, digitsAt } = readRequest('a-', { host: 'here', path: '/service/sessions/ses_1', key: 'k' });
  const text = Buffer.from(bytes).toString();
  t.match(text, /^GET \/service\/sessions\/ses_1 HTTP\/1\.1\r\nHost: here\r\nAuthorization: Bearer k\r\n/);
  t.ok(text.endsWith('X-Service-Request-ID: a-0000000000\r\n\r\n'));
  t.equal(text.slice(digitsAt, digitsAt + 12), '0000000000\r\n');
});

t.test('the service answers taps and reads beside its controls, each with figures', async (t) => {
  const { text, figures, goals } = await rest.run({
    seconds: 0.25,
    rounds: 1,
    layouts: ['two-cores'],
    controlsOnly: false,
    progress: () => undefined,
  });
  const { layouts } = figures as { layouts: readonly { rows: readonly RowFigures[] }[] };
  const rows = layouts[0]?.rows ?? [];
  t.equal(rows.length, REST_ROWS.filter(({ server }) => peersInstalled() || !server.startsWith('Fastify')).length);
  for (const { name, p50Us, perSecond } of rows) t.ok(p50Us > 0 && perSecond > 0, name);
  t.match(text, /RunCloud: GET session/);
  t.match(goals, [{ unit: 'ratio', goal: 1.8 }]);
  if (!peersInstalled()) t.match(text, 'npm run bench:peers');
});

import t from 'tap';
import { fleet } from '../../../bench/scenarios/fleet/fleet.ts';
import { FLEET_ROWS, fleetComparisons } from '../../../bench/scenarios/fleet/rows.ts';
import type { RowFigures } from '../../../bench/scenarios/tap/figures.ts';
import { LocalNats } from '../../../server/local-nats.ts';

t.test('every comparison names two rows that are measured; goals hold where each side has a core', async (t) => {
  const names = new Set(FLEET_ROWS.map(({ name }) => name));
  t.equal(names.size, FLEET_ROWS.length);
  for (const { of, to } of fleetComparisons('two-cores')) t.ok(names.has(of) && names.has(to), `${of} / ${to}`);
  const targets = (layout: 'one-core' | 'two-cores') =>
    fleetComparisons(layout).filter(({ target }) => target !== undefined).length;
  t.same([targets('two-cores'), targets('one-core')], [2, 0]);
});

t.test(
  'taps are answered through an edge and a host, beside the controls',
  { skip: !LocalNats.isInstalled() },
  async (t) => {
    const { text, figures, goals } = await fleet.run({
      seconds: 0.25,
      rounds: 1,
      layouts: ['two-cores'],
      controlsOnly: false,
      progress: () => undefined,
    });
    const { layouts } = figures as { layouts: readonly { rows: readonly RowFigures[] }[] };
    const rows = layouts[0]?.rows ?? [];
    t.equal(rows.length, FLEET_ROWS.length);
    for (const { name, p50Us, perSecond } of rows) t.ok(p50Us > 0 && perSecond > 0, name);
    t.match(text, /edge and host/);
    t.match(goals, [
      { unit: 'ratio', goal: 1.8 },
      { unit: 'ratio', goal: 2.5 },
    ]);
  },
);

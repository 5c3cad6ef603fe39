import t from 'tap';
import { CONTROLS, isService, TAP_ROWS } from '../../../bench/scenarios/tap/rows.ts';
import { tap } from '../../../bench/scenarios/tap/tap.ts';
import { tapComparisons } from '../../../bench/scenarios/tap/targets.ts';

t.test('every comparison names two rows that are measured', async (t) => {
  const names = new Set(TAP_ROWS.map(({ name }) => name));
  t.equal(names.size, TAP_ROWS.length);
  for (const { of, to } of tapComparisons('two-cores')) t.ok(names.has(of) && names.has(to), `${of} / ${to}`);
});

t.test('the controls are measured from start to end, and their processes end with the run', async (t) => {
  const steps: string[] = [];
  const { text, figures, missed } = await tap.run({
    seconds: 0.1,
    rounds: 1,
    layouts: ['two-cores'],
    controlsOnly: true,
    progress: (step) => void steps.push(step),
  });
  for (const name of Object.keys(CONTROLS)) t.match(text, name);
  const controls = TAP_ROWS.filter(({ server }) => !isService(server));
  const { layouts } = figures as { layouts: readonly { rows: readonly { p50Us: number; perSecond: number }[] }[] };
  t.equal(layouts[0]?.rows.length, controls.length);
  t.ok(layouts[0]?.rows.every(({ p50Us, perSecond }) => p50Us > 0 && perSecond > 0));
  t.ok(missed.length > 0, 'targets of a service that was not measured are missed');
  t.same(steps, ['two-cores: starting servers', 'two-cores: warm-up', 'two-cores: round 1 of 1']);
});

t.test('targets hold where each side has a core, and nowhere else', async (t) => {
  const targets = (layout: 'one-core' | 'two-cores') =>
    tapComparisons(layout).filter(({ target }) => target !== undefined).length;
  t.equal(targets('two-cores'), 8);
  t.equal(targets('one-core'), 0);
});

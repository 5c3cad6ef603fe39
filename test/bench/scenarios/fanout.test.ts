import t from 'tap';
import { fanout } from '../../../bench/scenarios/fanout/fanout.ts';
import { FAN_OUT_ROWS, isService } from '../../../bench/scenarios/fanout/rows.ts';
import { COMPARISONS } from '../../../bench/scenarios/fanout/targets.ts';

t.test('every comparison names two rows that are measured', async (t) => {
  const names = new Set(FAN_OUT_ROWS.map(({ name }) => name));
  t.equal(names.size, FAN_OUT_ROWS.length);
  for (const { of, to } of COMPARISONS) t.ok(names.has(of) && names.has(to), `${of} / ${to}`);
});

t.test('the bare senders are measured from start to end, and every viewer gets what they send', async (t) => {
  const steps: string[] = [];
  const { text, figures, missed } = await fanout.run({
    seconds: 0.1,
    rounds: 1,
    layouts: ['one-core', 'two-cores'],
    controlsOnly: true,
    progress: (step) => void steps.push(step),
  });
  const controls = FAN_OUT_ROWS.filter(({ subject }) => !isService(subject));
  for (const { subject } of controls) t.match(text, subject);
  const { layouts } = figures as {
    layouts: readonly { rows: readonly { perViewer: number; packetCpuUs: number; heldMaxMs: number }[] }[];
  };
  t.equal(layouts.length, 1);
  const rows = layouts[0]?.rows ?? [];
  t.equal(rows.length, controls.length);
  t.ok(rows.every(({ perViewer }) => perViewer > 0));
  t.ok(rows.every(({ packetCpuUs, heldMaxMs }) => packetCpuUs > 0 && heldMaxMs >= 0));
  t.ok(missed.length > 0, 'targets of a service that was not measured are missed');
  t.same(steps, ['two-cores: starting servers', 'two-cores: warm-up', 'two-cores: round 1 of 1']);
});

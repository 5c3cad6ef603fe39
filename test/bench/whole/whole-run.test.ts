import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { drag } from '../../../bench/scenarios/drag/drag.ts';
import type { Scenario } from '../../../bench/scenarios/scenario.ts';
import { formatGoals } from '../../../bench/whole/goals-table.ts';
import { readResults } from '../../../bench/whole/results.ts';
import { runScenario, shareOptions } from '../../../bench/whole/run-scenario.ts';
import { keepResults, runAll } from '../../../bench/whole/whole-run.ts';

const options = { seconds: 0.02, rounds: 1, layouts: ['two-cores'], controlsOnly: true } as const;
const named = (name: string, share?: Scenario['share']): Scenario => ({
  name,
  summary: name,
  run: () => Promise.reject(new Error('runs in a process of its own')),
  ...(share === undefined ? {} : { share }),
});

t.test('a scenario that fails takes nothing from the others, and one with no share is left out', async (t) => {
  const said: string[] = [];
  const reports: string[] = [];
  const events = {
    progress: (text: string) => void said.push(text),
    report: (text: string) => void reports.push(text),
  };
  const results = await runAll([named('absent'), named('drag'), named('soak', 'none')], options, events);
  t.match(results.scenarios, [
    { name: 'absent', error: 'there is no scenario absent' },
    { name: 'drag', rounds: 1 },
  ]);
  t.equal(results.scenarios.length, 2);
  t.match(said.join('\n'), /absent failed[\s\S]*two-cores: round 1 of 1/, 'what goes on is told as it goes');
  t.match(reports, [/uWS echo/]);

  const dir = mkdtempSync(join(tmpdir(), 'runcloud-results-'));
  keepResults(results, dir);
  const kept = readResults(readFileSync(join(dir, 'latest.json'), 'utf8'));
  t.match(kept, { at: results.at, machine: { node: process.version }, versions: { ws: /^\d/ } });
  const [, second] = kept.scenarios;
  t.match(
    second && 'goals' in second && second.goals,
    [{ measured: Number.NaN, met: false, bound: 'at most' }],
    'what was not measured is no number',
  );
  t.match(readFileSync(join(dir, 'latest.svg'), 'utf8'), '0 of 2 goals met');
  const table = formatGoals(results);
  t.match(table, 'absent FAILED: there is no scenario absent');
  t.match(table, /drag +two-cores: control socket \/ uWS echo: step p50 +- +≤ 1\.8 +MISSED/);
});

t.test('a scenario that takes longer than its limit is given up', async (t) => {
  const events = { progress: () => undefined, report: () => t.fail('it has no report') };
  const found = await runScenario(named('drag', { limitMs: 300 }), { ...options, seconds: 5 }, events);
  t.match(found, { name: 'drag', error: /no figures after 300 ms/ });
});

t.test('a scenario’s own share counts before what was asked for', async (t) => {
  const asked = { seconds: 0.3, rounds: 3, layouts: ['one-core'], controlsOnly: false } as const;
  t.match(shareOptions(named('a', { rounds: 2 }), asked), { seconds: 0.3, rounds: 2, layouts: ['one-core'] });
  t.match(shareOptions(named('a', { seconds: 1 }), asked), { seconds: 1, rounds: 3 });
  t.match(shareOptions(drag, asked), { rounds: drag.share === 'none' ? 0 : (drag.share?.rounds ?? 3) });
});

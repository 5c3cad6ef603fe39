import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Scenario, ScenarioOptions } from '../scenarios/scenario.ts';
import { drawChart } from './chart.ts';
import { thisMachine } from './machine.ts';
import { type Results, readResults, type ScenarioResult } from './results.ts';
import { type RunEvents, runScenario, shareOptions } from './run-scenario.ts';
import { installedVersions } from './versions.ts';

/** Where the figures of the last whole run are kept, and their chart. */
export const RESULTS_DIR = fileURLToPath(new URL('../results', import.meta.url));

/** Runs all scenarios that take part, one after the other. Never rejects for a scenario that fails. */
export async function runAll(
  scenarios: Iterable<Scenario>,
  options: Omit<ScenarioOptions, 'progress'>,
  events: RunEvents,
): Promise<Results> {
  const [at, startMs] = [new Date().toISOString(), performance.now()];
  const found: ScenarioResult[] = [];
  for (const scenario of scenarios) {
    if (scenario.share === 'none') continue;
    events.progress(`${scenario.name}: ${scenario.summary}`);
    found.push(await runScenario(scenario, shareOptions(scenario, options), events));
  }
  const tookMs = Math.round(performance.now() - startMs);
  return { at, tookMs, machine: thisMachine(), versions: installedVersions(), scenarios: found };
}

/** Of figures that are no whole numbers; more of them would only be noise in the file's history. */
const SIGNIFICANT_DIGITS = 5;

const rounded = (_name: string, value: unknown): unknown =>
  typeof value === 'number' && !Number.isInteger(value) ? Number(value.toPrecision(SIGNIFICANT_DIGITS)) : value;

/** Writes the results, and the chart that is made from them; returns them as they are kept. */
export function keepResults(results: Results, dir: string): Results {
  mkdirSync(dir, { recursive: true });
  writeFileSync(`${dir}/latest.json`, `${JSON.stringify(results, rounded, 2)}\n`);
  return drawResults(dir);
}

/** Makes the chart anew from the results as they lie there. */
export function drawResults(dir: string): Results {
  const results = readResults(readFileSync(`${dir}/latest.json`, 'utf8'));
  writeFileSync(`${dir}/latest.svg`, drawChart(results));
  return results;
}

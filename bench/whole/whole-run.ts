import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Scenario, ScenarioOptions } from '../scenarios/scenario.ts';
import { drawChart } from './chart.ts';
import { thisMachine } from './machine.ts';
import { type Results, readResults, type ScenarioResult } from './results.ts';
import { type RunEvents, runScenario, shareOptions } from './run-scenario.ts';
import { installedVersions } from './versions.ts';

/** The folder of the figures of the last whole run and of their chart. */
export const RESULTS_DIR = fileURLToPath(new URL('../results', import.meta.url));

/** Runs all scenarios that take part, one after the other. A scenario that fails does not make it reject. */
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

/** Precision of stored fractions; more digits would only be noise in the file's history. */
const SIGNIFICANT_DIGITS = 5;

const rounded = (_name: string, value: unknown): unknown =>
  typeof value === 'number' && !Number.isInteger(value) ? Number(value.toPrecision(SIGNIFICANT_DIGITS)) : value;

/** Writes the results and their chart; returns the results as stored. */
export function keepResults(results: Results, dir: string): Results {
  mkdirSync(dir, { recursive: true });
  writeFileSync(`${dir}/latest.json`, `${JSON.stringify(results, rounded, 2)}\n`);
  return drawResults(dir);
}

/** Draws the chart again from the stored results. */
export function drawResults(dir: string): Results {
  const results = readResults(readFileSync(`${dir}/latest.json`, 'utf8'));
  writeFileSync(`${dir}/latest.svg`, drawChart(results));
  return results;
}

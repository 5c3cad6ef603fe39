import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Arguments, readArguments, USAGE } from './arguments.ts';
import { canPin } from './processes/pin.ts';
import { PROFILE_DIR } from './processes/profile.ts';
import { missedGoals } from './report/goals.ts';
import { formatProfiles } from './report/profiles.ts';
import { SCENARIOS } from './scenarios/registry.ts';
import type { Scenario } from './scenarios/scenario.ts';
import { runAgainst } from './whole/against.ts';
import { formatGoals } from './whole/goals-table.ts';
import { thisMachine } from './whole/machine.ts';
import { withFigures } from './whole/readme-figures.ts';
import { goalsOf, type Results } from './whole/results.ts';
import { drawResults, keepResults, RESULTS_DIR, runAll } from './whole/whole-run.ts';

const README = fileURLToPath(new URL('../README.md', import.meta.url));
/** Used instead of a scenario's name, draws the chart and updates the README's figures from the last results. */
const CHART = 'chart';

const progress = (text: string) => void process.stderr.write(`${text}\n`);
const print = (text: string) => void process.stdout.write(`${text}\n\n`);

/** Runs one scenario. Its children end with this process, also when it is interrupted. */
async function runOne(scenario: Scenario, options: Arguments): Promise<void> {
  const startMs = performance.now();
  const profileDir = options.profileDir === undefined ? undefined : resolve(options.profileDir);
  if (profileDir !== undefined) {
    mkdirSync(profileDir, { recursive: true });
    process.env[PROFILE_DIR] = profileDir;
  }
  const { text, figures, goals, missed } = await scenario.run({ ...options, progress });
  const machine = thisMachine();
  const tookMs = Math.round(performance.now() - startMs);
  print(text);
  if (profileDir !== undefined) print(formatProfiles(profileDir));
  print(`Node.js ${machine.node}, ${machine.cores} × ${machine.cpu}, took ${tookMs} ms`);
  if (options.jsonFile) {
    const { rounds, seconds } = options;
    const report = { scenario: scenario.name, machine, rounds, seconds, tookMs, goals, ...figures, missed };
    writeFileSync(options.jsonFile, `${JSON.stringify(report, null, 2)}\n`);
  }
  if (options.check) failFor(missed);
}

/** Runs all scenarios and stores their results; in the default folder it also updates the chart and the README. */
async function runWhole(options: Arguments): Promise<void> {
  const results = await runAll(SCENARIOS.values(), options, { progress, report: print });
  const dir = options.outDir ?? RESULTS_DIR;
  const kept = keepResults(results, dir);
  if (dir === RESULTS_DIR) showInReadme(kept);
  print(formatGoals(results));
  if (results.scenarios.some((each) => 'error' in each)) process.exitCode = 1;
  if (options.check) failFor(missedGoals(goalsOf(results)));
}

function showInReadme(results: Results): void {
  writeFileSync(README, withFigures(readFileSync(README, 'utf8'), results));
}

function failFor(missed: readonly string[]): void {
  for (const sentence of missed) progress(sentence);
  if (missed.length > 0) process.exitCode = 1;
}

async function main(): Promise<void> {
  const options = readArguments(process.argv.slice(2));
  if (!canPin()) progress('taskset is missing: processes are not pinned, and the layouts mean little');
  if (options.scenario === undefined) return runWhole(options);
  if (options.scenario === CHART) return showInReadme(drawResults(RESULTS_DIR));
  const scenario = SCENARIOS.get(options.scenario);
  if (scenario && options.againstDir !== undefined) {
    return print(await runAgainst(scenario, resolve(options.againstDir), options, progress));
  }
  if (scenario) return runOne(scenario, options);
  const names = [...SCENARIOS.values()].map(({ name, summary }) => `  ${name.padEnd(15)}  ${summary}`);
  process.stderr.write(`${USAGE}\n\nScenarios:\n${names.join('\n')}\n`);
  process.exitCode = 2;
}

// Children are killed as this process exits, so a signal only has to make it exit.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(130));

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});

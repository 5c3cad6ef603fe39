import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { type Arguments, readArguments, USAGE } from './arguments.ts';
import { canPin } from './processes/pin.ts';
import { SCENARIOS } from './scenarios/registry.ts';
import type { Scenario } from './scenarios/scenario.ts';

/** Runs one scenario; children end with this process, also when it is interrupted. */
async function runScenario(scenario: Scenario, options: Arguments): Promise<void> {
  const startMs = performance.now();
  const progress = (text: string) => void process.stderr.write(`${text}\n`);
  if (!canPin()) progress('taskset is missing: processes are not pinned, and the layouts mean little');
  const { text, figures, missed } = await scenario.run({ ...options, progress });
  const machine = { node: process.version, cpu: cpus()[0]?.model ?? 'unknown', cores: cpus().length, pinned: canPin() };
  const tookMs = Math.round(performance.now() - startMs);
  process.stdout.write(`${text}\n\nNode.js ${machine.node}, ${machine.cores} × ${machine.cpu}, took ${tookMs} ms\n`);
  if (options.jsonFile) {
    const { rounds, seconds } = options;
    const report = { scenario: scenario.name, machine, rounds, seconds, tookMs, ...figures, missed };
    writeFileSync(options.jsonFile, `${JSON.stringify(report, null, 2)}\n`);
  }
  if (!options.check) return;
  for (const sentence of missed) process.stderr.write(`${sentence}\n`);
  if (missed.length > 0) process.exitCode = 1;
}

async function main(): Promise<void> {
  const options = readArguments(process.argv.slice(2));
  const scenario = SCENARIOS.get(options.scenario ?? '');
  if (scenario) return runScenario(scenario, options);
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

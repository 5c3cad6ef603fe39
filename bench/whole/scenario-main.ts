import type { Reply } from '../processes/reply.ts';
import { SCENARIOS } from '../scenarios/registry.ts';
import type { ScenarioOptions, ScenarioReport } from '../scenarios/scenario.ts';

/** The process of one scenario in the whole run. It gets one order and returns one report. */
export interface ScenarioOrder {
  readonly name: string;
  readonly options: Omit<ScenarioOptions, 'progress'>;
}

async function carryOut({ name, options }: ScenarioOrder): Promise<ScenarioReport> {
  const scenario = SCENARIOS.get(name);
  if (!scenario) throw new Error(`there is no scenario ${name}`);
  const progress = (text: string) => void process.stderr.write(`  ${text}\n`);
  return scenario.run({ ...options, progress });
}

process.on('message', (order: ScenarioOrder) => {
  const reply = (answer: Reply<ScenarioReport>) => void process.send?.(answer);
  carryOut(order).then(
    (figures) => reply({ ok: true, figures }),
    (error: unknown) => reply({ ok: false, error: error instanceof Error ? error.message : String(error) }),
  );
});
// Its children are killed when it exits, so a signal only has to make it exit.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(130));
// In a child of the bench the channel is unreferenced, but this process has nothing else that keeps it alive.
process.channel?.ref();

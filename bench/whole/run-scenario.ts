import { Child } from '../processes/child.ts';
import type { Scenario, ScenarioOptions, ScenarioReport } from '../scenarios/scenario.ts';
import type { ScenarioResult } from './results.ts';
import type { ScenarioOrder } from './scenario-main.ts';

/** Default limit for a scenario: four times its share of a run of sixteen minutes. */
export const SHARE_LIMIT_MS = 240_000;

/** Events of a run: progress for the user, and the report of each scenario. */
export interface RunEvents {
  readonly progress: (text: string) => void;
  readonly report: (text: string) => void;
}

/** The options of a scenario in the whole run. Its share takes precedence over the command line. */
export function shareOptions(scenario: Scenario, options: Omit<ScenarioOptions, 'progress'>): ScenarioOrder['options'] {
  const { seconds, rounds } = scenario.share === 'none' ? {} : (scenario.share ?? {});
  const { layouts, controlsOnly } = options;
  return { layouts, controlsOnly, seconds: seconds ?? options.seconds, rounds: rounds ?? options.rounds };
}

/**
 * Runs a scenario in a process of its own, so that one that fails, hangs or crashes affects only itself and its children.
 * Never rejects.
 * @param root folder of another checkout whose scenario is run
 */
export async function runScenario(
  scenario: Scenario,
  options: ScenarioOrder['options'],
  events: RunEvents,
  root?: string,
): Promise<ScenarioResult> {
  const { name, summary, share } = scenario;
  const limitMs = (share === 'none' ? undefined : share?.limitMs) ?? SHARE_LIMIT_MS;
  const startMs = performance.now();
  const tookMs = () => Math.round(performance.now() - startMs);
  const child = new Child({ name: `scenario ${name}`, file: 'bench/whole/scenario-main.ts', root });
  child.process.stderr?.on('data', (text: string) => events.progress(text.trimEnd()));
  try {
    const report = await child.order<ScenarioReport>({ name, options } satisfies ScenarioOrder, limitMs);
    events.report(report.text);
    const { seconds, rounds } = options;
    return { name, summary, seconds, rounds, tookMs: tookMs(), goals: report.goals ?? [], figures: report.figures };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    events.progress(`${name} failed: ${reason}`);
    return { name, summary, tookMs: tookMs(), error: reason };
  } finally {
    await child.stop();
  }
}

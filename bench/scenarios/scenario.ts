import type { Layout } from '../processes/pin.ts';
import type { Goal } from '../report/goals.ts';

/** What every scenario is told on the command line. */
export interface ScenarioOptions {
  /** Measured time of one row in one round. */
  readonly seconds: number;
  readonly rounds: number;
  readonly layouts: readonly Layout[];
  /** Leaves the service out: the controls are measured alone. */
  readonly controlsOnly: boolean;
  /** Told in a few words what is going on. */
  readonly progress: (text: string) => void;
}

/** What a scenario found. */
export interface ScenarioReport {
  /** Tables, ratios and method, to print. */
  readonly text: string;
  /** The same figures for programs. */
  readonly figures: object;
  /** What the scenario promises, in its order of importance; for the table of goals, the results file and the chart. */
  readonly goals?: readonly Goal[];
  /** One sentence for each target that is missed. */
  readonly missed: readonly string[];
}

/** How a scenario takes part in the run of all of them. */
export interface Share {
  /** Instead of `--seconds` and `--rounds`, so that all of them together take about ten minutes. */
  readonly seconds?: number;
  readonly rounds?: number;
  /** When it is given up, in milliseconds; `SHARE_LIMIT_MS` without. */
  readonly limitMs?: number;
}

/** One thing that `npm run bench` measures. */
export interface Scenario {
  readonly name: string;
  readonly summary: string;
  /** Its share of the run of all scenarios; `'none'` for one that runs only when it is named. */
  readonly share?: Share | 'none';
  readonly run: (options: ScenarioOptions) => Promise<ScenarioReport>;
}

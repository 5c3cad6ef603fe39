import type { Layout } from '../processes/pin.ts';
import type { Goal } from '../report/goals.ts';
import type { Pair } from '../report/side-by-side.ts';

/** Options of every scenario, from the command line. */
export interface ScenarioOptions {
  /** Measuring time of one row in one round. */
  readonly seconds: number;
  readonly rounds: number;
  /** Duration of a scenario that looks for slow growth; 30 by default. */
  readonly minutes?: number;
  readonly layouts: readonly Layout[];
  /** Measures only the controls, without the service. */
  readonly controlsOnly: boolean;
  /** Tells where the time of each measurement goes, stage by stage; `photon` alone can. */
  readonly stages?: boolean;
  /** Reports the progress in a few words. */
  readonly progress: (text: string) => void;
}

/** The results of a scenario. */
export interface ScenarioReport {
  /** Tables, ratios and method, to print. */
  readonly text: string;
  /** The same figures for programs. */
  readonly figures: object;
  /** Goals in order of importance, for the table of goals, the results file and the chart. */
  readonly goals?: readonly Goal[];
  /** One sentence for each missed target. */
  readonly missed: readonly string[];
}

/** Parameters of a scenario in the run of all scenarios. */
export interface Share {
  /** Replace `--seconds` and `--rounds`, so that all scenarios together take about sixteen minutes. */
  readonly seconds?: number;
  readonly rounds?: number;
  /** Time after which it is aborted, in milliseconds; `SHARE_LIMIT_MS` by default. */
  readonly limitMs?: number;
}

/** One measurement of `npm run bench`. */
export interface Scenario {
  readonly name: string;
  readonly summary: string;
  /** Its share of the run of all scenarios; `'none'` for one that runs only when it is named. */
  readonly share?: Share | 'none';
  readonly run: (options: ScenarioOptions) => Promise<ScenarioReport>;
  /**
   * Measures this checkout and another one side by side, in turns that are much shorter than a run. A scenario without it is
   * run for each of them in turns.
   */
  readonly pairs?: (otherRoot: string, options: ScenarioOptions) => Promise<Pair[]>;
}

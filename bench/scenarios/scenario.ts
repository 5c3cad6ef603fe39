import type { Layout } from '../processes/pin.ts';

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
  /** One sentence for each target that is missed. */
  readonly missed: readonly string[];
}

/** One thing that `npm run bench` measures. */
export interface Scenario {
  readonly name: string;
  readonly summary: string;
  readonly run: (options: ScenarioOptions) => Promise<ScenarioReport>;
}

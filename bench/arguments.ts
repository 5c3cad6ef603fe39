import { parseArgs } from 'node:util';
import { LAYOUTS, type Layout } from './processes/pin.ts';

export const USAGE = `npm run bench                           all scenarios, about sixteen minutes; keeps bench/results
npm run bench -- SCENARIO [options]     one of them
npm run bench -- chart                  the chart and the README's figures anew, from the last results

  --seconds N      measured time of each row in each round (default 0.3)
  --rounds N       rounds whose median counts (default 3)
  --minutes N      how long soak goes on (default 30)
  --layout NAME    one-core, two-cores or both (default both)
  --controls-only  measure the controls without the service
  --against DIR    one scenario: by turns with the same of another checkout; --rounds says how often
  --profile DIR    one scenario: note there where the service's time and memory go, thread by thread
  --stages         photon: where the time from a tap to its picture goes, stage by stage
  --json FILE      one scenario: write the figures there as well
  --out DIR        all scenarios: keep the results there, and leave the project's own as they are
  --check          exit 1 when a target is missed`;

export interface Arguments {
  readonly scenario: string | undefined;
  readonly seconds: number;
  readonly rounds: number;
  readonly minutes: number;
  readonly layouts: readonly Layout[];
  readonly controlsOnly: boolean;
  readonly againstDir: string | undefined;
  readonly profileDir: string | undefined;
  readonly stages: boolean;
  readonly jsonFile: string | undefined;
  readonly outDir: string | undefined;
  readonly check: boolean;
}

function inRange(name: string, text: string, min: number, max: number): number {
  const value = Number(text);
  if (!(value >= min && value <= max)) throw new Error(`--${name} must be ${min} to ${max}`);
  return value;
}

function layoutsNamed(name: string): readonly Layout[] {
  if (name === 'both') return LAYOUTS;
  const found = LAYOUTS.filter((layout) => layout === name);
  if (found.length === 0) throw new Error(`--layout must be ${LAYOUTS.join(', ')} or both`);
  return found;
}

/** Reads the command line. Throws an error with a sentence for the user if it is invalid. */
export function readArguments(args: readonly string[]): Arguments {
  const { positionals, values } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      seconds: { type: 'string', default: '0.3' },
      rounds: { type: 'string', default: '3' },
      minutes: { type: 'string', default: '30' },
      layout: { type: 'string', default: 'both' },
      'controls-only': { type: 'boolean', default: false },
      against: { type: 'string' },
      profile: { type: 'string' },
      stages: { type: 'boolean', default: false },
      json: { type: 'string' },
      out: { type: 'string' },
      check: { type: 'boolean', default: false },
    },
  });
  const [scenario, ...more] = positionals;
  if (more.length > 0) throw new Error(`one scenario at a time, or all without a name: ${more.join(' ')}`);
  for (const name of ['against', 'profile', 'json'] as const) {
    if (scenario === undefined && values[name] !== undefined) {
      throw new Error(`--${name} is for one scenario; all of them have --out`);
    }
  }
  if (values.against !== undefined && (values.profile ?? values.json) !== undefined) {
    throw new Error('--against has tables of ratios alone: --profile and --json go without it');
  }
  if (scenario !== undefined && values.out !== undefined) throw new Error('--out is for all scenarios; one has --json');
  if (values.stages && (scenario !== 'photon' || values['controls-only'] || values.against !== undefined)) {
    throw new Error('--stages is for photon, of this service alone');
  }
  if (scenario === undefined && values['controls-only'] && values.out === undefined) {
    throw new Error('--controls-only of all scenarios needs --out: the kept results are of the service');
  }
  return {
    scenario,
    seconds: inRange('seconds', values.seconds, 0.02, 60),
    rounds: Math.round(inRange('rounds', values.rounds, 1, 100)),
    minutes: inRange('minutes', values.minutes, 0.1, 1_440),
    layouts: layoutsNamed(values.layout),
    controlsOnly: values['controls-only'],
    againstDir: values.against,
    profileDir: values.profile,
    stages: values.stages,
    jsonFile: values.json,
    outDir: values.out,
    check: values.check,
  };
}

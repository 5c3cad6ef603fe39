import { parseArgs } from 'node:util';
import { LAYOUTS, type Layout } from './processes/pin.ts';

export const USAGE = `npm run bench -- SCENARIO [options]

  --seconds N      measured time of each row in each round (default 0.3)
  --rounds N       rounds whose median counts (default 3)
  --minutes N      how long soak goes on (default 30)
  --layout NAME    one-core, two-cores or both (default both)
  --controls-only  measure the controls without the service
  --json FILE      write the figures there as well
  --check          exit 1 when a target is missed`;

export interface Arguments {
  readonly scenario: string | undefined;
  readonly seconds: number;
  readonly rounds: number;
  readonly minutes: number;
  readonly layouts: readonly Layout[];
  readonly controlsOnly: boolean;
  readonly jsonFile: string | undefined;
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

/** Reads the command line. Throws, with a sentence for the user, for what it does not know. */
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
      json: { type: 'string' },
      check: { type: 'boolean', default: false },
    },
  });
  return {
    scenario: positionals[0],
    seconds: inRange('seconds', values.seconds, 0.02, 60),
    rounds: Math.round(inRange('rounds', values.rounds, 1, 100)),
    minutes: inRange('minutes', values.minutes, 0.1, 1_440),
    layouts: layoutsNamed(values.layout),
    controlsOnly: values['controls-only'],
    jsonFile: values.json,
    check: values.check,
  };
}

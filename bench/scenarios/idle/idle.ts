import { readFileSync } from 'node:fs';
import { absoluteGoal, missedGoals, ratioGoals } from '../../report/goals.ts';
import { median } from '../../report/percentiles.ts';
import { compareRows } from '../../report/ratios.ts';
import type { Scenario, ScenarioOptions } from '../scenario.ts';
import type { SocketFigures, StepFigures } from './figures.ts';
import { formatReport, ratioTitle } from './report.ts';
import { KINDS, type Kind, SOCKET_ROWS, SOCKETS, type SocketRow, stepName } from './rows.ts';
import { weighSockets } from './socket-bed.ts';
import { StepBed } from './step-bed.ts';
import { HEAP_BYTES_MAX, SOCKET_BYTES_MAX, SOCKET_COMPARISONS, STEP_COMPARISONS } from './targets.ts';

/** With `--seconds` of 0.3 or more, all sockets are opened and observed for at least a second; with less, proportionally fewer. */
const IDLE_TIMES = 4;
const WHOLE_SECONDS = 0.3;
/** Open files of the process besides the sockets. */
const OTHER_FILES = 500;

/** Maximum number of files that a process can open; the runtime raises its own limit to the system's. */
function filesMax(): number {
  try {
    const hard = /^Max open files\s+\S+\s+(\S+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1];
    return hard === 'unlimited' ? Number.POSITIVE_INFINITY : Number(hard);
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

async function measureSockets({ controlsOnly, progress, rounds, seconds }: ScenarioOptions, sockets: number) {
  const rows = (Object.keys(SOCKET_ROWS) as SocketRow[]).filter((row) => !(controlsOnly && row === 'service'));
  const found = new Map<SocketRow, SocketFigures[]>(rows.map((row) => [row, []]));
  for (let round = 1; round <= rounds; round++) {
    for (const row of rows) {
      // `ws` is only for comparison, so one round is enough.
      if (row === 'ws' && round > 1) continue;
      progress(`${sockets} sockets, round ${round} of ${rounds}: ${SOCKET_ROWS[row]}`);
      found.get(row)?.push(await weighSockets(row, sockets, seconds * 1_000 * IDLE_TIMES));
    }
  }
  return rows.map((row) => medianOf(found.get(row) ?? []));
}

function medianOf(rounds: readonly SocketFigures[]): SocketFigures {
  const [first] = rounds;
  if (!first) throw new Error('nothing was measured');
  const over = (of: (figures: SocketFigures) => number) => median(rounds.map(of));
  return {
    ...first,
    rssBytes: over(({ rssBytes }) => rssBytes),
    heapBytes: over(({ heapBytes }) => heapBytes),
    cpuUs: over(({ cpuUs }) => cpuUs),
  };
}

async function measureSteps({ progress, seconds }: ScenarioOptions): Promise<StepFigures[]> {
  progress('starting the service');
  const bed = await StepBed.open(seconds * 1_000 * IDLE_TIMES);
  try {
    const steps: StepFigures[] = [];
    for (const kind of Object.keys(KINDS) as Kind[]) {
      progress(`1, 10, 100 of: ${KINDS[kind]}`);
      steps.push(...(await bed.measure(kind)));
    }
    return steps;
  } catch (error) {
    throw new Error(`${error instanceof Error ? error.message : error}\n${bed.lastWords()}`.trim());
  } finally {
    await bed.close();
  }
}

/** Measures the memory and the activity that idle clients cost the service. */
export const idle: Scenario = {
  name: 'idle',
  summary: 'memory and CPU of idle sockets, sessions, viewers and pending interactions, beside bare sockets',
  share: { rounds: 1 },
  async run(options) {
    const wanted = Math.round(SOCKETS * Math.min(1, options.seconds / WHOLE_SECONDS));
    const sockets = Math.min(wanted, filesMax() - OTHER_FILES);
    const limited = sockets < wanted ? `This system lets a process open ${filesMax()} files only.` : undefined;
    const steps = options.controlsOnly ? [] : await measureSteps(options);
    const rows = await measureSockets(options, sockets);
    const ratios = [...compareRows(rows, SOCKET_COMPARISONS), ...compareRows(steps, STEP_COMPARISONS)];
    const ours = rows.find(({ name }) => name === SOCKET_ROWS.service);
    const still = steps.filter(({ kind }) => kind === 'viewer').map(({ bytesPerSecond }) => bytesPerSecond);
    const viewer = steps.find(({ name }) => name === stepName('viewer', 100));
    const viewerBytes = (viewer?.heapKilobytes ?? Number.NaN) * 1_000;
    const bytes = still.length === 0 ? Number.NaN : Math.max(...still);
    const goals = [
      absoluteGoal(
        'memory of an idle control socket',
        'bytes',
        ours?.rssBytes ?? Number.NaN,
        SOCKET_BYTES_MAX,
        'at most',
      ),
      absoluteGoal(
        'heap of an idle control socket',
        'bytes',
        ours?.heapBytes ?? Number.NaN,
        HEAP_BYTES_MAX.socket,
        'at most',
      ),
      absoluteGoal('heap of one of 100 viewers', 'bytes', viewerBytes, HEAP_BYTES_MAX.viewer, 'at most'),
      absoluteGoal('a second of a still screen', 'bytes', bytes, 0, 'at most'),
      ...ratioGoals(ratios, ratioTitle),
    ];
    const text = formatReport(rows, steps, ratios, limited);
    return { text, figures: { sockets: rows, steps, ratios, limited }, goals, missed: missedGoals(goals) };
  },
};

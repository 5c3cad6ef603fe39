import { CONTROL_ANSWER } from '../../controls/control-process.ts';
import { type ServerProcess, startServer } from '../../processes/server-process.ts';
import { absoluteGoal, missedGoals, ratioGoals } from '../../report/goals.ts';
import { compareRows } from '../../report/ratios.ts';
import { interleave } from '../interleave.ts';
import type { Scenario, ScenarioOptions } from '../scenario.ts';
import { usualAnswers } from '../tap/messages.ts';
import { type MixedFigures, type MixedRowRound, mixedFigures } from './figures.ts';
import { formatReport, ratioTitle } from './report.ts';
import { MIXED_ROWS, type MixedRow, RECORDED, ROW_NAMES, SESSIONS, VIEWERS } from './rows.ts';
import { MixedService } from './service-bed.ts';
import { MIXED_COMPARISONS, MIXED_MAX } from './targets.ts';

/** With only 200 taps per second, rows need a multiple of the measuring time of faster scenarios. */
const TIMES = 15;

async function measureRow(
  mixed: MixedService,
  echo: ServerProcess,
  { kind, name }: MixedRow,
  ms: number,
): Promise<MixedRowRound> {
  try {
    if (kind === 'mixed') return await mixed.measure(ms);
    if (kind === 'idle') return { taps: await mixed.tap(ms) };
    const url = `ws://${echo.host}:${echo.port}/`;
    return { taps: await mixed.tapOther({ kind: 'socket', url, headers: {}, greets: false }, ms) };
  } catch (error) {
    const words = mixed.service.server.lastWords();
    throw new Error(`${name}: ${error instanceof Error ? error.message : error}\n${words}`.trim());
  }
}

async function measure({ controlsOnly, progress, rounds, seconds }: ScenarioOptions): Promise<MixedFigures[]> {
  progress('starting servers');
  const answer = Buffer.from(usualAnswers('mix-0000-').message).toString('base64');
  const env = { [CONTROL_ANSWER]: answer };
  const echo = await startServer({ name: ROW_NAMES.echo, file: 'bench/controls/uws-echo.ts', env });
  let mixed: MixedService | undefined;
  try {
    const service = await MixedService.open({ sessions: SESSIONS, recorded: RECORDED, viewers: VIEWERS });
    mixed = service;
    const rows = MIXED_ROWS.filter(({ kind }) => !(controlsOnly && kind === 'mixed'));
    const found = await interleave(rows, rounds, (row, round) => {
      if (row === rows[0]) progress(round === 0 ? 'warm-up' : `round ${round} of ${rounds}`);
      return measureRow(service, echo, row, seconds * 1_000 * TIMES * (round === 0 ? 0.2 : 1));
    });
    return rows.map(({ name }, at) => mixedFigures(name, found[at] ?? []));
  } finally {
    await Promise.all([mixed?.stop(), echo.stop()]);
  }
}

/** Measures taps while the service does everything that it can do at once. */
export const mixed: Scenario = {
  name: 'mixed',
  summary: '8 sessions, 40 viewers, 200 taps a second and 2 recordings at once, beside the taps alone',
  share: { rounds: 2 },
  async run(options) {
    const rows = await measure(options);
    const ratios = compareRows(rows, MIXED_COMPARISONS);
    const { tapP99Us, readyMs } = rows.find(({ name }) => name === ROW_NAMES.mixed) ?? NOTHING;
    const goals = [
      ...ratioGoals(ratios, ratioTitle),
      absoluteGoal('everything at once: tap p99', 'ms', tapP99Us / 1_000, MIXED_MAX.tapP99Ms, 'at most'),
      absoluteGoal('everything at once: stop to ready', 'ms', readyMs, MIXED_MAX.readyMs, 'at most'),
    ];
    return { text: formatReport(rows, ratios), figures: { rows, ratios }, goals, missed: missedGoals(goals) };
  },
};

const NOTHING = { tapP99Us: Number.NaN, readyMs: Number.NaN };

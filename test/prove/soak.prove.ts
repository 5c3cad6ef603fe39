import t from 'tap';
import { RECORDED, SESSIONS, VIEWERS } from '../../bench/scenarios/mixed/rows.ts';
import { soakTrends } from '../../bench/scenarios/soak/figures.ts';
import { FIGURE_TITLE, formatReport, sampleLine } from '../../bench/scenarios/soak/report.ts';
import { soakFor } from '../../bench/scenarios/soak/run.ts';

/**
 * Everything that the service does, at once, with sessions that come and go. `PROVE_SOAK_MINUTES` makes it shorter or
 * longer: outcomes are remembered for ten minutes, so that less than half an hour judges memory that still fills up.
 */
const MINUTES = Number(process.env.PROVE_SOAK_MINUTES ?? 30);
const SIZE = { sessions: SESSIONS, recorded: RECORDED, viewers: VIEWERS };

t.test(`${MINUTES} minutes: memory, handles and latency stay flat`, { timeout: 3_500_000 }, async (t) => {
  const samples = await soakFor(MINUTES, SIZE, (sample) => t.comment(sampleLine(sample)));
  const trends = soakTrends(samples);
  t.comment(formatReport(samples, trends));
  for (const { figure, growth, rising } of trends) {
    t.notOk(rising, `${FIGURE_TITLE[figure]}: ${(growth * 100).toFixed(1)} %`);
  }
});

import { absoluteGoal, missedGoals } from '../../report/goals.ts';
import { RECORDED, SESSIONS, VIEWERS } from '../mixed/rows.ts';
import type { Scenario } from '../scenario.ts';
import { soakTrends, TOLERANCE } from './figures.ts';
import { FIGURE_TITLE, formatReport, sampleLine } from './report.ts';
import { soakFor } from './run.ts';

const MINUTES = 30;

/** The growth if it is significant; an insignificant one counts as none. */
const certainGrowth = ({ growth, rising }: { readonly growth: number; readonly rising: boolean }): number =>
  rising ? growth : Math.min(growth, 0);

/** Runs everything at once for half an hour and looks for growth. */
export const soak: Scenario = {
  name: 'soak',
  summary: 'everything at once for --minutes: memory, handles and latency stay flat',
  share: 'none',
  async run({ minutes = MINUTES, progress }) {
    const size = { sessions: SESSIONS, recorded: RECORDED, viewers: VIEWERS };
    const samples = await soakFor(minutes, size, (sample) => progress(sampleLine(sample)));
    const trends = soakTrends(samples);
    const goals = trends.map((trend) => {
      const name = `growth of ${FIGURE_TITLE[trend.figure]}`;
      return absoluteGoal(name, 'share', certainGrowth(trend), TOLERANCE[trend.figure], 'at most');
    });
    return { text: formatReport(samples, trends), figures: { samples, trends }, goals, missed: missedGoals(goals) };
  },
};

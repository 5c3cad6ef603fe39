import type { DeviceLogs } from '../../device/logs.ts';
import type { ToolEnvironment } from '../../device/target.ts';
import { type Clock, systemClock } from '../../flow/clock.ts';
import { sleepUntil } from '../../flow/sleep.ts';
import { followAgain } from '../follow-again.ts';
import { followCrashReports } from './crash-reports.ts';
import type { Simctl } from './simctl.ts';
import type { Udid } from './udid.ts';
import { readUnifiedLine } from './unified-log.ts';

/** A simulator writes some lines a second by itself; a command that has told none by now may be there all the same. */
const BEGINS_MS_MAX = 2_000;

const GAP = 'Lines are missing here: the stream of the log has ended, and was begun anew.';

/**
 * The unified log of a simulator from the first read on, and its crashes from now on, until the signal fires.
 * @param running settles, either way, when the simulator runs or never will
 */
export const simulatorLogs = (
  simctl: Simctl,
  udid: Udid,
  tools: ToolEnvironment,
  ended: AbortSignal,
  running: (signal: AbortSignal) => Promise<void> = async () => undefined,
  clock: Clock = systemClock,
): DeviceLogs => ({
  onCrash: (take) => void followCrashReports(tools, udid, ended, take, clock),
  async follow(take) {
    let complaint = '';
    let begun: () => void = () => undefined;
    const beginning = new Promise<void>((resolve) => {
      begun = resolve;
    });
    const tell = (text: string) => take({ wallMs: clock.wallMs(), level: 'warning', process: 'log', text });
    let hasTold = false;
    const run = async () => {
      let lines = 0;
      await running(ended).catch(() => undefined);
      if (ended.aborted) return;
      const reading = simctl.streamLog(udid, (raw) => {
        const line = readUnifiedLine(raw);
        if (!line) return;
        if (lines++ === 0 && hasTold) tell(GAP);
        hasTold = true;
        begun();
        take(line);
      });
      const end = () => void reading.end();
      ended.addEventListener('abort', end, { once: true });
      if (ended.aborted) end();
      const why = await reading.ended;
      ended.removeEventListener('abort', end);
      begun();
      // What is complained of again and again is told once; without it a reader would wait for lines that never come.
      if (ended.aborted || lines > 0 || why === complaint) return;
      complaint = why;
      tell(why);
    };
    void followAgain(clock, ended, run);
    const late = sleepUntil(clock.monotonicMs() + BEGINS_MS_MAX, clock, ended).catch(() => undefined);
    await Promise.race([beginning, late]);
  },
});

import { setTimeout as sleep } from 'node:timers/promises';
import type { LogEntry, Session } from '../../../client/sdk/index.ts';
import { NotSeen } from '../subject.ts';
import { onCard, type Row } from './row.ts';

/** A log that is followed may come a little later than what it tells of. */
const TOLD_MS_MAX = 5_000;
const LOOK_MS = 200;
const LINES_MAX = 200;

async function linesAfter(session: Session, after: number, limit: number, signal: AbortSignal): Promise<LogEntry[]> {
  const lines: LogEntry[] = [];
  for await (const line of session.logs({ after, limit, signal })) lines.push(line);
  return lines;
}

export const LOG_ROWS: readonly Row[] = [
  {
    id: 'logs',
    title: 'The log tells of what goes on, each line once and in order',
    needs: onCard(({ logs }) => logs === true),
    async prove(subject) {
      const { session, ground } = subject;
      const { signal } = ground;
      let after = 0;
      for await (const { seq } of session.logs({ signal })) after = seq;
      await subject.openCard();
      const endMs = performance.now() + TOLD_MS_MAX;
      let lines = await linesAfter(session, after, LINES_MAX, signal);
      while (lines.length === 0) {
        if (performance.now() > endMs)
          throw new NotSeen(`the log said nothing within ${TOLD_MS_MAX} ms after a URL was opened`);
        await sleep(LOOK_MS, undefined, { signal });
        lines = await linesAfter(session, after, LINES_MAX, signal);
      }
      let expected = after;
      for (const { seq, lostBefore = 0 } of lines) {
        expected += lostBefore + 1;
        if (seq !== expected) throw new NotSeen(`line ${seq} came in the place of line ${expected}`);
      }
      const again = await linesAfter(session, after, lines.length, signal);
      const isAlike = again.every(({ seq, text }, index) => seq === lines[index]?.seq && text === lines[index]?.text);
      if (!isAlike && again[0]?.lostBefore === undefined)
        throw new NotSeen('the same lines were told otherwise when asked again');
      const names = [...new Set(lines.map(({ process }) => process))];
      return `${lines.length} lines of ${names.slice(0, 3).join(', ')}${names.length > 3 ? ' and others' : ''}`;
    },
  },
];

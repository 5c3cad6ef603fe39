import type { LogEntry } from '../../../client/sdk/index.ts';
import { LOG_LEVELS, type LogLevel } from '../../../protocol/log-levels.ts';
import { READS, said, tool } from '../tool.ts';

const CHARACTERS_MAX = 200;
/** As many as the service keeps. */
const LINES_MAX = 10_000;

export const logs = tool<{ last?: number; level?: LogLevel }>({
  name: 'logs',
  description: "Read the newest lines of the device's log.",
  properties: {
    last: { type: 'integer', minimum: 1, maximum: 100 },
    level: { type: 'string', enum: [...LOG_LEVELS] },
  },
  annotations: READS,
  scope: 'session',
  async run({ given: { last = 20, level }, session, signal }) {
    const kept: LogEntry[] = [];
    let read = 0;
    // A device that writes faster than it is read would be read for ever.
    for await (const entry of (await session()).logs({ level, signal })) {
      kept.push(entry);
      if (kept.length > last) kept.shift();
      if (++read >= LINES_MAX) break;
    }
    return said(...(kept.length === 0 ? ['nothing yet'] : kept.map(lineOf)));
  },
});

/** In JSON, so that what an app wrote stays one line. */
const lineOf = ({ at, level, process, text }: LogEntry): string =>
  `${at} ${level} ${process} ${JSON.stringify(text.slice(0, CHARACTERS_MAX))}`;

import { type Static, Type } from '@sinclair/typebox';
import { oneOf } from './compile-check.ts';
import { text, timestamp, whole } from './fields.ts';
import { LIMITS } from './limits.ts';
import { queryCheck } from './listing.ts';
import { LOG_LEVELS } from './log-levels.ts';

export const LogEntry = Type.Object(
  {
    seq: Type.Integer({ minimum: 1, description: 'From 1, in the order of the log, without holes', examples: [17] }),
    at: timestamp("When it was written, by the device's clock"),
    level: oneOf(LOG_LEVELS, { description: 'How much it matters' }),
    process: text('What wrote it', 'browser'),
    pid: Type.Optional(whole('Its process id, where the device tells', 4_711)),
    text: text(
      `The first ${LIMITS.logTextCharacters} characters of what it says, as the device wrote it, control characters included`,
      'navigate {"address":"https://a.example/"}',
    ),
    crashReport: Type.Optional(
      text(
        `Present if it is the crash of an app: the first ${LIMITS.crashReportCharacters} characters of the report that the device wrote`,
        'FATAL EXCEPTION: main\nProcess: com.example.shop, PID: 4711',
      ),
    ),
    truncated: Type.Optional(Type.Literal(true, { description: 'Present if it, or the report, says more than that' })),
  },
  { $id: 'LogEntry', additionalProperties: false, description: 'A line of the log of a device' },
);
export type LogEntry = Static<typeof LogEntry>;

export const LogPage = Type.Object(
  {
    entries: Type.Array(LogEntry, { description: 'Oldest first' }),
    next: whole('`after` of the next page: everything up to it was looked at, whether it is told or not', 50),
    more: Type.Boolean({ description: 'Whether there is more now', examples: [false] }),
    lost: Type.Optional(whole('How many lines just after `after` are not kept any more; absent if none', 812)),
  },
  { $id: 'LogPage', additionalProperties: false },
);
export type LogPage = Static<typeof LogPage>;

const { min, max, default: fallback } = LIMITS.logListed;

/** Query of a device's log. */
export const LogQuery = Type.Object(
  {
    after: Type.Integer({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      default: 0,
      description: 'Only lines after the one with this `seq`',
    }),
    limit: Type.Integer({
      minimum: min,
      maximum: max,
      default: fallback,
      description: 'Maximum number of lines',
    }),
    level: Type.Optional(oneOf(LOG_LEVELS, { description: 'Only lines that matter at least as much' })),
    process: Type.Optional(
      Type.String({ minLength: 1, maxLength: 256, description: 'Only lines of what has this very name' }),
    ),
  },
  { $id: 'LogQuery', additionalProperties: false },
);
export type LogQuery = Static<typeof LogQuery>;

// PURE lets a bundler drop the check where it is not used.
export const checkLogQuery = /* @__PURE__ */ queryCheck(LogQuery);

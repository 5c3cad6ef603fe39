import { type DestinationStream, destination, type Logger, pino, stdTimeFunctions } from 'pino';

export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

const STANDARD_ERROR = 2;

/** Names under which secrets travel; their values never reach a log, at the top or one level down. */
const SECRET_FIELDS = ['authorization', 'cookie', 'key', 'apiKey', 'token', 'secret', 'signature', 'password'];

/** An address without what follows its path: queries carry tokens. */
function withoutQuery(url: unknown): unknown {
  return typeof url === 'string' ? url.replace(/[?#].*$/s, '') : url;
}

/**
 * The server's log: one JSON object a line, on standard error unless `output` is given. Lines are written behind the
 * caller's back, so that a slow reader of the log never delays a tap; what is left is written when the process exits.
 */
export function createLogger(
  level: LogLevel,
  output: DestinationStream = destination({ fd: STANDARD_ERROR, sync: false }),
): Logger {
  return pino(
    {
      level,
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: {
        paths: [...SECRET_FIELDS, 'url'].flatMap((name) => [name, `*.${name}`, `*.headers.${name}`]),
        censor: (value, path) => (path.at(-1) === 'url' ? withoutQuery(value) : '[redacted]'),
      },
    },
    output,
  );
}

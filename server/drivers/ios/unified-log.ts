import type { LogLevel } from '@runcloud/protocol';
import type { LogLine } from '../../device/logs.ts';

const LEVELS: Readonly<Record<string, LogLevel>> = {
  Debug: 'debug',
  Info: 'info',
  Default: 'info',
  Error: 'error',
  Fault: 'fatal',
};

/**
 * A line of `log stream --style ndjson` (Apple, `man log`): an object with what `messageType`, `eventMessage`, `timestamp`,
 * `processImagePath` and `processID` tell. `undefined` for what is no message, such as the begin of an activity. Of messages that the
 * system has lost it tells by a message.
 */
export function readUnifiedLine(line: string): LogLine | undefined {
  if (!line.startsWith('{')) return undefined;
  const told = parsed(line);
  const { eventType, messageType, eventMessage, timestamp, processImagePath, processID } = told;
  const isLoss = eventType === 'lossEvent';
  if ((eventType !== 'logEvent' && !isLoss) || typeof eventMessage !== 'string') return undefined;
  return {
    wallMs: readTimestamp(timestamp),
    level: isLoss ? 'warning' : (LEVELS[String(messageType)] ?? 'info'),
    process: nameIn(processImagePath),
    ...(Number.isSafeInteger(processID) && Number(processID) >= 0 ? { pid: Number(processID) } : {}),
    text: eventMessage,
  };
}

function parsed(line: string): Readonly<Record<string, unknown>> {
  try {
    return JSON.parse(line) as Readonly<Record<string, unknown>>;
  } catch {
    return { eventType: 'logEvent', eventMessage: line };
  }
}

/** The kernel has no path. */
const nameIn = (path: unknown): string => (typeof path === 'string' && path.split('/').pop()) || 'system';

/** `2026-11-28 21:05:06.123456+0100`; milliseconds since 1970. */
function readTimestamp(text: unknown): number {
  const [, day, time, zone, minutes] =
    /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d(?:\.\d{1,9})?)([+-]\d\d):?(\d\d)$/.exec(String(text)) ?? [];
  const ms = Date.parse(`${day}T${time}${zone}:${minutes}`);
  return Number.isNaN(ms) ? 0 : Math.floor(ms);
}

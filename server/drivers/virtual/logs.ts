import type { LogLevel } from '@runcloud/protocol';
import type { CrashLine, DeviceLogs, LogLine } from '../../device/logs.ts';
import type { VirtualPhone } from '../../phone/phone.ts';
import type { PhoneEvent } from '../../phone/system/event-log.ts';

/** What input there was stands in the history. */
const INPUTS: ReadonlySet<string> = new Set(['touch', 'key', 'button', 'scroll', 'text', 'inserted']);
/** What the phone's apps tell; everything else is its system's. */
const PROCESSES: Readonly<Record<string, string>> = { navigate: 'browser', photo: 'photos' };
const CRASH = 'crash';
const LEVELS: Readonly<Record<string, LogLevel>> = { 'memory warning': 'warning', 'text ignored': 'warning' };

/** The log of a virtual phone: what its system and its apps tell of themselves. */
export const logsOf = (phone: VirtualPhone): DeviceLogs => ({
  follow: (take) => {
    phone.log.follow((event) => {
      if (!INPUTS.has(event.type) && event.type !== CRASH) take(lineOf(event, phone.log.wallMs(event)));
    });
  },
  onCrash: (take) => {
    phone.log.follow((event) => {
      if (event.type === CRASH) take(crashOf(event, phone.log.wallMs(event)));
    });
  },
});

function crashOf({ detail }: PhoneEvent, wallMs: number): CrashLine {
  const { app, reason } = detail as { readonly app: string; readonly reason: string };
  const report = `Process: ${app}\nTime: ${new Date(wallMs).toISOString()}\nReason: ${reason}`;
  return { wallMs, process: app, text: `crash: ${reason}`, report };
}

function lineOf({ type, detail }: PhoneEvent, wallMs: number): LogLine {
  const text = detail === undefined ? type : `${type} ${JSON.stringify(detail)}`;
  return { wallMs, level: LEVELS[type] ?? 'info', process: PROCESSES[type] ?? 'system', text };
}

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A process of a simulator that ended by an exception. */
export interface CrashedProcess {
  readonly udid: string;
  readonly bundle: string;
  readonly name: string;
  readonly reason: string;
}

let written = 0;

/** Writes the report that macOS writes: a line about the report, and the report behind it. */
export function writeCrashReport(home: string, { udid, bundle, name, reason }: CrashedProcess): void {
  const folder = join(home, 'Library', 'Logs', 'DiagnosticReports');
  mkdirSync(folder, { recursive: true });
  const head = {
    app_name: name,
    timestamp: '2026-11-28 21:05:06.00 +0100',
    app_version: '1.0',
    bundleID: bundle,
    bug_type: '309',
  };
  const body = {
    pid: 4_711,
    procName: name,
    procPath: `/Users/USER/Library/Developer/CoreSimulator/Devices/${udid}/data/Containers/Bundle/Application/A/${name}.app/${name}`,
    captureTime: '2026-11-28 21:05:06.1234 +0100',
    exception: { codes: '0x0, 0x0', type: 'EXC_CRASH', signal: 'SIGABRT' },
    asi: { 'libsystem_c.dylib': ['abort() called'], CoreFoundation: [reason] },
  };
  writeFileSync(
    join(folder, `${name}-${++written}.ips`),
    `${JSON.stringify(head)}\n${JSON.stringify(body, undefined, 2)}\n`,
  );
}

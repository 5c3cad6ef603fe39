import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import t from 'tap';
import type { CrashLine } from '../../../server/device/logs.ts';
import { followCrashReports, readCrashReport } from '../../../server/drivers/ios/crash-reports.ts';
import type { Udid } from '../../../server/drivers/ios/udid.ts';
import { writeCrashReport } from '../../support/ios/crash-report.ts';

const UDID = 'A0B1C2D3-0000-4000-8000-000000000001' as Udid;
const OTHER = 'A0B1C2D3-0000-4000-8000-000000000002';

t.test('reports about processes of the simulator are told, each once, and no others', async (t) => {
  const HOME = mkdtempSync(join(tmpdir(), 'crash-reports-'));
  t.teardown(() => rmSync(HOME, { recursive: true }));
  const about = { udid: UDID, bundle: 'com.a.shop', name: 'Shop' };
  writeCrashReport(HOME, { ...about, reason: 'before the session' });
  const ending = new AbortController();
  const crashes: CrashLine[] = [];
  const following = followCrashReports({ HOME }, UDID, ending.signal, (crash) => crashes.push(crash));
  await sleep(300);
  const folder = join(HOME, 'Library', 'Logs', 'DiagnosticReports');
  writeFileSync(join(folder, 'half.ips'), '{"bundleID":"com.a.half"}\n{"procPath":');
  writeCrashReport(HOME, { ...about, udid: OTHER, reason: 'of another simulator' });
  writeCrashReport(HOME, { ...about, reason: 'mine' });
  await sleep(1_500);
  writeFileSync(join(folder, 'half.ips'), `{"bundleID":"com.a.half"}\n{"procPath":"/x/${UDID}/half"}`);
  await sleep(2_000);
  ending.abort();
  await following;
  t.match(crashes, [
    { process: 'com.a.shop', pid: 4_711, text: 'crash: EXC_CRASH SIGABRT', report: /"mine"/ },
    { process: 'com.a.half' },
  ]);
  t.equal(crashes.length, 2);
  t.equal(crashes[0]?.wallMs, Date.UTC(2026, 10, 28, 20, 5, 6, 123));
});

t.test('what is no report is none', async (t) => {
  for (const text of ['', '{}', '{}\n{}', 'a\nb', '{}\n{"procPath":7}', 'null\nnull'])
    t.equal(readCrashReport(text), undefined, text);
});

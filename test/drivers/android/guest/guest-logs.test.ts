import { setTimeout as sleep } from 'node:timers/promises';
import type { LogEntry, LogPage } from '@runcloud/protocol';
import t from 'tap';
import { attachedService } from '../../../support/android/attached-host.ts';
import { hasAdb } from '../../../support/android/has-adb.ts';

const skip = hasAdb ? false : 'NO ADB: Android devices are NOT tested';
const TRIES_MAX = 200;
const PAUSE_MS = 50;

async function until(what: () => unknown): Promise<void> {
  for (let tries = 0; !(await what()); tries++) {
    if (tries === TRIES_MAX) throw new Error(`not in time: ${what}`);
    await sleep(PAUSE_MS);
  }
}

t.test('the log of a session has all that the device wrote in it, and nothing of another one', { skip }, async (t) => {
  const { server, session, device } = await attachedService(t);
  const { logd } = device.system;
  logd.write({ text: 'of nobody', priority: 'E' });
  const { id } = await session();
  const read = async (of: string, query = ''): Promise<readonly LogEntry[]> => {
    const answer = await server.rest.fetch(`/service/android/${of}/logs?limit=1000${query}`);
    return ((await answer.json()) as LogPage).entries;
  };
  const own = async (of = id) => (await read(of)).filter(({ process }) => process !== 'ActivityTaskManager');
  await until(() => logd.readers === 1);
  t.equal(logd.readers, 1, 'crashes alone are waited for: nobody has asked yet');
  logd.write({ text: 'before the first read', tag: 'shop', priority: 'W', pid: 77 });
  await until(async () => (await own()).length === 1);
  logd.write({ text: 'FATAL\n\tat a.b(C.java:1)\n', tag: 'AndroidRuntime', priority: 'E', buffer: 'crash' });
  logd.write({ text: 'ü \u001b[31m "quoted" \'x\' $(id)', tag: 'with: colon' });
  await until(async () => (await own()).length === 5);
  t.match(await own(), [
    { process: 'shop', pid: 77, level: 'warning', text: 'before the first read' },
    { process: 'AndroidRuntime', level: 'error', text: 'FATAL' },
    { text: '\tat a.b(C.java:1)' },
    { text: '' },
    // A tag may have what ends it.
    { level: 'info', process: 'with', text: 'colon: ü \u001b[31m "quoted" \'x\' $(id)' },
  ]);
  t.same(
    (await read(id, '&process=shop&level=warning')).map(({ text }) => text),
    ['before the first read'],
  );

  logd.restart();
  logd.write({ text: 'while nobody read' });
  await until(async () => (await own()).length === 6);
  t.equal((await own()).at(-1)?.text, 'while nobody read', 'each line once, and no word of the service');
  await until(() => logd.readers === 2);

  await server.rest.releaseSession(id);
  await until(() => logd.readers === 0);
  await device.system.reset();
  const next = await session();
  logd.write({ text: 'of the next' });
  await until(async () => (await own(next.id)).length > 0);
  t.same(
    (await own(next.id)).map(({ text }) => text),
    ['of the next'],
  );
  await server.rest.releaseSession(next.id);
  await until(() => logd.readers === 0);
});

t.test('a device that does not tell its log says why, and one without a clock offers none', { skip }, async (t) => {
  const { server, session, device } = await attachedService(t);
  device.system.override = ([name]) =>
    name === 'logcat' ? { code: 1, out: 'logcat: Invalid parameter "epoch" to -v\n' } : undefined;
  const { id } = await session();
  const read = async () => {
    const answer = await server.rest.fetch(`/service/android/${id}/logs`);
    return ((await answer.json()) as LogPage).entries;
  };
  await until(async () => (await read()).length > 0);
  const tries = device.system.log.filter(([name]) => name === 'logcat').length;
  await until(() => device.system.log.filter(([name]) => name === 'logcat').length > tries + 1);
  t.match(await read(), [{ level: 'warning', process: 'logcat', text: /ended: logcat: Invalid parameter "epoch"/ }]);
  t.equal((await read()).length, 1, 'once');
  await server.rest.releaseSession(id);
  await device.system.reset();

  device.system.override = ([name]) => (name === 'date' ? { out: 'Thu Jan  1 00:00:00 GMT 1970\n' } : undefined);
  const blind = await session();
  const answer = await server.rest.fetch(`/service/android/${blind.id}/logs`);
  t.match([answer.status, await answer.json()], [422, { error: { code: 'unsupported_action' } }]);
});

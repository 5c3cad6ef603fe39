import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import t from 'tap';
import { type AttachedService, attachedService } from '../support/android/attached-host.ts';
import { hasAdb } from '../support/android/has-adb.ts';
import { openSockets } from '../support/open-sockets.ts';

const skip = hasAdb ? false : 'NO ADB: Android devices are NOT tested';
const service = hasAdb ? await attachedService(t, '4.1') : ({} as AttachedService);
const { server, device, session: open } = service;
const scrcpy = device?.system.scrcpy;
/** Far more than the two seconds that an answer is waited for, since other tests may keep the processors busy. */
const ENDS_MS_MAX = 12_000;
const tap = { action: 'tap', x: 0.5, y: 0.5 };

/** Whether the device soon runs nothing more for the service. */
async function nothingRuns(): Promise<boolean> {
  const busy = () => scrcpy.running.size + device.adbd.running > 0;
  for (let tries = 0; tries < 600 && busy(); tries++) await sleep(50);
  return !busy();
}

t.test('input that does not arrive is found out before anybody is told that it did', { skip }, async (t) => {
  await server.rest.releaseSession((await open()).id);
  device.guest.deaf = true;
  await t.rejects(open(), /simulator_unavailable.*Input does not arrive/);
  device.guest.deaf = false;
  t.ok(await nothingRuns());
});

t.test('a server of another version than was said ends the opening at once, and is gone', { skip }, async (t) => {
  await server.rest.releaseSession((await open()).id);
  const { run } = scrcpy;
  scrcpy.run = ([classPath = '', slash = '', name = '', , ...rest], gone) =>
    run.call(scrcpy, [classPath, slash, name, '4.0', ...rest], gone);
  await t.rejects(open(), /simulator_unavailable.*server version \(4\.1\) does not match the client \(4\.0\)/);
  scrcpy.run = run;
  t.same([...device.system.files.keys()], []);
  t.ok(await nothingRuns());
});

t.test('a server that takes no input any more fails the interaction, within its time', { skip }, async (t) => {
  const session = await open();
  scrcpy.hangs = true;
  const late = (await server.rest.interact(session, { ...tap, timeoutMs: 200 })).body;
  t.match([late.status, late.error?.code], ['timed_out', 'interaction_timeout']);
  t.ok(late.durationMs < ENDS_MS_MAX, `it ended after ${late.durationMs} ms`);
  const { body, status } = await server.rest.interact(session, tap);
  t.match([status, body.error?.code], [502, 'interaction_transport_error']);
  t.ok(body.durationMs < ENDS_MS_MAX, `it ended after ${body.durationMs} ms`);
  scrcpy.hangs = false;
  t.equal((await server.rest.interact(session, tap)).body.status, 'completed');
  await server.rest.releaseSession(session.id);
});

t.test(
  'sessions leave no socket behind',
  { skip: skip || (existsSync('/proc/self/fd') ? false : 'NO /proc: sockets are NOT counted') },
  async (t) => {
    const cycle = async () => {
      const session = await open();
      await server.rest.interact(session, tap);
      await server.rest.releaseSession(session.id);
      t.ok(await nothingRuns());
    };
    await cycle();
    const before = openSockets();
    for (let count = 0; count < 2; count++) await cycle();
    for (let tries = 0; tries < 600 && openSockets() > before; tries++) await sleep(50);
    t.ok(openSockets() <= before, `${before} sockets became ${openSockets()}`);
  },
);

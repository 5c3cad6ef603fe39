import { setTimeout as sleep } from 'node:timers/promises';
import t from 'tap';
import { diagnose } from '../../server/host/doctor.ts';
import { type AttachedService, attachedService } from '../support/android/attached-host.ts';
import { hasAdb } from '../support/android/has-adb.ts';
import { decodePng } from '../support/picture.ts';
import { ScreenWatcher } from '../support/screen-watcher.ts';
import { endedInTime } from '../support/sessions-in-time.ts';

const skip = hasAdb ? false : 'NO ADB: Android devices are NOT tested';
const service = hasAdb ? await attachedService(t) : ({} as AttachedService);
const { server, device, serial, host, session: open } = service;
const pictures = () => device.system.log.filter(([name]) => name === 'screencap').length;
const inputs = () => device.system.log.filter(([name]) => name === 'input').map((words) => words.slice(1).join(' '));

t.test('the doctor names an attached device, its lane and its entry', { skip }, async (t) => {
  const found = (await diagnose(host.environment as Record<string, string>, 'linux')).find(({ what }) =>
    what.startsWith('Attached'),
  );
  t.match(found, { state: 'ready', detail: /adb alone.*android-adb:<serial>/ });
  t.ok(found?.detail.includes(serial));
});

t.test(
  'an attached device is named by its serial, touched, and seen only while somebody looks',
  { skip },
  async (t) => {
    const session = await open();
    t.match(session.device, { driver: 'android-adb', model: device.avd, osVersion: '14', width: 540, height: 1_200 });
    for (const body of [
      { action: 'tap', x: 0.5, y: 0.25 },
      { action: 'pressKey', key: 'a', modifiers: ['shift', 'meta'] },
      { action: 'rotate', orientation: 'landscape_left' },
      { action: 'tap', x: 0.5, y: 0.25 },
    ]) {
      const { body: answer } = await server.rest.interact(session, body);
      t.equal(answer.status, 'completed', `${body.action} ${answer.error?.message ?? ''}`);
    }
    t.same(
      inputs().slice(-3),
      ['tap 270 300', 'keycombination 59 117 29', 'tap 600 135'],
      'in the display as it is turned',
    );
    const { width, height } = await decodePng(await server.rest.screenshot(session));
    t.same([width, height], [1_200, 540]);

    const before = pictures();
    await sleep(1_200);
    t.equal(pictures(), before, 'nobody looks');
    const watcher = await ScreenWatcher.connect(server.url, session, server.rest);
    watcher.send({ type: 'screen.start', encodings: ['jpeg'] });
    // The screen stands still, so the viewer is told nothing new while it is looked at again.
    for (let tries = 0; tries < 600 && pictures() <= before + 2; tries++) await sleep(50);
    t.ok(pictures() > before + 2, `${pictures() - before} pictures were taken`);
    watcher.close();
    await server.rest.releaseSession(session.id);
  },
);

t.test('garbage for a picture ends in the code of that, and the next picture is one', { skip }, async (t) => {
  const session = await open();
  const screenshot = () =>
    server.rest.call<{ error?: { code: string } }>('GET', `/service/android/${session.id}/screenshot`);
  const head = Buffer.alloc(16);
  for (const [index, value] of [540, 1_200, 1, 1].entries()) head.writeUInt32LE(value, index * 4);
  for (const out of ['', 'error: device busy', Buffer.concat([head, Buffer.alloc(1_000)])]) {
    device.system.override = ([name]) => (name === 'screencap' ? { out } : undefined);
    t.match((await screenshot()).body.error, { code: 'screenshot_invalid_response' });
  }
  device.system.override = undefined;
  t.equal((await decodePng(await server.rest.screenshot(session))).width, 540);
  await server.rest.releaseSession(session.id);
});

t.test(
  'a device whose maker forbids input is found out before anybody is told that it arrived',
  { skip },
  async (t) => {
    device.system.manners.forbidden = true;
    await t.rejects(open(), /simulator_unavailable.*Input does not arrive/);
    device.system.manners.forbidden = false;
    await server.rest.releaseSession((await open()).id);
  },
);

t.test(
  'an app that is installed during a session is removed with it; one that the owner installs between sessions stays',
  { skip },
  async (t) => {
    const { packages } = device.system;
    await device.system.reset();
    packages.add('com.owner.app');
    const session = await open();
    packages.add('com.brought.app');
    await server.rest.releaseSession(session.id);
    await device.system.reset();
    t.notOk(packages.has('com.brought.app'));
    t.ok(packages.has('com.owner.app'));
  },
);

t.test('a device that is unplugged ends its session', { skip }, async (t) => {
  const session = await open();
  host.adb('disconnect', serial);
  t.match(await endedInTime(server, session), { releaseReason: 'device_lost' });
});

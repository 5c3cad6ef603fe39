import { setTimeout as sleep } from 'node:timers/promises';
import type { SessionRecord } from '@runcloud/protocol';
import t from 'tap';
import { type AttachedService, attachedService } from '../support/android/attached-host.ts';
import { hasAdb } from '../support/android/has-adb.ts';
import { endedInTime } from '../support/sessions-in-time.ts';

const skip = hasAdb ? false : 'NO ADB: Android devices are NOT tested';
const service = hasAdb ? await attachedService(t, '4.1') : ({} as AttachedService);
const { server, device, serial, host, session: open } = service;
const scrcpy = device?.system.scrcpy;

/** Whether the device soon runs nothing more for the service. */
async function nothingRuns(): Promise<boolean> {
  const busy = () => scrcpy.running.size + device.adbd.running > 0;
  for (let tries = 0; tries < 600 && busy(); tries++) await sleep(50);
  return !busy();
}

const ENDS: readonly (readonly [what: string, harm: () => void])[] = [
  ['whose control socket is closed', () => scrcpy.hangUp('control')],
  ['whose video ends', () => scrcpy.hangUp('video')],
  ['whose server ends', () => scrcpy.close()],
  [
    'that sends garbage for its video',
    () => {
      scrcpy.garble = (bytes) => Buffer.alloc(bytes.length, 0x55);
    },
  ],
  [
    'that tells of a packet of many gigabytes',
    () => {
      scrcpy.garble = () => Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff]);
    },
  ],
];

for (const [what, harm] of ENDS) {
  t.test(`a device ${what} ends its session, and leaves nothing behind`, { skip }, async (t) => {
    const session = await open();
    harm();
    // Something moves, so that there is a picture.
    await server.rest.interact(session, { action: 'pressButton', button: 'recents' });
    const begunMs = performance.now();
    const status = async () =>
      (await server.rest.call<SessionRecord>('GET', `/service/sessions/${session.id}`)).body.status;
    while ((await status()) === 'active') await sleep(50);
    t.ok(performance.now() - begunMs < 10_000, 'it is noticed before anybody asks the device for its health');
    t.match(await endedInTime(server, session), { status: 'failed', releaseReason: 'device_lost' });
    scrcpy.garble = (bytes) => bytes;
    t.ok(await nothingRuns());
  });
}

t.test('a video that falls silent is noticed when a viewer waits for it', { skip }, async (t) => {
  const session = await open();
  scrcpy.silent = true;
  await server.rest.call('POST', `/service/android/${session.id}/recordings`);
  t.match(await endedInTime(server, session), { status: 'failed', releaseReason: 'device_lost' });
  scrcpy.silent = false;
});

t.test('a device that is unplugged ends its session', { skip }, async (t) => {
  const session = await open();
  host.adb('disconnect', serial);
  t.match(await endedInTime(server, session), { releaseReason: 'device_lost' });
});

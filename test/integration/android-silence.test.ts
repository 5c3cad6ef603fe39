import { setTimeout as sleep } from 'node:timers/promises';
import t from 'tap';
import { adbServersOf } from '../support/android/adb-servers.ts';
import { hasAdb } from '../support/android/has-adb.ts';
import { standInService } from '../support/android/stand-in-service.ts';

const skip = hasAdb ? false : 'NO ADB: Android devices are NOT tested';

t.test(
  'a device that hangs up just after adb called it connected is given up, and healed when it is back',
  {
    skip,
  },
  async (t) => {
    const service = await standInService(t);
    await service.server.rest.releaseSession((await service.session()).id);
    service.emulator.adbd.dieAt = /boot_completed/;
    await t.rejects(service.server.rest.createSession('android'), /simulator_unavailable/);
    await t.rejects(service.server.rest.createSession('android'), /simulator_capacity_unavailable/);
    service.emulator.adbd.dieAt = undefined;
    await service.emulator.adbd.listen();
    t.match(await service.session(), { status: 'active' });
  },
);

t.test('a connection to a device that breaks while it is opened is made again', { skip }, async (t) => {
  const service = await standInService(t);
  await service.server.rest.releaseSession((await service.session()).id);
  const { adbd } = service.emulator;
  adbd.dieAt = /boot_completed/;
  const opening = service.server.rest.createSession('android');
  while (adbd.listening) await sleep(10);
  adbd.dieAt = undefined;
  await adbd.listen();
  t.match(await opening, { status: 'active' });
});

t.test(
  'a silent emulator does not block a reset, the start of a session, or the end of the service',
  { skip },
  async (t) => {
    const service = await standInService(t);
    const { adbd, control } = service.emulator;
    const session = await service.session();
    adbd.stuckAt = /pm.*list/;
    await service.server.rest.releaseSession(session.id);
    t.match(await service.ended(session), { status: 'released' }, 'a reset that hangs');
    await t.rejects(
      service.server.rest.createSession('android'),
      /did not come back from the session before/,
      'it is healed first',
    );
    adbd.stuckAt = undefined;
    await service.server.rest.releaseSession((await service.session()).id);
    if (control) control.stuck = true;
    await t.rejects(
      service.server.rest.createSession('android'),
      /simulator_unavailable/,
      'a control service that hangs',
    );
    if (control) control.stuck = false;
    await service.server.rest.releaseSession((await service.session()).id);
    const servers = adbServersOf(service.host.folder).map(Number);
    t.not(servers.length, 0);
    for (const pid of servers) process.kill(pid, 'SIGSTOP');
    const opening = service.server.rest.createSession('android');
    opening.catch(() => undefined);
    await sleep(500);
    await service.server.close();
    await t.rejects(opening, /service_draining/, 'the end of the service wakes whoever waits');
    t.strictSame(adbServersOf(service.host.folder), [], 'and nothing of it is left');
  },
);

import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import t from 'tap';
import { StandInMac } from '../support/ios/stand-in-mac.ts';
import { serverProgram } from '../support/server-process.ts';

t.test('helpers, simulators and files that a killed service has left are removed by the next one', async (t) => {
  const mac = await StandInMac.start();
  const folder = t.testdir();
  const temporary = join(folder, 'tmp');
  mkdirSync(temporary);
  const start = () =>
    serverProgram(join(folder, 'data'), {
      ...mac.tools,
      TMPDIR: temporary,
      RUNCLOUD_DEVICES: 'ios-simulator:iPhone Stand-In',
      RUNCLOUD_LOG: 'error',
    });
  const until = async (what: string, holds: () => boolean | Promise<boolean>) => {
    for (let tries = 0; !(await holds()); tries++) {
      if (tries === 900) throw new Error(`it never came that ${what}`);
      await sleep(50);
    }
  };
  const notes = () =>
    readdirSync(temporary)
      .filter((name) => name.startsWith('runcloud-programs-'))
      .flatMap((name) => readdirSync(join(temporary, name)));
  const prepared = () => mac.helpers.length;

  const first = start();
  await until('a simulator is ready', () => prepared() === 1);
  const { udid } = mac.booted;
  await until('it is written down', () => notes().length === 1);
  first.signal('SIGKILL');
  await first.ended;
  await sleep(300);
  await until('what it was asking for has been answered', () => mac.running <= 1);
  t.equal(mac.running, 1, 'the helper outlives the service');
  t.same(
    mac.made.map((simulator) => simulator.udid),
    [udid],
    'and so does the simulator',
  );
  const [orphan] = notes();
  const halfUnpacked = join(temporary, `runcloud-app-${first.pid}-aB3dE6`);
  mkdirSync(join(halfUnpacked, 'Payload'), { recursive: true });
  const somebodys = join(temporary, `runcloud-app-${process.pid}-aB3dE6`);
  mkdirSync(somebodys);

  const second = start();
  await until('another simulator is ready', () => prepared() === 2);
  t.not(mac.booted.udid, udid, 'only the new one runs');
  await until('the old helper is gone', () => mac.running === 1);
  await until('what was written down of it is gone', () => !notes().includes(orphan ?? '') && notes().length === 1);
  await until('what was half unpacked is gone', () => !existsSync(halfUnpacked));
  t.ok(existsSync(somebodys), 'files of who still runs stay');

  second.signal('SIGTERM');
  t.match(await second.ended, { code: 0 });
  await until('everything is gone', () => mac.running === 0 && mac.made.length === 0);
  t.same(notes(), []);
  await mac.close();
});

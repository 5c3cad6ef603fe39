import { execFileSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import type { AssetRecord, SessionRecord } from '@runcloud/protocol';
import t from 'tap';
import { adbServersOf } from '../support/android/adb-servers.ts';
import { hasAdb } from '../support/android/has-adb.ts';
import { standInHost } from '../support/android/stand-in-emulator.ts';
import { androidPackage, SKIP_WITHOUT_AAPT } from '../support/android-package.ts';
import { RestClient } from '../support/rest-client.ts';
import { TEST_KEY } from '../support/server.ts';
import { type Program, serverProgram, temporaryDataDir } from '../support/server-process.ts';

const skip = hasAdb ? false : 'NO ADB: Android devices are NOT tested';

t.test(
  'changes that a killed service has left on a device are undone by one that does not know of it',
  { skip: skip || SKIP_WITHOUT_AAPT },
  async (t) => {
    const host = await standInHost(1);
    const dataDir = temporaryDataDir();
    const otherDir = temporaryDataDir();
    const started: Program[] = [];
    const [emulator] = host.emulators;
    if (!emulator) throw new Error('no emulator');
    const start = async ({ path }: typeof dataDir) => {
      const environment = { ...host.environment, RUNCLOUD_API_KEY: TEST_KEY, RUNCLOUD_LOG: 'error' };
      const program = serverProgram(path, environment as Record<string, string>);
      started.push(program);
      return { program, rest: new RestClient(await program.ready(), TEST_KEY) };
    };
    t.teardown(async () => {
      for (const program of started) program.signal('SIGKILL');
      for (const pid of adbServersOf(host.folder)) execFileSync('kill', ['-9', pid]);
      host.stop();
      dataDir.remove();
      otherDir.remove();
    });
    const { system } = emulator;
    emulator.console.speed = [384, 384];
    emulator.console.delayMs = [80, 400];
    const [settings, packages] = [new Map(system.settings), [...system.packages]];

    const first = await start(dataDir);
    const upload = { method: 'POST', body: new Uint8Array(androidPackage()) };
    const asset = (await (await first.rest.fetch('/service/assets', upload)).json()) as AssetRecord;
    const options = { installAssets: [asset.id], orientation: 'landscape_left' };
    const session = await untilOffered(() => first.rest.createSession('android', options));
    await first.rest.call('POST', `/service/android/${session.id}/open-url`, { url: 'https://a.example/' });
    await first.rest.interact(session, { action: 'toggleSoftwareKeyboard' });
    const place = emulator.control?.gps;
    const away = { action: 'setLocation', latitude: 52.5, longitude: 13.25 };
    t.match((await first.rest.interact(session, away)).body, { status: 'completed', result: { readBack: true } });
    t.match(emulator.control?.gps, { latitude: 52.5 });
    const changed = {
      action: 'configureDevice',
      appearance: 'dark',
      textScale: 1.3,
      animations: false,
      network: 'offline',
      downlinkKbps: 400,
      networkDelayMs: 150,
    };
    t.equal((await first.rest.interact(session, changed)).body.status, 'completed');
    t.equal(system.night, 'yes');
    t.same(emulator.console.delayMs, [150, 150]);
    t.not(system.packages.size, packages.length);
    first.program.signal('SIGKILL');
    await first.program.ended;
    t.notSame([...system.settings], [...settings], 'it was not asked');

    system.cleared.length = 0;
    // The same service would go on with its session.
    const second = await start(otherDir);
    const next = await untilOffered(() => second.rest.createSession('android'));
    t.same([...system.packages], packages, 'its app is gone');
    t.same(system.cleared, ['com.standin.browser'], 'what it used is empty');
    t.match(emulator.control?.gps, { ...place, satellites: Number }, 'it is where it was');
    t.equal(system.night, 'no');
    t.equal(system.guest.phone.settings.network, 'online');
    t.same(
      [emulator.console.speed, emulator.console.delayMs],
      [
        [384, 384],
        [80, 400],
      ],
      'as slow as before',
    );
    await second.rest.releaseSession(next.id);
    await system.reset();
    t.same([...system.settings].sort(), [...settings].sort(), 'settings are what they were before it');
  },
);

/** Devices become ready a moment after the service. */
async function untilOffered(create: () => Promise<SessionRecord>): Promise<SessionRecord> {
  for (let tries = 0; ; tries++) {
    try {
      return await create();
    } catch (error) {
      if (tries === 450 || !String(error).includes('simulator_capacity_unavailable')) throw error;
      await sleep(100);
    }
  }
}

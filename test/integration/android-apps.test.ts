import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { AssetRecord } from '@runcloud/protocol';
import t from 'tap';
import { hasAdb } from '../support/android/has-adb.ts';
import { standInService } from '../support/android/stand-in-service.ts';
import { solidPng } from '../support/ios-package.ts';

const skip = hasAdb ? false : 'NO ADB: Android devices are NOT tested';

const ARGUMENTS = { hostile: `'"$(id)\`id\` \\ ; & | > < * ? \n\r\t -S --es x`, empty: '', other: 'Grüße 你好 😀' };

t.test(
  'arguments arrive as they are; after the session the data of an app that was launched are gone, and what was set is put back',
  { skip },
  async (t) => {
    const { session, server, emulator } = await standInService(t);
    const { system } = emulator;
    emulator.console.speed = [384, 384];
    emulator.console.delayMs = [80, 400];
    const settings = new Map(system.settings);
    const created = await session();
    const app = 'com.standin.notes';
    const { body } = await server.rest.interact(created, { action: 'launchApp', app, arguments: ARGUMENTS });
    t.match(body, { status: 'completed', result: { app, state: 'front' } });
    t.strictSame(Object.fromEntries(system.launched[0]?.extras ?? []), ARGUMENTS);
    const { body: listed } = await server.rest.interact(created, { action: 'listApps' });
    t.match(listed.result, { apps: [{ app: 'com.person.app', kind: 'user', state: 'stopped' }] });
    const { body: kept } = await server.rest.interact(created, { action: 'uninstallApp', app: 'com.person.app' });
    t.match(kept, { status: 'failed', error: { code: 'interaction_failed', message: /was on the device before/ } });
    const place = emulator.control?.gps;
    const away = { action: 'setLocation', latitude: -33.86, longitude: 151.21 };
    t.equal((await server.rest.interact(created, away)).body.status, 'completed');
    t.match(emulator.control?.gps, { latitude: -33.86, longitude: 151.21 });
    const changed = {
      action: 'configureDevice',
      appearance: 'dark',
      textScale: 1.3,
      animations: false,
      network: 'offline',
      downlinkKbps: 400,
      networkDelayMs: 150,
    };
    t.match((await server.rest.interact(created, changed)).body.result, {
      appearance: 'dark',
      textScale: 1.3,
      animations: false,
      network: 'offline',
      downlinkKbps: 400,
      uplinkKbps: 384,
      networkDelayMs: 150,
    });
    t.same(
      [emulator.console.speed, emulator.console.delayMs],
      [
        [384, 400],
        [150, 150],
      ],
    );
    const [scale, motion] = ['system font_scale', 'global animator_duration_scale'];
    t.same([system.night, system.settings.get(scale), system.settings.get(motion)], ['yes', '1.3', '0']);
    system.cleared.length = 0;
    await server.rest.releaseSession(created.id);
    await system.reset();
    t.same(system.cleared, [app]);
    t.same(emulator.control?.gps, place);
    t.same(system.night, 'no');
    t.equal(system.guest.phone.settings.network, 'online');
    t.same(
      [emulator.console.speed, emulator.console.delayMs],
      [
        [384, 384],
        [80, 400],
      ],
      'as it was started',
    );
    t.same([...system.settings].sort(), [...settings].sort());
    t.ok(system.packages.has('com.person.app'));
  },
);

t.test(
  'what a session has installed is noted before it comes and gone after it; an installation that is cut off ends in its time, and one of before is left alone',
  { skip },
  async (t) => {
    const { session, server, emulator } = await standInService(t);
    const { system } = emulator;
    const packages = [...system.packages];
    const app = 'com.example.sample';
    const body = new Uint8Array(readFileSync('server/sample/sample.apk'));
    const answer = await server.rest.fetch('/service/assets', { method: 'POST', body });
    const { id: asset } = (await answer.json()) as AssetRecord;
    const created = await session();
    const install = { action: 'installApp', asset };
    const isInstall = (words: readonly string[]) => words.slice(0, 3).join(' ') === 'cmd package install';

    let endless: (() => void) | undefined;
    system.override = (words) => {
      if (!isInstall(words)) return undefined;
      t.match(system.settings.get('global runcloud_session'), new RegExp(app), 'a service that is killed now finds it');
      return new Promise((resolve) => {
        endless = () => resolve({ code: 255 });
      });
    };
    const cut = await server.rest.interact(created, { ...install, timeoutMs: 1_000 });
    t.match(cut.body, { status: 'timed_out', error: { code: 'interaction_timeout', retryable: true } });
    t.type(endless, 'function', 'it had begun');
    endless?.();
    system.override = (words) =>
      isInstall(words) ? { out: 'Failure [INSTALL_FAILED_INSUFFICIENT_STORAGE]\n' } : undefined;
    const full = await server.rest.interact(created, install);
    t.match(full.body, { status: 'failed', error: { code: 'interaction_failed', message: /INSUFFICIENT_STORAGE/ } });
    t.same([...system.packages], packages);
    // It says that all is well, and nothing came.
    system.override = (words) => (isInstall(words) ? { out: 'Success\n' } : undefined);
    const none = await server.rest.interact(created, install);
    t.match(none.body, { status: 'failed', error: { message: /does not list it/ } });

    system.override = undefined;
    t.match((await server.rest.interact(created, install)).body, {
      status: 'completed',
      result: { app, name: 'Sample', version: '1.0', kind: 'user', state: 'stopped' },
    });
    t.same([...system.packages], [...packages, app]);
    await server.rest.releaseSession(created.id);
    await system.reset();
    t.same([...system.packages], packages);
    t.equal((await server.rest.call('DELETE', `/service/assets/${asset}`)).status, 200, 'nobody holds it any more');
  },
);

t.test(
  'a session leaves none of its pictures, neither the files nor their rows, also after one that was cut off; those of before stay',
  { skip },
  async (t) => {
    const { session, server, emulator } = await standInService(t);
    const { system } = emulator;
    const own = '/sdcard/DCIM/Camera/own.png';
    const png = solidPng(64, '#00c000');
    system.files.set(own, png);
    await system.media.scan(`file://${own}`);
    const created = await session();
    const add = (body: Uint8Array) => {
      const init = { method: 'POST', body: new Uint8Array(body) };
      return server.rest.fetch(`/service/android/${created.id}/media`, init);
    };
    t.equal((await add(png)).status, 201);
    t.equal((await add(Buffer.from('\0\0\0\x18ftypisom\0\0\0\0'))).status, 201, 'a video');
    system.override = (words) => (words[1] === 'broadcast' ? new Promise(() => undefined) : undefined);
    const cut = add(png);
    while (!system.log.some((words, index) => words[1] === 'broadcast' && index === system.log.length - 1))
      await sleep(20);
    t.equal([...system.files.keys()].filter((path) => path.includes('RunCloud')).length, 3);
    await server.rest.releaseSession(created.id);
    t.match(await (await cut).json(), { ok: false, error: { code: 'active_session_not_found' } });
    system.override = undefined;
    await system.reset();
    t.same(
      [...system.files.keys()].filter((path) => path.startsWith('/sdcard')),
      [own],
    );
    t.same(system.media.rows, [{ path: own, kind: 'images' }]);
    t.same(
      system.guest.phone.photos.photos.map(({ name }) => name),
      ['own.png'],
    );
  },
);

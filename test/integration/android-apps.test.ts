import t from 'tap';
import { hasAdb } from '../support/android/has-adb.ts';
import { standInService } from '../support/android/stand-in-service.ts';

const skip = hasAdb ? false : 'NO ADB: Android devices are NOT tested';

const ARGUMENTS = { hostile: `'"$(id)\`id\` \\ ; & | > < * ? \n\r\t -S --es x`, empty: '', other: 'Grüße 你好 😀' };

t.test(
  'arguments arrive as they are; after the session the data of an app that was launched are gone, and what was set is put back',
  { skip },
  async (t) => {
    const { session, server, emulator } = await standInService(t);
    const { system } = emulator;
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
    };
    t.match((await server.rest.interact(created, changed)).body.result, {
      appearance: 'dark',
      textScale: 1.3,
      animations: false,
      network: 'offline',
    });
    const [scale, motion] = ['system font_scale', 'global animator_duration_scale'];
    t.same([system.night, system.settings.get(scale), system.settings.get(motion)], ['yes', '1.3', '0']);
    system.cleared.length = 0;
    await server.rest.releaseSession(created.id);
    await system.reset();
    t.same(system.cleared, [app]);
    t.same(emulator.control?.gps, place);
    t.same(system.night, 'no');
    t.equal(system.guest.phone.network, 'online');
    t.same([...system.settings].sort(), [...settings].sort());
    t.ok(system.packages.has('com.person.app'));
  },
);

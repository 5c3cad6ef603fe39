import t from 'tap';
import { Guest } from '../../../../server/drivers/android/guest/guest.ts';
import { GuestApps } from '../../../../server/drivers/android/guest/guest-apps.ts';
import { runningPackages } from '../../../../server/drivers/android/guest/texts.ts';
import { directShell } from '../../../support/android/direct-shell.ts';
import { GuestPhone } from '../../../support/android/guest-phone.ts';
import { GuestSystem } from '../../../support/android/guest-system.ts';

const { signal } = new AbortController();

function stage() {
  const guest = new GuestPhone();
  t.teardown(() => guest.phone.close());
  const system = new GuestSystem(guest, 'Stand-in');
  const shell = directShell(system);
  const brought = {
    platform: 'android',
    identifier: 'com.brought',
    name: 'Brought',
    version: '2',
    activities: [],
  } as const;
  system.packages.add('com.brought');
  return { system, guest, apps: new GuestApps(shell, new Guest(shell), new Set(['com.person.app']), [brought]) };
}

t.test(
  'apps with an icon and apps of users are listed, with what is known of those that the session has brought',
  async (t) => {
    const { apps, guest } = stage();
    guest.phone.launchApp({ app: 'notes', arguments: {} }, 0);
    guest.phone.launchApp({ app: 'settings', arguments: {} }, 0);
    const { apps: list, truncated } = await apps.list(signal);
    t.equal(truncated, undefined);
    const of = (app: string) => list.find((one) => one.app === app);
    t.same(of('com.brought'), { app: 'com.brought', name: 'Brought', version: '2', kind: 'user', state: 'stopped' });
    t.same(of('com.person.app'), { app: 'com.person.app', kind: 'user', state: 'stopped' });
    t.same(of('com.standin.settings'), { app: 'com.standin.settings', kind: 'system', state: 'front' });
    t.same(of('com.standin.notes'), { app: 'com.standin.notes', kind: 'system', state: 'running' });
    t.equal(of('com.standin.home'), undefined, 'the home screen has no icon');
  },
);

t.test('arguments are extras of an app that is started anew', async (t) => {
  const { apps, system } = stage();
  const launch = { app: 'com.standin.notes', arguments: { a: "x' $(id)", b: '' } };
  t.same(await apps.launch(launch, signal), { app: launch.app, state: 'front' });
  t.same(system.launched, [{ name: launch.app, extras: Object.entries(launch.arguments) }]);
  t.ok(system.log.some((words) => words[0] === 'am' && words.includes('-S')));
  system.log.length = 0;
  await apps.launch({ ...launch, arguments: {} }, signal);
  t.notOk(
    system.log.some((words) => words.includes('-S')),
    'without them it goes on',
  );
});

t.test('only an app that came in the session is removed', async (t) => {
  const { apps, system } = stage();
  for (const app of ['com.person.app', 'com.standin.notes']) {
    await t.rejects(apps.uninstall(app, signal), { kind: 'failed', message: /was on the device before/ });
  }
  t.same(await apps.uninstall('com.brought', signal), { app: 'com.brought' });
  t.same([...system.packages], ['com.person.app']);
  await t.rejects(apps.uninstall('com.brought', signal), { kind: 'missing', message: /No app/ });
});

t.test('what the device refuses is no success, and an app without an icon is not started', async (t) => {
  const { apps, system } = stage();
  await t.rejects(apps.launch({ app: 'com.person.app', arguments: {} }, signal), {
    kind: 'failed',
    message: /no icon/,
  });
  system.override = ([name, verb]) =>
    name === 'pm' && verb !== 'list' ? { out: 'Failure [DELETE_FAILED_INTERNAL_ERROR]\n' } : undefined;
  await t.rejects(apps.uninstall('com.brought', signal), { kind: 'failed', message: /was not removed: Failure/ });
  await t.rejects(apps.clear('com.brought', signal), { kind: 'failed', message: /not deleted: Failure/ });
  // It says so, and the package is there all the same.
  system.override = ([name, verb]) => (name === 'pm' && verb === 'uninstall' ? { out: 'Success\n' } : undefined);
  await t.rejects(apps.uninstall('com.brought', signal), { kind: 'failed', message: /was not removed/ });
});

t.test('no name but a package name reaches a command', async (t) => {
  const { apps, system } = stage();
  for (const app of ['-3', 'com.a-b', '9a', 'com..a']) {
    for (const verb of ['terminate', 'clear', 'uninstall'] as const) {
      await t.rejects(apps[verb](app, signal), { kind: 'missing', message: /No app/ });
    }
    await t.rejects(apps.launch({ app, arguments: {} }, signal), { kind: 'missing', message: /No app/ });
  }
  t.same(system.log, []);
});

t.test('a list ends at five hundred apps and says so', async (t) => {
  const { apps, system } = stage();
  for (let index = 0; index < 600; index++) system.packages.add(`com.many.a${index}`);
  const { apps: list, truncated } = await apps.list(signal);
  t.same([list.length, truncated], [500, true]);
});

t.test('processes of an app are those of its package', async (t) => {
  const running = runningPackages('NAME\ninit\n com.a \ncom.b:remote\r\n[kworker/0:1]\n');
  t.same([running.has('com.a'), running.has('com.b'), running.has('com')], [true, true, false]);
});

t.test('an app that was there before the session is not replaced', async (t) => {
  const { apps, system } = stage();
  const app = { platform: 'android', identifier: 'com.person.app', name: '', version: '', activities: [] } as const;
  const begin = async () => void t.fail('nothing begins');
  await t.rejects(apps.install({ app, file: '/nonexistent' }, signal, begin), {
    kind: 'failed',
    message: /stays as it is/,
  });
  t.same(system.log, []);
});

t.test('a permission that an app asks for is set for the first user, and told as the device tells it', async (t) => {
  const { apps, system } = stage();
  system.permissions.installed('com.brought', true);
  const set = async (permission: 'camera' | 'location', access: 'grant' | 'revoke' | 'reset') =>
    (await apps.setPermission({ app: 'com.brought', permission, access }, signal)).state;
  t.equal(await set('camera', 'revoke'), 'denied');
  t.equal(await set('camera', 'reset'), 'undecided');
  t.equal(await set('camera', 'grant'), 'granted');
  t.equal(await set('location', 'revoke'), 'denied');
  t.match(system.permissions.dump('com.brought'), /COARSE_LOCATION: granted=false[^\n]+USER_FIXED/);
  t.equal(await set('camera', 'grant'), 'granted', 'others stay');
});

t.test(
  'a permission is not set that an app does not ask for, nor of an app of before, nor where the device refuses',
  async (t) => {
    const { apps, system } = stage();
    system.permissions.installed('com.brought', true);
    const asked = { app: 'com.brought', permission: 'camera', access: 'revoke' } as const;
    await t.rejects(apps.setPermission({ ...asked, permission: 'contacts' }, signal), {
      message: /does not ask for "contacts"/,
    });
    await t.rejects(apps.setPermission({ ...asked, app: 'com.person.app' }, signal), { message: /before the session/ });
    await t.rejects(apps.setPermission({ ...asked, app: 'com.x;id' }, signal), { message: /No app of the device/ });
    system.override = (words) =>
      words[1] === 'revoke' ? { code: 255, out: 'java.lang.SecurityException: no\n' } : undefined;
    await t.rejects(apps.setPermission(asked, signal), { message: /did not revoke "camera".*SecurityException/ });
    system.override = (words) => (words[1] === 'set-permission-flags' ? { out: '' } : undefined);
    t.match(await apps.setPermission(asked, signal), { state: 'undecided' }, 'what it tells, and not what was asked');
  },
);

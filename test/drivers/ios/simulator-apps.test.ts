import t from 'tap';
import type { IosApp } from '../../../server/device/app-package.ts';
import { SimulatorApps } from '../../../server/drivers/ios/simulator-apps.ts';
import type { Udid } from '../../../server/drivers/ios/udid.ts';

const { signal } = new AbortController();
const BROUGHT = { identifier: 'com.example.brought' } as IosApp;

/** The apps of a simulator that has these, and lets go of any of them. */
function appsOf(...bundles: readonly string[]) {
  const removed: string[] = [];
  const decided: unknown[][] = [];
  const pushed: unknown[][] = [];
  const never = () => Promise.reject(new Error('it is not to be called'));
  const simctl = {
    apps: async () =>
      bundles
        .filter((bundle) => !removed.includes(bundle))
        .map((bundle) => ({ bundle, name: undefined, version: undefined, isSystem: bundle.startsWith('com.apple.') })),
    install: async () => undefined,
    uninstall: async (_udid: Udid, bundle: string) => void removed.push(bundle),
    running: never,
    foreground: never,
    launch: never,
    terminate: never,
    openUrl: never,
    push: async (_udid: Udid, ...words: readonly unknown[]) => void pushed.push(words.slice(0, 2)),
    privacy: async (_udid: Udid, ...words: readonly unknown[]) => void decided.push(words.slice(0, 3)),
  };
  return { apps: new SimulatorApps(simctl, '' as Udid, [BROUGHT]), removed, decided, pushed };
}

t.test('an app that the session has brought is removed, once', async (t) => {
  const { apps, removed } = appsOf('com.apple.mobilesafari', BROUGHT.identifier);
  t.same(await apps.uninstall(BROUGHT.identifier, signal), { app: BROUGHT.identifier });
  t.same(removed, [BROUGHT.identifier]);
  await t.rejects(apps.uninstall(BROUGHT.identifier, signal), { kind: 'missing', message: /No installed app/ });
});

t.test('an app that was there before stays, whether it is of the system or of somebody', async (t) => {
  const bundles = ['com.apple.mobilesafari', 'com.example.installed-by-hand'];
  const { apps, removed } = appsOf(...bundles, BROUGHT.identifier);
  for (const bundle of bundles) {
    await t.rejects(apps.uninstall(bundle, signal), { kind: 'failed', message: /was on the device before/ });
  }
  t.same(removed, []);
});

t.test('a permission is set of a brought app alone, and of what simulators have alone', async (t) => {
  const { apps, decided } = appsOf('com.apple.mobilesafari', BROUGHT.identifier);
  const asked = { app: BROUGHT.identifier, permission: 'photos', access: 'revoke' } as const;
  t.same(await apps.setPermission(asked, signal), { app: asked.app, permission: 'photos', readBack: false });
  for (const permission of ['camera', 'notifications'] as const) {
    await t.rejects(apps.setPermission({ ...asked, permission }, signal), { kind: 'unsupported', message: permission });
  }
  const own = { ...asked, app: 'com.apple.mobilesafari' };
  await t.rejects(apps.setPermission(own, signal), { kind: 'failed', message: /was on the device before/ });
  await t.rejects(apps.setPermission({ ...asked, app: 'com.none' }, signal), {
    kind: 'missing',
    message: /No installed app/,
  });
  t.same(decided, [['revoke', 'photos', BROUGHT.identifier]]);
});

t.test('a notification is sent to a brought app alone, as the JSON that was given', async (t) => {
  const { apps, pushed } = appsOf('com.apple.mobilesafari', BROUGHT.identifier);
  const payload = { aps: { alert: 'Üben "$(id)"' }, own: [1, null] };
  t.same(await apps.push({ app: BROUGHT.identifier, payload }, signal), { app: BROUGHT.identifier, readBack: false });
  t.same(pushed, [[BROUGHT.identifier, JSON.stringify(payload)]]);
  await t.rejects(apps.push({ app: 'com.apple.mobilesafari', payload }, signal), {
    kind: 'failed',
    message: /was on the device before/,
  });
  await t.rejects(apps.push({ app: 'com.none', payload }, signal), { kind: 'missing', message: /No installed app/ });
  t.equal(pushed.length, 1);
});

import type { AssetRecord, Platform, SessionRecord } from '@runcloud/protocol';
import t from 'tap';
import type { AppDefinition } from '../../server/phone/apps/app.ts';
import { BUILT_IN_APPS } from '../../server/phone/apps/catalogue.ts';
import { installedApp } from '../../server/phone/apps/installed-app.ts';
import { centre } from '../../server/phone/geometry.ts';
import { homeLayout } from '../../server/phone/system/home-layout.ts';
import { layoutOf } from '../../server/phone/system/layout.ts';
import { createTheme } from '../../server/phone/theme.ts';
import { ANDROID_ID, androidPackage, SKIP_WITHOUT_AAPT } from '../support/android-package.ts';
import { IOS_ID, iosPackage, solidPng } from '../support/ios-package.ts';
import { decodePng } from '../support/picture.ts';
import { startServer } from '../support/server.ts';

const server = await startServer({ RUNCLOUD_DEVICES: 'virtual-ios:2,virtual-android:1' });
t.teardown(() => server.close());
const { rest } = server;

const packages: Readonly<Record<Platform, () => Promise<Buffer>>> = {
  ios: () => iosPackage({ files: { 'AppIcon60x60@2x.png': solidPng(180, '#00c000') } }),
  android: async () =>
    androidPackage({
      application: 'android:label="Demo" android:icon="@drawable/icon"',
      resources: { 'drawable-xhdpi/icon.png': solidPng(96, '#00c000') },
    }),
};

async function upload(body: Buffer): Promise<AssetRecord> {
  const response = await rest.fetch('/service/assets', { method: 'POST', body: new Uint8Array(body) });
  if (response.status !== 201) throw new Error(await response.text());
  return (await response.json()) as AssetRecord;
}

/** Pixel of the middle of an app's icon, after the apps that every phone has. */
function iconPlace({ platform, device: { width, height, scale } }: SessionRecord, identifier: string) {
  const app = { platform: 'ios', identifier, name: identifier, version: '', urlSchemes: [], linkedHosts: [] } as const;
  const apps: AppDefinition[] = [...BUILT_IN_APPS, installedApp(app)];
  const theme = createTheme(platform, scale);
  const state = { size: { width, height }, keyboardShown: false } as Parameters<typeof layoutOf>[0];
  const place = homeLayout(apps, 0, layoutOf(state, theme, false), theme).places.find(
    ({ app: { id } }) => id === identifier,
  );
  if (!place) throw new Error('no icon');
  return centre(place.icon);
}

for (const [platform, identifier] of [
  ['ios', IOS_ID],
  ['android', ANDROID_ID],
] as const) {
  const skip = platform === 'android' ? SKIP_WITHOUT_AAPT : false;
  t.test(`${platform}: an uploaded app is on the home screen, opens by a tap and is reloaded`, { skip }, async (t) => {
    const asset = await upload(await packages[platform]());
    const session = await rest.createSession(platform, { installAssets: [asset.id] });
    t.same(session.installAssets, [asset.id]);
    t.match(await server.inspect(platform, session.id), {
      foreground: 'home',
      app: { installed: [{ id: identifier, name: 'Demo' }] },
    });
    const { x, y } = iconPlace(session, identifier);
    const picture = await decodePng(await rest.screenshot(session));
    t.equal(picture.at(Math.round(x), Math.round(y)), '#00c000', 'its own icon');
    const tap = { action: 'tap', x: (x + 0.5) / session.device.width, y: (y + 0.5) / session.device.height };
    t.equal((await rest.interact(session, tap)).status, 200);
    const { foreground, app } = await server.inspect(platform, session.id);
    t.equal(foreground, identifier);
    t.match(app, { name: 'Demo', identifier, version: asset.version, events: ['launched', 'foreground'] });
    await rest.interact(session, { action: 'simulateMemoryWarning' });
    t.match((await server.inspect(platform, session.id)).app, { events: ['launched', 'foreground', 'memory warning'] });
    await rest.interact(session, { action: 'reload' });
    t.same((await server.inspect(platform, session.id)).app.events, ['launched', 'foreground']);

    const refused = await rest.call('DELETE', `/service/assets/${asset.id}`);
    t.match(refused, { status: 409, body: { ok: false, error: { code: 'asset_in_use', retryable: false } } });
    await rest.releaseSession(session.id);
    t.equal((await rest.call('DELETE', `/service/assets/${asset.id}`)).status, 200);
    t.same((await rest.call<SessionRecord>('GET', `/service/sessions/${session.id}`)).body.installAssets, [asset.id]);
    const next = await rest.createSession(platform);
    t.match(await server.inspect(platform, next.id), { app: { installed: { length: 0 } } });
    await rest.releaseSession(next.id);
  });
}

t.test('a session that cannot install what it names is not created', async (t) => {
  const { id } = await upload(await iosPackage());
  const create = (platform: Platform, installAssets: unknown) =>
    rest.call('POST', '/service/sessions', { platform, installAssets });
  t.match(await create('ios', [id, 'ast_0000000000000000000000']), {
    status: 404,
    body: { error: { code: 'asset_not_found', message: /installAssets\[1\]/ } },
  });
  t.match(await create('android', [id]), {
    status: 400,
    body: { error: { code: 'invalid_session_request', message: /installAssets\[0\].*ios.*android/ } },
  });
  t.match(await create('ios', [id, id]), { status: 400, body: { error: { code: 'invalid_session_request' } } });
  t.match(await create('ios', [7]), { status: 400, body: { error: { code: 'invalid_session_request' } } });
  t.equal((await rest.call('DELETE', `/service/assets/${id}`)).status, 200, 'nothing holds it');
});

t.test('apps without a picture, and more than one page of them, can all be reached', async (t) => {
  const ids: string[] = [];
  for (let index = 0; index < 32; index++) {
    const info = {
      CFBundleIdentifier: `com.example.app${index}`,
      CFBundleDisplayName: `App ${index}`,
      CFBundleIcons: undefined,
    };
    ids.push((await upload(await iosPackage({ info, files: { 'AppIcon60x60@2x.png': '' } }))).id);
  }
  const session = await rest.createSession('ios', { installAssets: ids });
  const { app } = await server.inspect('ios', session.id);
  t.equal((app.installed as unknown[]).length, 32);
  await rest.interact(session, { action: 'swipe', from: { x: 0.9, y: 0.5 }, to: { x: 0.1, y: 0.5 }, durationMs: 100 });
  t.match(await server.inspect('ios', session.id), { foreground: 'home', app: { page: 1 } });
  t.ok((await rest.screenshot(session)).length > 10_000);
  await rest.releaseSession(session.id);
});

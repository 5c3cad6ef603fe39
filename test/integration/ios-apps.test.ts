import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { AssetRecord, SessionRecord } from '@runcloud/protocol';
import t from 'tap';
import { standInService } from '../support/ios/stand-in-service.ts';
import { IOS_ID, iosPackage, solidPng } from '../support/ios-package.ts';

const { mac, server, session, guestOf } = await standInService(t);
const { rest } = server;

async function upload(folder?: string): Promise<AssetRecord> {
  const body = await iosPackage({ ...(folder ? { folder } : {}), files: { 'Frameworks/A.framework/A': 'x' } });
  const response = await rest.fetch('/service/assets', { method: 'POST', body: new Uint8Array(body) });
  if (response.status !== 201) throw new Error(await response.text());
  return (await response.json()) as AssetRecord;
}

const URL_OF_APP = 'demo://a/b?c=%20$(d)';
const openUrl = ({ id }: SessionRecord, url: string) => rest.call('POST', `/service/ios/${id}/open-url`, { url });
const unpacked = () => readdirSync(tmpdir()).filter((name) => name.startsWith(`runcloud-app-${process.pid}-`));
const CONTENT = ['AppIcon60x60@2x.png', 'Demo', 'Frameworks', 'Info.plist'];

t.test(
  'an .ipa is installed unpacked, told of, opens its scheme, and is gone with all that its session did',
  async (t) => {
    const before = unpacked();
    const asset = await upload();
    t.match(asset, { platform: 'ios', identifier: IOS_ID, name: 'Demo', version: '1.2.3' });
    const created = await session({ installAssets: [asset.id], orientation: 'landscape_left' });
    t.match(created, { installAssets: [asset.id], orientation: 'landscape_left' });
    const { guest, udid } = mac.booted;
    t.match(guest.installed, [{ identifier: IOS_ID, path: /\/Payload\/Demo\.app$/ }]);
    t.same([...(guest.installed[0]?.files ?? [])].sort(), CONTENT);
    t.same(unpacked(), before, 'what was unpacked is gone');
    t.match(await openUrl(created, URL_OF_APP), { status: 200, body: { ok: true, url: URL_OF_APP } });
    t.same(guest.handed, [URL_OF_APP]);
    const launch = { action: 'launchApp', app: IOS_ID, arguments: { note: '-x $(id) "a"' }, url: URL_OF_APP };
    t.match((await rest.interact(created, launch)).body, { status: 'completed', result: { app: IOS_ID } });
    t.same(guest.launched.at(-1), { bundle: IOS_ID, words: ['-note', launch.arguments.note] });
    t.same(guest.handed.splice(1), [URL_OF_APP]);
    const other = await rest.interact(created, { ...launch, url: 'other://a' });
    t.match(other.body, { status: 'failed', error: { code: 'interaction_failed', message: /does not open this URL/ } });
    const permission = { action: 'setPermission', app: IOS_ID, permission: 'location', access: 'grant' };
    const set = await rest.interact(created, permission);
    t.same(set.body.result, { app: IOS_ID, permission: 'location', readBack: false });
    t.same(guest.privacy, [['grant', 'location', IOS_ID]], 'as the simulator was told');
    const camera = await rest.interact(created, { ...permission, permission: 'camera' });
    t.match(camera.body, { error: { code: 'unsupported_action', message: /simctl has no such service/ } });
    const push = { action: 'sendPush', app: IOS_ID, payload: { aps: { alert: '$(id) ü' }, own: 1 } };
    const pushed = await rest.interact(created, push);
    t.same(pushed.body.result, { app: IOS_ID, readBack: false });
    t.same(guest.pushed, [{ bundle: IOS_ID, payload: push.payload }], 'as the simulator got it');
    const shown = await rest.interact(created, { action: 'authenticateBiometric', match: true });
    t.same(shown.body.result, { match: true, readBack: false });
    await rest.interact(created, { action: 'authenticateBiometric', match: false });
    const enrolled = 'com.apple.BiometricKit.enrollmentChanged';
    const of = (sensor: string) => `com.apple.BiometricKit_Sim.${sensor}`;
    t.same([...guest.notifications.states], [[enrolled, '1']]);
    t.same(guest.notifications.posted, [
      ...[enrolled, of('fingerTouch.match'), of('pearl.match')],
      ...[enrolled, of('fingerTouch.nomatch'), of('pearl.nomatch')],
    ]);
    const { body: listed } = await rest.interact(created, { action: 'listApps' });
    const apps = listed.result?.apps as { readonly app: string }[];
    t.match(
      apps.find(({ app }) => app === IOS_ID),
      { name: 'Übung', version: '7', kind: 'user', state: 'stopped' },
    );
    for (const body of [
      { action: 'setRenderDebug', option: 'colorBlendedLayers', enabled: true },
      { action: 'typeText', text: 'secret '.repeat(40) },
      { action: 'pressKey', key: 'capsLock' },
      { action: 'pressButton', button: 'volumeUp' },
    ]) {
      t.equal((await rest.interact(created, body)).body.status, 'completed', body.action);
    }
    t.match(guest.inspect(), { orientation: 'landscape_left', renderOptions: ['colorBlendedLayers'] });
    t.equal((await rest.interact(created, { action: 'insertText', text: 'Grüße 你好 😀' })).body.status, 'completed');
    t.equal(guest.pasteboard, 'Grüße 你好 😀');
    await rest.interact(created, { action: 'typeText', text: 'secret '.repeat(40) });
    t.equal(guest.pasteboard.length, 280);
    await rest.releaseSession(created.id);

    const next = await session();
    t.not(mac.booted.udid, udid);
    t.notOk(
      mac.made.some((simulator) => simulator.udid === udid),
      'the simulator of the session before is deleted',
    );
    const fresh = guestOf(next);
    t.match(fresh.inspect(), {
      orientation: 'portrait',
      renderOptions: { length: 0 },
      foreground: 'home',
      volume: guest.inspect().volume - 1,
    });
    t.same([fresh.pasteboard, fresh.installed], ['', []]);
    t.equal(next.orientation, 'portrait');
    t.match(await openUrl(next, URL_OF_APP), { status: 422, body: { error: { code: 'ios_url_handler_not_found' } } });
    await rest.releaseSession(next.id);
  },
);

t.test(
  'an app that the simulator does not take fails the session in its words, without paths, and the slot heals',
  async (t) => {
    const asset = await upload('Demo.app/');
    mac.override = (args) =>
      args[1] === 'install'
        ? { exitCode: 13, stderr: '\u001b[31mFailed to load Info.plist from bundle at path /private/var/x/Demo.app\n' }
        : undefined;
    const { status, body } = await untilAnswered({ platform: 'ios', installAssets: [asset.id] });
    t.match(
      [status, body.error],
      [503, { code: 'simulator_unavailable', retryable: true, message: /Info\.plist from bundle at path a file/ }],
    );
    mac.override = () => undefined;
    const healed = await session({ installAssets: [asset.id] });
    t.match(
      guestOf(healed).installed,
      [{ identifier: IOS_ID, path: /(?<!Payload)\/Demo\.app$/ }],
      'a zipped .app is taken as well',
    );
    t.same([...(guestOf(healed).installed[0]?.files ?? [])].sort(), CONTENT);
    await rest.releaseSession(healed.id);
  },
);

/** A creation that was let through to a device, whatever came of it. */
async function untilAnswered(body: object) {
  for (;;) {
    const answer = await rest.call('POST', '/service/sessions', body);
    if (answer.body.error?.code !== 'simulator_capacity_unavailable') return answer;
    await sleep(100);
  }
}

t.test(
  'an app is installed into a session that runs, opens its scheme then, and is gone with the session',
  async (t) => {
    const before = unpacked();
    const asset = await upload();
    const created = await session();
    const { guest, udid } = mac.booted;
    t.match(await openUrl(created, URL_OF_APP), { status: 422 });
    const install = { action: 'installApp', asset: asset.id };
    let began = false;
    mac.override = (args) => {
      if (args[1] !== 'install') return undefined;
      began = true;
      return 'hang';
    };
    // Unpacking alone takes a while on a busy machine.
    for (let timeoutMs = 1_500; !began && timeoutMs < 60_000; timeoutMs *= 2) {
      const cut = await rest.interact(created, { ...install, timeoutMs });
      t.match(cut.body, { status: 'timed_out', error: { code: 'interaction_timeout' } });
    }
    t.ok(began);
    t.same(unpacked(), before, 'what was unpacked is gone');
    mac.override = () => undefined;
    t.match((await rest.interact(created, install)).body, {
      status: 'completed',
      result: { app: IOS_ID, kind: 'user', state: 'stopped' },
    });
    t.match(guest.installed, [{ identifier: IOS_ID }]);
    t.same(unpacked(), before);
    t.match(await openUrl(created, URL_OF_APP), { status: 200, body: { ok: true } });
    await rest.releaseSession(created.id);
    const next = await session();
    t.notOk(mac.made.some((simulator) => simulator.udid === udid));
    await rest.releaseSession(next.id);
  },
);

t.test('a picture goes to the simulator by its name, leaves no file here, and is gone with the session', async (t) => {
  const left = () => readdirSync(tmpdir()).filter((name) => name.startsWith(`runcloud-media-${process.pid}-`));
  const created = await session();
  const add = (body: Uint8Array) => {
    const init = { method: 'POST', body: new Uint8Array(body) };
    return rest.fetch(`/service/ios/${created.id}/media`, init);
  };
  const { guest, udid } = mac.booted;
  t.match(await (await add(solidPng(64, '#00c000'))).json(), { mediaType: 'image/png', readBack: false });
  const call = mac.calls.findLast(([, , command]) => command === 'addmedia') ?? [];
  t.match(call, ['xcrun', 'simctl', 'addmedia', udid, /runcloud-media-.*\/runcloud-[A-Za-z0-9]{10}\.png$/]);
  t.equal(guest.phone.photos.photos.length, 1);
  t.same(left(), []);
  mac.override = (args) => (args[1] === 'addmedia' ? 'hang' : undefined);
  const cut = add(solidPng(64, '#00c000'));
  await sleep(500);
  await rest.releaseSession(created.id);
  t.match(await (await cut).json(), { ok: false, error: { code: 'active_session_not_found' } });
  t.same(left(), []);
  mac.override = () => undefined;
  const next = await session();
  t.equal(guestOf(next).phone.photos.photos.length, 0);
  await rest.releaseSession(next.id);
});

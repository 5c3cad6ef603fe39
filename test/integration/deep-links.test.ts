import type { Acknowledgement, AssetRecord, OpenUrlResult, Platform, SessionRecord } from '@runcloud/protocol';
import t from 'tap';
import { ANDROID_ID, androidPackage, linkActivity, linkFilter, SKIP_WITHOUT_AAPT } from '../support/android-package.ts';
import { IOS_ID, iosPackage, xmlPlist } from '../support/ios-package.ts';
import { startServer } from '../support/server.ts';

/** URLs and the apps that were uploaded for them: only what a package declares decides. */

const server = await startServer({ RUNCLOUD_DEVICES: 'virtual-ios:2,virtual-android:2' });
t.teardown(() => server.close());

async function sessionWith(platform: Platform, ...packages: readonly Buffer[]): Promise<SessionRecord> {
  const installAssets: string[] = [];
  for (const body of packages) {
    const response = await server.rest.fetch('/service/assets', { method: 'POST', body: new Uint8Array(body) });
    const record = (await response.json()) as AssetRecord;
    if (response.status !== 201) throw new Error(JSON.stringify(record));
    installAssets.push(record.id);
  }
  return server.rest.createSession(platform, { installAssets });
}

const open = ({ platform, id }: SessionRecord, url: string) =>
  server.rest.call<OpenUrlResult | Acknowledgement>('POST', `/service/${platform}/${id}/open-url`, { url });
const seen = ({ platform, id }: SessionRecord) => server.inspect(platform, id);
const codeOf = async (session: SessionRecord, url: string) => {
  const { body } = await open(session, url);
  return 'error' in body ? body.error?.code : undefined;
};

t.test(
  'ios: schemes of the Info.plist open the app once it was let pass, and linked hosts open it at once',
  async (t) => {
    const xcent = xmlPlist({
      'com.apple.developer.associated-domains': ['applinks:shop.example', 'webcredentials:other.example'],
    });
    const session = await sessionWith(
      'ios',
      await iosPackage({ files: { 'archived-expanded-entitlements.xcent': xcent } }),
    );
    for (const url of ['demo://x', 'DEMO-UPPER:%0A']) {
      t.match(await open(session, url), { status: 200, body: { url } });
      const { app } = await seen(session);
      const { buttons } = app.alert as {
        buttons: { name: string; area: Record<'x' | 'y' | 'width' | 'height', number> }[];
      };
      t.not(app.url, url, 'nothing is handed over before it was let pass');
      const area = buttons.find(({ name }) => name === 'Open')?.area ?? { x: 0, y: 0, width: 0, height: 0 };
      const { width, height } = session.device;
      // Answers the alert as a caller without a viewer does, with a tap in normalised coordinates.
      const place = { x: (area.x + area.width / 2) / width, y: (area.y + area.height / 2) / height };
      await server.rest.interact(session, { action: 'tap', ...place });
      t.match(await seen(session), { foreground: IOS_ID, app: { url, alert: undefined } });
    }
    t.equal((await open(session, 'https://shop.example/a?b#c')).status, 200);
    t.match(await seen(session), { foreground: IOS_ID, app: { url: 'https://shop.example/a?b#c' } });
    await open(session, 'https://other.example/');
    t.match(await seen(session), { foreground: 'browser', app: { address: 'https://other.example/' } });
    for (const url of ['dem:x', 'demo2:x', 'com.example.demo:x']) {
      t.equal(await codeOf(session, url), 'ios_url_handler_not_found', url);
    }
    await server.rest.releaseSession(session.id);
  },
);

t.test('apps belong to their session: the next one on the same device has none of them', async (t) => {
  const first = await sessionWith('ios', await iosPackage());
  t.equal((await open(first, 'demo://x')).status, 200);
  const other = await server.rest.createSession('ios');
  t.equal(await codeOf(other, 'demo://x'), 'ios_url_handler_not_found');
  await server.rest.releaseSession(first.id);
  const next = await server.rest.createSession('ios');
  t.equal(await codeOf(next, 'demo://x'), 'ios_url_handler_not_found');
  for (const { id } of [other, next]) await server.rest.releaseSession(id);
});

t.test(
  'android: only exported activities with VIEW, DEFAULT and BROWSABLE open a URL',
  { skip: SKIP_WITHOUT_AAPT },
  async (t) => {
    const hidden = linkActivity('<data android:scheme="hidden"/>', 'android:name=".Hidden" android:exported="false"');
    const unasked = `<activity android:name=".Unasked" android:exported="true"><intent-filter>
    <action android:name="android.intent.action.VIEW"/><category android:name="android.intent.category.DEFAULT"/>
    <data android:scheme="unasked"/></intent-filter></activity>`;
    const activities = [
      linkActivity('<data android:scheme="droid"/><data android:scheme="droid2"/>'),
      linkActivity(
        '<data android:scheme="shop" android:host="items" android:pathPrefix="/one"/>',
        'android:name=".Shop" android:exported="true"',
      ),
      hidden,
      unasked,
      `<activity android:name=".Web" android:exported="true">
      ${linkFilter('<data android:scheme="https" android:host="shop.example"/>', 'android:autoVerify="true"')}
      ${linkFilter('<data android:scheme="https" android:host="hoped.example"/>')}</activity>`,
    ].join('');
    const session = await sessionWith('android', androidPackage({ activities }));
    for (const url of ['droid:a', 'DROID2://b/%0A?c=$(d)#e', 'shop://items/one/two', 'https://shop.example/x']) {
      t.match(await open(session, url), { status: 200, body: { url } });
      t.match(await seen(session), { foreground: ANDROID_ID, app: { url, alert: undefined } });
    }
    await open(session, 'https://hoped.example/');
    t.match(
      await seen(session),
      { foreground: 'browser' },
      'a filter that was not verified leaves the web to the browser',
    );
    for (const url of [
      'hidden:a',
      'unasked:a',
      'shop://items/two',
      'shop://other/one',
      'intent:#Intent;scheme=droid;end',
    ]) {
      t.equal(await codeOf(session, url), 'android_url_handler_not_found', url);
    }
    t.match(await seen(session), { foreground: 'browser' }, 'what failed changed nothing');
  },
);

import sharp from 'sharp';
import t from 'tap';
import { type AndroidApp, urlSchemesOf } from '../../server/device/app-package.ts';
import {
  ANDROID_ID,
  type AndroidParts,
  androidPackage,
  linkActivity,
  linkFilter,
  SKIP_WITHOUT_AAPT,
} from '../support/android-package.ts';
import { solidPng } from '../support/ios-package.ts';
import { describe } from './archive-of.ts';

const options = { skip: SKIP_WITHOUT_AAPT };

async function read(t: Parameters<typeof describe>[0], parts: AndroidParts): Promise<AndroidApp> {
  const app = await describe(t, androidPackage(parts));
  if (app.platform !== 'android') throw new Error('not for Android');
  return app;
}

const schemesOf = async (t: Parameters<typeof describe>[0], activities: string, parts: AndroidParts = {}) =>
  urlSchemesOf(await read(t, { ...parts, activities }));

t.test('an APK says who it is', options, async (t) => {
  t.match(await read(t, {}), {
    platform: 'android',
    identifier: ANDROID_ID,
    name: 'Droid',
    version: '2.5',
    icon: undefined,
    activities: [],
  });
  t.match(await read(t, { application: '', manifest: '' }), { name: 'droid', version: '' });
});

t.test(
  'a label that is a resource is looked up, in any language first, then in English, then in another',
  options,
  async (t) => {
    const label = (values: Readonly<Record<string, string>>) =>
      read(t, {
        application: 'android:label="@string/app_name"',
        resources: Object.fromEntries(
          Object.entries(values).map(([folder, text]) => [
            `${folder}/strings.xml`,
            `<resources><string name="other">x</string><string name="app_name">${text}</string></resources>`,
          ]),
        ),
      });
    t.match(await label({ values: 'Plain', 'values-en': 'English', 'values-de': 'Deutsch' }), { name: 'Plain' });
    t.match(await label({ 'values-de': 'Deutsch', 'values-en': 'English' }), { name: 'English' });
    t.match(await label({ 'values-de': 'Grüße 日本' }), { name: 'Grüße 日本' });
    t.match(await label({ values: 'old', 'values-v21': 'new' }), { name: 'new' }, 'a current device takes the newest');
    t.match(await label({ values: '@string/other' }), { name: 'x' }, 'a reference to a reference');
  },
);

t.test('an exported activity with the three marks of a link opens its schemes, in lower case', options, async (t) => {
  const data = '<data android:scheme="demo"/><data android:scheme="MixedCase"/><data android:scheme="a.b+c-1"/>';
  t.same(await schemesOf(t, linkActivity(data)), ['demo', 'mixedcase', 'a.b+c-1']);
  t.same(await schemesOf(t, linkActivity('<data android:scheme="no scheme"/>')), [], 'what no URL can have');
});

t.test('one of the marks missing, and no link reaches it', options, async (t) => {
  const data = '<data android:scheme="demo"/>';
  const whole = linkActivity(data);
  t.same(await schemesOf(t, whole), ['demo']);
  const lacking = [
    whole.replace('android.intent.action.VIEW', 'android.intent.action.SEND'),
    whole.replace('android.intent.category.DEFAULT', 'android.intent.category.HOME'),
    whole.replace('android.intent.category.BROWSABLE', 'android.intent.category.HOME'),
    linkActivity('<data android:scheme="demo" android:mimeType="image/png"/>'),
    linkActivity('<data android:host="example.com"/>'),
    linkActivity(data, 'android:name=".Link" android:exported="false"'),
    linkActivity(data, 'android:name=".Link" android:exported="true" android:enabled="false"'),
    whole.replaceAll('activity', 'service'),
  ];
  for (const [index, activity] of lacking.entries()) t.same(await schemesOf(t, activity), [], `case ${index}`);
  t.same(await schemesOf(t, whole, { application: 'android:enabled="false"' }), []);
});

t.test('a filter implies that its activity is exported, up to Android 11', options, async (t) => {
  const silent = linkActivity('<data android:scheme="demo"/>', 'android:name=".Link"');
  const target = (sdk: string) => ({ before: `<uses-sdk ${sdk}/>` });
  t.same(await schemesOf(t, silent), ['demo']);
  t.same(await schemesOf(t, silent, target('android:targetSdkVersion="30"')), ['demo']);
  t.same(await schemesOf(t, silent, target('android:targetSdkVersion="31"')), []);
  t.same(await schemesOf(t, silent, target('android:minSdkVersion="31"')), []);
  t.same(await schemesOf(t, silent, target('android:targetSdkVersion="Tiramisu"')), [], 'a preview');
});

t.test('flags and texts may be resources too', options, async (t) => {
  const resources = {
    'values/all.xml': `<resources><bool name="yes">true</bool><bool name="no">false</bool>
      <string name="scheme">fromresource</string></resources>`,
  };
  const activity = (exported: string) =>
    linkActivity('<data android:scheme="@string/scheme"/>', `android:name=".L" android:exported="${exported}"`);
  t.same(await schemesOf(t, activity('@bool/yes'), { resources }), ['fromresource']);
  t.same(await schemesOf(t, activity('@bool/no'), { resources }), []);
});

t.test('hosts, ports and paths are told as they are declared, each filter for itself', options, async (t) => {
  const first = linkFilter(
    `<data android:scheme="https"/><data android:scheme="http"/>
     <data android:host="Example.COM" android:port="8443"/><data android:host="*.example.org"/>
     <data android:path="/exact"/><data android:pathPrefix="/pre"/><data android:pathPattern="/p.*n"/>
     <data android:pathSuffix=".html"/><data android:pathAdvancedPattern="/[a-z]+"/>`,
    'android:autoVerify="true"',
  );
  const second = linkFilter('<data android:scheme="demo" android:host="open"/>');
  const activities = `<activity android:name="org.other.Deep" android:exported="true">${first}${second}</activity>
    <activity-alias android:name="Short" android:targetActivity="org.other.Deep" android:exported="true">
      ${linkFilter('<data android:scheme="alias"/>')}</activity-alias>`;
  t.same((await read(t, { activities })).activities, [
    {
      name: 'org.other.Deep',
      filters: [
        {
          schemes: ['https', 'http'],
          authorities: [{ host: 'example.com', port: 8443 }, { host: '*.example.org' }],
          paths: [
            { kind: 'literal', value: '/exact' },
            { kind: 'prefix', value: '/pre' },
            { kind: 'pattern', value: '/p.*n' },
            { kind: 'suffix', value: '.html' },
            { kind: 'advanced', value: '/[a-z]+' },
          ],
          autoVerify: true,
        },
        { schemes: ['demo'], authorities: [{ host: 'open' }], paths: [], autoVerify: false },
      ],
    },
    {
      name: `${ANDROID_ID}.Short`,
      filters: [{ schemes: ['alias'], authorities: [], paths: [], autoVerify: false }],
    },
  ]);
});

t.test('the icon is the densest picture that can be read, made small', options, async (t) => {
  const app = await read(t, {
    application: 'android:label="Droid" android:icon="@drawable/icon"',
    resources: {
      'drawable-mdpi/icon.png': solidPng(48, '#0000c0'),
      'drawable-xxhdpi/icon.png': solidPng(144, '#00c000'),
      'drawable-hdpi/icon.png': solidPng(72, '#c00000'),
    },
  });
  const { data, info } = await sharp(app.icon).raw().toBuffer({ resolveWithObject: true });
  t.match(info, { width: 192, height: 192 });
  t.same([...data.subarray(0, 3)], [0, 0xc0, 0]);
});

t.test("the newer tool's packages say the same, with many values absent from a type", options, async (t) => {
  const strings = Array.from({ length: 60 }, (_, index) => `<string name="s${index}">text ${index}</string>`).join('');
  const parts: AndroidParts = {
    before: '<uses-sdk android:minSdkVersion="32" android:targetSdkVersion="33"/>',
    application: 'android:label="@string/s41" android:icon="@drawable/icon"',
    activities: linkActivity('<data android:scheme="@string/scheme" android:host="h"/>'),
    resources: {
      'values/strings.xml': `<resources>${strings}<string name="scheme">plain</string></resources>`,
      'values-de/strings.xml': '<resources><string name="s7">sieben</string></resources>',
      'values-v33/strings.xml': '<resources><string name="s41">einundvierzig</string></resources>',
      'drawable-xhdpi/icon.png': solidPng(96, '#00c000'),
    },
  };
  const app = await describe(t, androidPackage(parts, 'aapt2'));
  t.match(app, { name: 'einundvierzig', version: '2.5', icon: Uint8Array });
  t.same(urlSchemesOf(app), ['plain']);
  t.strictSame({ ...(await read(t, parts)), icon: 0 }, { ...app, icon: 0 });
});

t.test('a package that Android would not install is refused with the reason', options, async (t) => {
  const refused = async (parts: AndroidParts) =>
    read(t, parts).then(
      () => 'accepted',
      (error) => error.message,
    );
  t.match(await refused({ manifest: 'split="config.de"' }), /one split of an app/);
  const rules = (count: number, rule: (index: number) => string) =>
    Array.from({ length: count }, (_, index) => rule(index));
  const data = (parts: readonly string[]) => ({ activities: linkActivity(parts.join('')) });
  const scheme = (index: number) => `<data android:scheme="s${index}"/>`;
  t.match(await read(t, data(rules(200, scheme))), { identifier: ANDROID_ID });
  t.match(await refused(data(rules(201, scheme))), /opens 201 URL schemes; at most 200/);
  t.match(await refused(data(rules(5_001, scheme))), /more than 5000 schemes/);
  const long = (index: number) =>
    `<data android:scheme="s" android:host="h" android:path="/${index}${'x'.repeat(2_000)}"/>`;
  t.match(await refused(data(rules(200, long))), /than anybody needs/);
});

import { randomBytes } from 'node:crypto';
import createBinary from 'bplist-creator';
import sharp from 'sharp';
import t from 'tap';
import type { IosApp } from '../../server/device/app-package.ts';
import { applePng } from '../support/apple-png.ts';
import { type IosParts, infoPlist, iosFiles, iosPackage, solidPng, xmlPlist } from '../support/ios-package.ts';
import { zip } from '../support/zip.ts';
import { describe } from './archive-of.ts';

async function read(t: Parameters<typeof describe>[0], parts: IosParts = {}): Promise<IosApp> {
  const app = await describe(t, await iosPackage(parts));
  if (app.platform !== 'ios') throw new Error('not for iOS');
  return app;
}

const refused = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'accepted',
    (error) => error.message,
  );

t.test('an .ipa and a zipped .app say who they are, with a list in XML or in binary form', async (t) => {
  const folders = ['Payload/Demo.app/', 'Demo.app/', 'Payload/With space é.app/'];
  for (const folder of folders) {
    for (const plist of [xmlPlist(infoPlist()), createBinary(infoPlist())]) {
      t.match(await read(t, { folder, plist }), {
        platform: 'ios',
        identifier: 'com.example.demo',
        name: 'Demo',
        version: '1.2.3',
        urlSchemes: ['demo', 'demo-upper'],
        linkedHosts: [],
      });
    }
  }
});

t.test('the name is the first there is: display name, name, the folder', async (t) => {
  const info = { CFBundleDisplayName: undefined };
  t.equal((await read(t, { info })).name, 'DemoApp');
  t.equal((await read(t, { info: { CFBundleDisplayName: ' ', CFBundleName: 7 } })).name, 'Demo');
  t.equal((await read(t, { info: { ...info, CFBundleName: undefined }, folder: 'Folder.app/' })).name, 'Folder');
});

t.test('the version is the one for people, else the build', async (t) => {
  t.equal((await read(t, { info: { CFBundleShortVersionString: undefined } })).version, '45');
  t.equal((await read(t, { info: { CFBundleShortVersionString: undefined, CFBundleVersion: undefined } })).version, '');
});

t.test('schemes of all types are gathered once, in lower case; what is no scheme is left out', async (t) => {
  const types = [
    { CFBundleURLSchemes: ['one', 'ONE', 'fb123', 'a+b-c.d'] },
    { CFBundleURLSchemes: ['two', '1st', 'no scheme', 'co:lon', '', 7] },
    { CFBundleURLName: 'without' },
    'no dictionary',
  ];
  const { urlSchemes } = await read(t, { info: { CFBundleURLTypes: types } });
  t.same(urlSchemes, ['one', 'fb123', 'a+b-c.d', 'two']);
  t.same((await read(t, { info: { CFBundleURLTypes: undefined } })).urlSchemes, []);
  const many = [{ CFBundleURLSchemes: Array.from({ length: 201 }, (_, index) => `s${index}`) }];
  t.match(await refused(read(t, { info: { CFBundleURLTypes: many } })), /opens 201 URL schemes; at most 200/);
});

t.test('the icon is the largest picture that the list names, in the kind of PNG that Xcode makes too', async (t) => {
  const colourOf = async (files: IosParts['files'], info = {}) => {
    const { icon } = await read(t, { info, ...(files ? { files } : {}) });
    return icon && [...(await sharp(icon).raw().toBuffer()).subarray(0, 3)];
  };
  t.same(await colourOf({}), [0xc0, 0, 0]);
  t.same(await colourOf({ 'AppIcon60x60@3x.png': solidPng(400, '#0000c0') }), [0, 0, 0xc0]);
  const apple = applePng(120, 120, (x, y) => [0, 200, (x * 7 + y * 13) % 40, 255]);
  t.equal((await colourOf({ 'AppIcon60x60@2x.png': apple }))?.[1], 200);
  const other = { CFBundleIcons: undefined, CFBundleIconFiles: ['Old.png'] };
  t.same(await colourOf({ 'Old.png': solidPng(57, '#00c000') }, other), [0, 0xc0, 0]);
  t.same(await colourOf({ 'sub/AppIcon60x60@3x.png': solidPng(500, '#0000c0') }), [0xc0, 0, 0], 'not from below');
  t.equal(await colourOf({ 'AppIcon60x60@2x.png': 'no picture' }), undefined);
});

const DOMAINS = 'com.apple.developer.associated-domains';

t.test('links belong to the hosts of its associated domains, wherever the entitlements are kept', async (t) => {
  const domains = [
    'applinks:Example.COM',
    'applinks:*.example.org?mode=developer',
    'webcredentials:no.example',
    'applinks:',
    'applinks:bad host',
    7,
  ];
  const entitlements = { [DOMAINS]: domains, 'application-identifier': 'X' };
  const hosts = ['example.com', '*.example.org'];
  const xcent = 'archived-expanded-entitlements.xcent';
  for (const content of [xmlPlist(entitlements), createBinary(entitlements)]) {
    t.same((await read(t, { files: { [xcent]: content } })).linkedHosts, hosts);
  }
  const executable = Buffer.concat([Buffer.alloc(5_000, 7), Buffer.from(xmlPlist(entitlements)), Buffer.alloc(900, 9)]);
  t.same((await read(t, { files: { Demo: executable } })).linkedHosts, hosts, 'inside the executable');
  for (const before of [65_530, 3_000_000]) {
    const long = Buffer.concat([randomBytes(before), Buffer.from(xmlPlist(entitlements)), randomBytes(700_000)]);
    t.same((await read(t, { files: { Demo: long } })).linkedHosts, hosts, `behind ${before} bytes`);
  }
  const endless = Buffer.concat([Buffer.from(`<?xml ?><key>${DOMAINS}</key>`), randomBytes(600_000)]);
  t.same((await read(t, { files: { Demo: endless } })).linkedHosts, []);
  const other = Buffer.from(`<key>${DOMAINS}</key> is only talked about`);
  t.same((await read(t, { files: { Demo: other } })).linkedHosts, []);
  t.same((await read(t, { files: { [xcent]: xmlPlist({}) } })).linkedHosts, []);
  t.match(await refused(read(t, { files: { [xcent]: 'nonsense' } })), /xcent is neither/);
});

const IDENTIFIERS = [
  '',
  'nodots',
  'com..example',
  '.com.example',
  'com.exa mple',
  'com.example/..',
  `com.${'x'.repeat(200)}`,
  7,
];
for (const identifier of IDENTIFIERS) {
  t.test(`it refuses the identifier ${JSON.stringify(identifier).slice(0, 40)}`, async (t) => {
    t.match(await refused(read(t, { info: { CFBundleIdentifier: identifier } })), /no reverse domain name/);
  });
}

t.test('an archive that holds no app, several, or one of each kind is refused with what to do', async (t) => {
  const files = iosFiles();
  const cases: readonly (readonly [Parameters<typeof zip>[0], RegExp])[] = [
    [{ ...files, ...iosFiles({ folder: 'Payload/Other.app/' }) }, /has 2 apps/],
    [{ ...files, 'AndroidManifest.xml': 'x' }, /Android and an iOS app at once/],
    [{ 'Info.plist': xmlPlist(infoPlist()), Demo: 'x' }, /Zip the \.app folder itself/],
    [{ 'deep/down/Demo.app/Info.plist': xmlPlist(infoPlist()) }, /neither an AndroidManifest/],
    [{ 'base/manifest/AndroidManifest.xml': 'x' }, /App Bundle; build an APK/],
    [{ 'base.apk': 'x', 'split.apk': 'y' }, /archive of APKs/],
    [{ 'Payload/Demo.app/Demo': 'x' }, /neither an AndroidManifest/],
  ];
  for (const [content, why] of cases) t.match(await refused(zip(content).then((bytes) => describe(t, bytes))), why);
});

t.test('apps inside of the app, and what macOS adds to archives, are passed over', async (t) => {
  const inner = iosFiles({
    folder: 'Payload/Demo.app/Watch/Watch.app/',
    info: { CFBundleIdentifier: 'com.example.watch' },
  });
  const extra = { '__MACOSX/Demo.app/Info.plist': 'x', '__MACOSX/._Demo.app': 'x' };
  const app = await describe(t, await zip({ ...iosFiles(), ...inner, ...extra }));
  t.equal(app.identifier, 'com.example.demo');
});

import { PLATFORMS, type Platform } from '@runcloud/protocol/terms';
import t from 'tap';
import type { AppPackage, LinkFilter } from '../../../server/device/app-package.ts';
import { installedApp } from '../../../server/phone/apps/installed-app.ts';
import { ManualPhone } from '../manual-phone.ts';

const facts = (identifier: string) => ({ identifier, name: 'Shop', version: '1' });

function packageOf(
  platform: Platform,
  identifier: string,
  schemes: readonly string[],
  hosts: readonly string[] = [],
): AppPackage {
  if (platform === 'ios') return { platform, ...facts(identifier), urlSchemes: schemes, linkedHosts: hosts };
  const custom: LinkFilter = { schemes, authorities: [], paths: [], autoVerify: false };
  const linked: LinkFilter = {
    schemes: ['https'],
    authorities: hosts.map((host) => ({ host })),
    paths: [],
    autoVerify: true,
  };
  return {
    platform,
    ...facts(identifier),
    activities: [{ name: 'Main', filters: hosts.length > 0 ? [custom, linked] : [custom] }],
  };
}

function phoneWith(platform: Platform, ...packages: readonly AppPackage[]) {
  const subject = new ManualPhone(
    platform,
    'portrait',
    packages.map((app) => installedApp(app)),
  );
  const open = (url: string) => subject.phone.openUrl(url, subject.nextSeq());
  /** Taps a button of the alert that shows. */
  const answer = (name: string) => {
    const { buttons } = subject.app.alert as {
      buttons: { name: string; area: { x: number; y: number; width: number; height: number } }[];
    };
    const area = buttons.find((button) => button.name === name)?.area;
    if (!area) throw new Error(`no button ${name}`);
    subject.tap({ x: area.x + (area.width >> 1), y: area.y + (area.height >> 1) });
  };
  return { subject, open, answer, front: () => subject.phone.inspect().foreground };
}

for (const platform of PLATFORMS) {
  const shop = packageOf(platform, 'com.example.shop', ['shop'], ['shop.example']);

  t.test(`${platform}: an address of the web opens the browser at that very address`, async (t) => {
    const { subject, open, front } = phoneWith(platform, shop);
    const url = 'HTTPS://Example.com:443/%41?q=$(id)#x';
    t.equal(open(url), 'browser');
    t.equal(front(), 'browser');
    t.match(subject.app, { address: url, history: ['about:start', url], alert: undefined });
  });

  t.test(`${platform}: an app that is linked to the host opens instead, without a question`, async (t) => {
    const { subject, open, front } = phoneWith(platform, shop);
    t.equal(open('https://shop.example/item/7'), 'com.example.shop');
    t.equal(front(), 'com.example.shop');
    t.match(subject.app, { url: 'https://shop.example/item/7', alert: undefined });
  });

  t.test(`${platform}: a scheme that no app registered fails and changes nothing`, async (t) => {
    const { subject, open, front } = phoneWith(platform, shop);
    for (const url of ['nothing://here', 'tel:1', 'mailto:a@b.example', 'intent://x#Intent;scheme=shop;end']) {
      t.throws(() => open(url), { name: 'DeviceFault', kind: 'unhandled', message: /the scheme "[a-z]+"/ }, url);
    }
    t.equal(front(), 'home');
    t.equal(subject.app.alert, undefined);
    const sentence = `${'a'.repeat(4_000)}:b`;
    t.throws(() => open(sentence), { message: /^.{20,160}$/ }, 'a long scheme is told by its beginning');
  });

  t.test(`${platform}: an open panel and the switcher make room for what is opened`, async (t) => {
    const { subject, open, front } = phoneWith(platform);
    subject.button('recents');
    open('https://a.example/');
    t.equal(front(), 'browser');
    subject.phone.buttonDown('power', subject.nextSeq());
    subject.clock.advance(1_100);
    subject.phone.buttonUp('power', subject.nextSeq());
    t.equal(subject.app.overlay, 'powerMenu');
    open('https://b.example/');
    t.match(subject.app, { overlay: undefined, address: 'https://b.example/' });
  });
}

t.test('ios: a scheme is handed over once a person has let it pass, and asked for once', async (t) => {
  const { subject, open, answer, front } = phoneWith('ios', packageOf('ios', 'com.example.shop', ['shop', 'buy']));
  t.equal(open('Shop://one?a=%20'), 'com.example.shop');
  t.equal(front(), 'home', 'nothing is in front of the question');
  t.match(subject.app.alert, { title: 'Open in “Shop”?', app: 'com.example.shop', scheme: 'shop' });
  answer('Open');
  t.equal(front(), 'com.example.shop');
  t.match(subject.app, { url: 'Shop://one?a=%20', alert: undefined });
  open('shop://two');
  t.match(subject.app, { url: 'shop://two', alert: undefined }, 'the answer is remembered');
  open('buy://three');
  t.match(subject.app, { url: 'shop://two', alert: { scheme: 'buy' } }, 'for its own scheme alone');
});

t.test('ios: what a person does not let pass is dropped, and asked for again', async (t) => {
  const { subject, open, answer, front } = phoneWith('ios', packageOf('ios', 'com.example.shop', ['shop']));
  open('shop://one');
  answer('Cancel');
  t.equal(front(), 'home');
  t.equal(subject.app.alert, undefined);
  open('shop://two');
  t.match(subject.app.alert, { scheme: 'shop' });
});

t.test('ios: a sleeping phone opens nothing and says what to do; it does once it is awake', async (t) => {
  const { subject, open, front } = phoneWith('ios');
  subject.button('power');
  t.throws(() => open('https://a.example/'), { kind: 'failed', message: /screen is off/ });
  t.throws(() => open('nothing:'), { name: 'DeviceFault', kind: 'unhandled' }, 'what no app would take is told first');
  subject.button('power');
  t.equal(open('https://a.example/'), 'browser');
  t.equal(front(), 'browser');
});

t.test('android: a scheme is handed over at once, also behind a dark screen', async (t) => {
  const { subject, open, front } = phoneWith('android', packageOf('android', 'com.example.shop', ['shop']));
  subject.button('power');
  t.equal(open('SHOP://one'), 'com.example.shop');
  t.equal(subject.phone.inspect().screen, 'off');
  subject.button('power');
  t.equal(front(), 'com.example.shop');
  t.match(subject.app, { url: 'SHOP://one', alert: undefined });
});

t.test('the same app opened again goes on where it is, with the new URL', async (t) => {
  const { subject, open } = phoneWith('android', packageOf('android', 'com.example.shop', ['shop']));
  open('shop:1');
  open('shop:2');
  t.same(subject.app.events, ['launched', 'foreground', 'url', 'url']);
  t.equal(subject.app.url, 'shop:2');
});

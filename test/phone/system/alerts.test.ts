import { PLATFORMS } from '@runcloud/protocol/terms';
import t from 'tap';
import { installedApp } from '../../../server/phone/apps/installed-app.ts';
import { centre } from '../../../server/phone/geometry.ts';
import { savedPhoneFault } from '../../../server/phone/saved-state.ts';
import { QUESTIONS_MAX } from '../../../server/phone/system/alerts.ts';
import { differing, ManualPhone, words } from '../manual-phone.ts';
import { placeOf, SHOPS, tap } from '../ui-places.ts';

const SHOP = 'com.example.shop';

interface Alert {
  readonly title: string;
  readonly scheme?: string;
  readonly permission?: string;
  readonly waiting: number;
  readonly buttons: readonly { readonly name: string; readonly area: Parameters<typeof centre>[0] }[];
}

function phone(name = 'Shop', orientation: 'portrait' | 'landscape_left' = 'portrait') {
  const app = { platform: 'ios', identifier: 'com.example.shop', name, version: '1', linkedHosts: [] } as const;
  const subject = new ManualPhone('ios', orientation, [installedApp({ ...app, urlSchemes: ['shop', 'buy'] })]);
  const open = (url: string) => subject.phone.openUrl(url, subject.nextSeq());
  const alert = () => subject.app.alert as Alert | undefined;
  const button = (wanted: string) =>
    centre(alert()?.buttons.find((found) => found.name === wanted)?.area ?? { x: 0, y: 0, width: 0, height: 0 });
  return { subject, open, alert, button };
}

t.test('the alert is drawn over everything, changes no more than it has to, and leaves nothing behind', async (t) => {
  const { subject, open, button } = phone();
  subject.open('notes');
  const before = words(subject.phone.render());
  open('shop:1');
  const shown = words(subject.phone.render());
  t.ok(differing(before, shown).length > 10_000);
  t.equal(differing(shown, words(subject.phone.redraw())).length, 0, 'drawn by damage it is the same picture');
  subject.tap(button('Cancel'));
  t.equal(differing(before, words(subject.phone.render())).length, 0);
});

t.test('it takes every touch, whatever lies under it', async (t) => {
  const { subject, open, alert } = phone();
  const icon = subject.icon('notes');
  open('shop:1');
  subject.tap(icon);
  t.equal(subject.phone.inspect().foreground, 'home');
  t.ok(alert(), 'a tap beside its buttons answers nothing');
  subject.swipe({ x: 300, y: 1_275 }, { x: 300, y: 700 });
  t.ok(alert());
});

t.test('a finger that leaves its button takes the answer back', async (t) => {
  const { subject, open, alert, button } = phone();
  open('shop:1');
  subject.swipe(button('Open'), button('Cancel'));
  t.ok(alert());
  const at = subject.point(button('Open'));
  subject.phone.touch('begin', [at], subject.nextSeq());
  subject.phone.releaseAll();
  t.ok(alert(), 'a lifted finger is no answer');
});

t.test('questions wait for each other; what is remembered answers those that ask the same', async (t) => {
  const { subject, open, alert, button } = phone();
  open('shop:1');
  open('buy:2');
  open('shop:3');
  t.match(alert(), { scheme: 'shop', waiting: 3 });
  subject.tap(button('Open'));
  t.equal(subject.app.url, 'shop:3', 'both were handed over, in their order');
  t.same(subject.app.events, ['launched', 'foreground', 'url', 'url']);
  t.match(alert(), { scheme: 'buy', waiting: 1 });
  subject.tap(button('Open'));
  t.match(subject.app, { url: 'buy:2', alert: undefined });
});

t.test('a question that could not be asked is a failure, and none that waits is lost', async (t) => {
  const { subject, open, alert, button } = phone();
  for (let count = 0; count < QUESTIONS_MAX; count++) open(`shop:${count}`);
  t.throws(() => open('shop:more'), { name: 'DeviceFault', kind: 'failed', message: /alerts wait/ });
  t.match(alert(), { waiting: QUESTIONS_MAX });
  subject.tap(button('Cancel'));
  t.match(alert(), { waiting: QUESTIONS_MAX - 1 });
  t.equal(open('shop:more'), 'com.example.shop');
});

t.test('it stays through a rotation, the home button and the browser, and is answered there', async (t) => {
  const { subject, open, alert, button } = phone();
  open('shop:1');
  subject.phone.rotate('landscape_left', subject.nextSeq());
  subject.button('home');
  open('https://example.com/');
  t.ok(alert());
  subject.tap(button('Open'));
  t.equal(subject.phone.inspect().foreground, 'com.example.shop');
});

t.test('a name of any length leaves the buttons where they are', async (t) => {
  for (const name of ['', 'x'.repeat(500), '日本語のアプリ']) {
    for (const orientation of ['portrait', 'landscape_left'] as const) {
      const { subject, open, button } = phone(name, orientation);
      open('shop:1');
      t.doesNotThrow(() => subject.phone.render());
      subject.tap(button('Open'));
      t.equal(subject.app.url, 'shop:1');
    }
  }
});

for (const platform of PLATFORMS) {
  t.test(`${platform}: an app asks for a permission once, and the answer is its own`, async (t) => {
    const subject = new ManualPhone(platform, 'portrait', [SHOPS[platform]]);
    subject.open(SHOP);
    const photos = placeOf(subject, 'app.permission.photos');
    const before = words(subject.phone.render());
    tap(subject, 'app.permission.camera');
    t.match(subject.app.alert, { title: 'Allow “Shop” to use the camera?', permission: 'camera', waiting: 1 });
    const shown = words(subject.phone.render());
    t.ok(differing(before, shown).length > 10_000);
    t.equal(differing(shown, words(subject.phone.redraw())).length, 0, 'drawn by damage it is the same picture');
    subject.tap(photos);
    t.match(subject.app.alert, { permission: 'camera', waiting: 1 }, 'nothing beside it can be tapped');
    tap(subject, 'system.allow');
    t.match(subject.app, { alert: undefined, permissions: [{ permission: 'camera', granted: true }] });
    tap(subject, 'app.permission.camera');
    t.equal(subject.app.alert, undefined, 'it is decided');
    tap(subject, 'app.permission.notifications');
    tap(subject, 'system.deny');
    const push = { app: SHOP, payload: { aps: { alert: 'Order 7' } } };
    t.equal(subject.phone.apps.push(push), false, 'the answer is in force');
    tap(subject, 'app.permission.contacts');
    if (platform === 'android') subject.button('back');
    else tap(subject, 'system.deny');
    const about = (wanted: string) =>
      (subject.app.permissions as { permission: string }[]).filter(({ permission }) => permission === wanted);
    t.match(subject.app, { alert: undefined, foreground: undefined }, 'it is gone, and the app is still there');
    t.equal(about('contacts').length, platform === 'android' ? 0 : 1, 'the back button is no answer');
    subject.swipe(photos, { x: photos.x, y: photos.y - subject.theme.px(60) });
    t.equal(subject.app.alert, undefined, 'a finger that moves on asks nothing');
  });
}

t.test('a question about a permission goes with its app and with a decision, and stays in a saved state', async (t) => {
  const subject = new ManualPhone('ios', 'portrait', [SHOPS.ios]);
  subject.open(SHOP);
  tap(subject, 'app.permission.camera');
  const saved = subject.phone.save();
  t.equal(savedPhoneFault(saved), undefined);
  t.match(savedPhoneFault({ ...saved, prompts: [{ app: SHOP, permission: 'everything' }] }), { path: /^prompts/ });
  subject.phone.apps.setPermission({ app: SHOP, permission: 'photos', access: 'grant' });
  t.match(subject.app.alert, { permission: 'camera' }, 'another one decides nothing of it');
  subject.phone.apps.setPermission({ app: SHOP, permission: 'camera', access: 'reset' });
  t.equal(subject.app.alert, undefined);
  subject.phone.restore(saved);
  t.match(subject.app.alert, { permission: 'camera', waiting: 1 });
  subject.phone.apps.uninstall(SHOP);
  t.equal(subject.app.alert, undefined);
});

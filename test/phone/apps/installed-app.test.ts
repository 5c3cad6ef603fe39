import { createCanvas, loadImage } from '@napi-rs/canvas';
import { PLATFORMS, type Platform } from '@runcloud/protocol/terms';
import t from 'tap';
import type { AppPackage } from '../../../server/device/app-package.ts';
import { installedApp } from '../../../server/phone/apps/installed-app.ts';
import { differing, ManualPhone, words } from '../manual-phone.ts';

const ID = 'com.example.pixel';

function packageFor(platform: Platform, name = 'Pixel'): AppPackage {
  const facts = { identifier: ID, name, version: '4.2' };
  return platform === 'ios'
    ? { platform, ...facts, urlSchemes: ['pixel'], linkedHosts: [] }
    : { platform, ...facts, activities: [] };
}

async function greenIcon() {
  const canvas = createCanvas(96, 96);
  const context = canvas.getContext('2d');
  context.fillStyle = '#00c000';
  context.fillRect(0, 0, 96, 96);
  return loadImage(canvas.toBuffer('image/png'));
}

const phoneWith = (platform: Platform, ...apps: ReturnType<typeof installedApp>[]) =>
  new ManualPhone(platform, 'portrait', apps);

for (const platform of PLATFORMS) {
  t.test(`${platform}: an installed app has its own icon on the home screen, cut to the outline`, async (t) => {
    const subject = phoneWith(platform, installedApp(packageFor(platform), await greenIcon()));
    t.same(subject.app.installed, [{ id: ID, name: 'Pixel' }]);
    const { width, pixels } = subject.phone.render();
    const at = subject.icon(ID);
    const pixel = (x: number, y: number) => [...pixels.subarray((y * width + x) * 4, (y * width + x) * 4 + 3)];
    t.same(pixel(Math.round(at.x), Math.round(at.y)), [0, 0xc0, 0]);
    const corner = Math.round(subject.theme.px(platform === 'ios' ? 62 : 58) / 2) - 1;
    t.not(String(pixel(Math.round(at.x) - corner, Math.round(at.y) - corner)), '0,192,0', 'the corner is cut off');
  });

  t.test(`${platform}: an app without a picture has a letter, another one for another name`, async (t) => {
    const [first, second] = ['Pixel', 'Zebra'].map((name) => {
      return words(phoneWith(platform, installedApp(packageFor(platform, name))).phone.render());
    });
    if (!first || !second) throw new Error('missing');
    t.not(differing(first, second).length, 0);
    const nameless = phoneWith(platform, installedApp(packageFor(platform, '日本')));
    t.doesNotThrow(() => nameless.phone.render());
  });

  t.test(`${platform}: a tap on its icon opens a screen that tells what it is and what happened to it`, async (t) => {
    const subject = phoneWith(platform, installedApp(packageFor(platform)));
    subject.open(ID);
    t.equal(subject.phone.inspect().foreground, ID);
    t.match(subject.app, { name: 'Pixel', identifier: ID, version: '4.2', url: undefined });
    t.same(subject.app.events, ['launched', 'foreground']);
    subject.phone.simulateMemoryWarning(subject.nextSeq());
    subject.button('home');
    subject.clock.advance(400);
    subject.tap(subject.icon(ID));
    t.same(subject.app.events, ['launched', 'foreground', 'memory warning', 'background', 'foreground']);
    subject.phone.reload(subject.nextSeq());
    t.same(subject.app.events, ['launched', 'foreground'], 'a reload starts it anew');
  });
}

t.test('the address that it is opened with is shown whole, byte for byte, however long', async (t) => {
  const definition = installedApp(packageFor('ios'));
  let app: ReturnType<typeof definition.create> | undefined;
  const subject = phoneWith('ios', {
    ...definition,
    create(environment) {
      app = definition.create(environment);
      return app;
    },
  });
  subject.open(ID);
  const before = words(subject.phone.render());
  const url = `pixel://open?q=%41%0A&x=$(id)'"${'abcdefghij'.repeat(400)}`.slice(0, 4096);
  app?.openUrl?.(url);
  t.equal(subject.app.url, url);
  t.same(subject.app.events, ['launched', 'foreground', 'url']);
  t.not(differing(before, words(subject.phone.render())).length, 0);
  t.equal(subject.app.offset, 0);
  for (let step = 0; step < 40; step++) subject.phone.scroll(0, 0.5, undefined, subject.nextSeq());
  t.ok(Number(subject.app.offset) > subject.size.height, 'what does not fit can be scrolled to');
  app?.openUrl?.('pixel://again');
  t.match(subject.app, { url: 'pixel://again', offset: 0 });
});

t.test('the picture does not depend on how often pictures were taken before', async (t) => {
  const subject = phoneWith('android', installedApp(packageFor('android')));
  subject.open(ID);
  subject.phone.simulateMemoryWarning(subject.nextSeq());
  subject.clock.advance(3000);
  const drawn = words(subject.phone.render());
  t.same(differing(drawn, words(subject.phone.redraw())), []);
});

t.test('the switcher shows its card, also under a name that does not fit', async (t) => {
  const subject = phoneWith('android', installedApp(packageFor('android', 'A name that is far too long for a card')));
  subject.open(ID);
  subject.button('recents');
  t.same(subject.app.cards, [ID]);
  t.doesNotThrow(() => subject.phone.render());
});

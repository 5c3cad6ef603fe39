import { CAPABILITIES, type Orientation, PLATFORMS } from '@runcloud/protocol/terms';
import t from 'tap';
import { BUILT_IN_APPS } from '../../../server/phone/apps/catalogue.ts';
import { homeLayout } from '../../../server/phone/system/home-layout.ts';
import { differing, ManualPhone, words } from '../manual-phone.ts';

for (const platform of PLATFORMS) {
  for (const orientation of CAPABILITIES[platform].orientations) {
    t.test(`${platform} ${orientation}: every app opens from its icon, inside the picture`, async (t) => {
      const subject = new ManualPhone(platform, orientation);
      const { places } = homeLayout(BUILT_IN_APPS, 0, subject.layout(), subject.theme);
      t.equal(places.length, BUILT_IN_APPS.length);
      for (const { app, icon } of places) {
        t.ok(icon.x >= 0 && icon.y >= 0 && icon.x + icon.width <= subject.size.width);
        t.ok(icon.y + icon.height <= subject.size.height);
        subject.open(app.id);
        t.equal(subject.phone.inspect().foreground, app.id);
      }
    });
  }

  t.test(`${platform}: a rotation lays everything out anew, upright for the holder`, async (t) => {
    const subject = new ManualPhone(platform);
    const upright = words(subject.phone.render());
    const turn = (orientation: Orientation, inputSeq: number) => {
      subject.phone.rotate(orientation, inputSeq);
      // The picture turns until it is upright.
      subject.clock.advance(350);
    };
    turn('landscape_left', 7);
    const turned = subject.phone.render();
    t.match(turned, { ...subject.size, orientation: 'landscape_left', inputSeq: 7 });
    t.same(turned.damage, [{ x: 0, y: 0, ...subject.size }]);
    t.ok(turned.width > turned.height);
    const left = words(turned);
    turn('landscape_right', 8);
    t.equal(differing(left, words(subject.phone.render())).length, 0);
    turn('portrait', 9);
    t.equal(differing(upright, words(subject.phone.render())).length, 0);
  });
}

t.test('upside down looks as upright, and only Android turns so', async (t) => {
  const android = new ManualPhone('android');
  const upright = words(android.phone.render());
  android.phone.rotate('portrait_upside_down', 1);
  android.clock.advance(350);
  t.equal(differing(upright, words(android.phone.render())).length, 0);
  t.equal(android.phone.render().orientation, 'portrait_upside_down');
  const ios = new ManualPhone('ios');
  ios.phone.rotate('portrait_upside_down', 1);
  t.equal(ios.phone.orientation, 'portrait');
});

t.test('more apps than fit go on further pages', async (t) => {
  const subject = new ManualPhone('ios');
  const [first] = BUILT_IN_APPS;
  if (!first) throw new Error('missing');
  const many = Array.from({ length: 60 }, (_, index) => ({ ...first, id: `app-${index}`, docked: false }));
  const layout = (page: number) => homeLayout(many, page, subject.layout(), subject.theme);
  const { pages } = layout(0);
  t.ok(pages > 1);
  const ids = Array.from({ length: pages }, (_, page) => layout(page).places.map(({ app }) => app.id)).flat();
  t.same(
    ids,
    many.map(({ id }) => id),
  );
});

t.test('a finger that leaves the icon opens nothing', async (t) => {
  const subject = new ManualPhone('ios');
  const at = subject.icon('notes');
  subject.swipe(at, { x: at.x, y: at.y - 200 });
  t.equal(subject.phone.inspect().foreground, 'home');
});

for (const platform of PLATFORMS) {
  const left = { x: 100, y: 650 };
  const right = { x: 450, y: 650 };

  t.test(`${platform}: a swipe turns to the page of cards and back, and the dock stays`, async (t) => {
    const subject = new ManualPhone(platform);
    const first = words(subject.phone.render());
    subject.swipe(right, left);
    t.equal(subject.app.page, 1);
    subject.clock.advance(400);
    t.ok(differing(first, words(subject.phone.render())).length > 10_000);
    subject.swipe(right, left);
    t.equal(subject.app.page, 1, 'there is no third page');
    subject.clock.advance(400);
    subject.tap(subject.icon('notes'));
    t.equal(subject.phone.inspect().foreground, 'notes', 'from the dock');
    subject.button('home');
    t.equal(subject.app.page, 1);
    subject.button('home');
    t.equal(subject.app.page, 0, 'the home button of the home screen leads to the first page');
    subject.clock.advance(400);
    t.equal(differing(first, words(subject.phone.render())).length, 0);
    subject.swipe(left, right);
    t.equal(subject.app.page, 0);
  });

  t.test(`${platform}: the page follows the finger, and a short or cancelled swipe lets it go back`, async (t) => {
    const subject = new ManualPhone(platform);
    const first = words(subject.phone.render());
    subject.phone.touch('begin', [subject.point(right)], 1);
    subject.phone.touch('move', [subject.point({ ...right, x: right.x - 60 })], 2);
    const followed = words(subject.phone.render());
    t.ok(differing(first, followed).length > 1_000);
    subject.phone.touch('move', [subject.point(left)], 3);
    subject.phone.releaseAll();
    subject.clock.advance(400);
    t.equal(differing(first, words(subject.phone.render())).length, 0);
    subject.swipe(right, { ...right, x: right.x - 50 });
    t.equal(subject.app.page, 0);
  });
}

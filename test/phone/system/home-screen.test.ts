import { CAPABILITIES, PLATFORMS } from '@runcloud/protocol/terms';
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
    subject.phone.rotate('landscape_left', 7);
    const turned = subject.phone.render();
    t.match(turned, { ...subject.size, orientation: 'landscape_left', inputSeq: 7 });
    t.same(turned.damage, [{ x: 0, y: 0, ...subject.size }]);
    t.ok(turned.width > turned.height);
    const left = words(turned);
    subject.phone.rotate('landscape_right', 8);
    t.same(differing(left, words(subject.phone.render())), []);
    subject.phone.rotate('portrait', 9);
    t.same(differing(upright, words(subject.phone.render())), []);
  });
}

t.test('upside down looks as upright, and only Android turns so', async (t) => {
  const android = new ManualPhone('android');
  const upright = words(android.phone.render());
  android.phone.rotate('portrait_upside_down', 1);
  t.same(differing(upright, words(android.phone.render())), []);
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

import t from 'tap';
import { differing, ManualPhone, words } from './manual-phone.ts';
import { holdTree, nodesOf, open, open2, phoneAt, tap } from './ui-places.ts';

// Every orientation, on a finer grid, is in `npm run prove`.
holdTree(t, 'ios', 'portrait', 4, 9);
holdTree(t, 'android', 'landscape_left', 7, 5);

t.test('what cannot be reached is not told, and what is out of sight is counted', async (t) => {
  const home = phoneAt('ios', 'portrait', () => undefined);
  t.ok(nodesOf(home).some(({ id }) => id === 'home.notes'));
  const question = phoneAt('ios', 'portrait', (phone) => void phone.phone.openUrl('shop:cart', phone.nextSeq()));
  t.strictSame(
    nodesOf(question).flatMap(({ role, name }) => (role === 'button' ? [name] : [])),
    ['Cancel', 'Open'],
  );
  const list = phoneAt('android', 'portrait', open('scroll'));
  const rows = nodesOf(list).find(({ role }) => role === 'list');
  t.equal((rows?.children?.length ?? 0) + (rows?.offScreen?.after ?? 0), 500);
  const dark = phoneAt('android', 'portrait', (phone) => phone.button('power'));
  t.strictSame(dark.phone.describe().nodes, []);
  t.equal(dark.phone.describe().screen, 'off');
  for (const phone of [home, question, list, dark]) phone.phone.close();
});

t.test('telling what is on the screen changes nothing, at no moment of a motion', async (t) => {
  for (const platform of ['ios', 'android'] as const) {
    const [one, other] = [new ManualPhone(platform), new ManualPhone(platform)];
    for (const step of [open('notes'), open2('browser'), (phone: ManualPhone) => phone.button('recents')]) {
      step(one);
      step(other);
      for (let time = 0; time < 500; time += 50) {
        one.phone.describe();
        one.clock.advance(50);
        other.clock.advance(50);
        t.strictSame(differing(words(one.phone.render()), words(other.phone.render())), []);
      }
    }
    one.phone.close();
    other.phone.close();
  }
});

t.test('in the middle of a motion a frame is where its touch counts', async (t) => {
  for (const platform of ['ios', 'android'] as const) {
    const phone = new ManualPhone(platform);
    tap(phone, 'home.settings');
    // The app is on its way out of its icon, and its switch has its place.
    tap(phone, 'settings.darkMode');
    t.equal(phone.app.appearance, 'dark');
    phone.phone.close();
  }
});

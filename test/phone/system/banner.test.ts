import { PLATFORMS } from '@runcloud/protocol/terms';
import t from 'tap';
import { differing, ManualPhone, words } from '../manual-phone.ts';
import { nodesOf, SHOPS, tap } from '../ui-places.ts';

const app = 'com.example.shop';
const alert = { title: 'Order 7', body: 'It is on\nits way' };
const SHOWN_MS = 5_000;
const SLID_MS = 300;

function phoneOf(platform: (typeof PLATFORMS)[number]) {
  const subject = new ManualPhone(platform, 'portrait', [SHOPS[platform]]);
  const push = (aps: object = { alert }) => subject.phone.apps.push({ app, payload: { aps } });
  const node = (id: string) => nodesOf(subject).find((one) => one.id === id);
  return { subject, push, node };
}

for (const platform of PLATFORMS) {
  t.test(`${platform}: a banner comes, stays for five seconds, and leaves the picture as it was`, async (t) => {
    const { subject, push, node } = phoneOf(platform);
    const before = words(subject.phone.render());
    t.equal(push(), true);
    t.match(node('system.banner'), { role: 'button', name: 'Order 7', value: 'It is on its way' });
    t.equal(subject.phone.animating, true, 'it slides in');
    subject.clock.advance(SLID_MS);
    const shown = words(subject.phone.render());
    t.ok(differing(before, shown).length > 10_000);
    t.equal(differing(shown, words(subject.phone.redraw())).length, 0, 'drawn by damage it is the same picture');
    t.equal(subject.phone.animating, false);
    subject.clock.advance(SHOWN_MS);
    t.equal(node('system.banner'), undefined);
    subject.clock.advance(SLID_MS);
    t.equal(differing(before, words(subject.phone.render())).length, 0);
    t.match(subject.app.notices, [{ title: 'Order 7', text: 'It is on its way' }], 'it is kept');
  });

  t.test(`${platform}: it lights up a locked phone, which a tap on it unlocks`, async (t) => {
    const { subject, push } = phoneOf(platform);
    subject.button('power');
    t.equal(subject.phone.inspect().screen, 'off');
    push();
    t.match(subject.phone.inspect(), { screen: 'on', app: { locked: true } });
    subject.clock.advance(SLID_MS);
    tap(subject, 'system.banner');
    t.match(subject.phone.inspect(), { foreground: app, app: { locked: false, notices: [] } });
    t.match(subject.app.events, ['launched', 'foreground', 'notification']);
  });

  t.test(`${platform}: a swipe up sends it away, and what is kept of it opens the app`, async (t) => {
    const { subject, push, node } = phoneOf(platform);
    push();
    subject.clock.advance(SLID_MS);
    const { x = 0, y = 0 } = node('system.banner')?.frame ?? {};
    const from = { x: (x + 0.1) * subject.size.width, y: y * subject.size.height + subject.theme.px(50) };
    subject.swipe(from, { x: from.x, y: from.y - subject.theme.px(45) });
    t.equal(node('system.banner'), undefined);
    t.equal(subject.phone.inspect().foreground, 'home');
    subject.swipe({ x: 30, y: 5 }, { x: 30, y: subject.size.height / 2 });
    subject.clock.advance(1_000);
    t.match(node('shade.notice.1'), { name: 'Order 7', actions: ['tap'] });
    tap(subject, 'shade.notice.1');
    t.equal(subject.phone.inspect().foreground, app);
    t.same(subject.app.notices, []);
  });
}

t.test(
  'a text alone has the name of the app above it, and a later one takes the place of the one before',
  async (t) => {
    const { subject, push, node } = phoneOf('ios');
    push({ alert: 'First' });
    t.match(node('system.banner'), { name: 'Shop', value: 'First' });
    push({ alert: { title: 'Second' } });
    t.match(node('system.banner'), { name: 'Second' });
    t.equal((subject.app.notices as unknown[]).length, 2);
    subject.phone.apps.uninstall(app);
    t.equal(node('system.banner'), undefined);
    t.same(subject.app.notices, []);
  },
);

t.test('what a memory warning leaves opens nothing', async (t) => {
  const { subject, node } = phoneOf('android');
  subject.phone.simulateMemoryWarning(1);
  subject.clock.advance(5_000);
  subject.swipe({ x: 30, y: 5 }, { x: 30, y: subject.size.height / 2 });
  subject.clock.advance(1_000);
  t.equal(node('shade.notice.1')?.actions, undefined);
  tap(subject, 'shade.notice.1');
  t.equal(subject.phone.inspect().foreground, 'home');
});

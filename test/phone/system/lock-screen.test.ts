import { PLATFORMS } from '@runcloud/protocol/terms';
import t from 'tap';
import { brightnessIn } from '../frames.ts';
import { ManualPhone } from '../manual-phone.ts';

/** A phone that shows its lock screen over Notes. */
function locked(platform: 'ios' | 'android'): ManualPhone {
  const subject = new ManualPhone(platform);
  subject.open('notes');
  subject.button('power');
  subject.button('power');
  return subject;
}

for (const platform of PLATFORMS) {
  t.test(`${platform}: how to unlock it can be read over the wallpaper`, async (t) => {
    const subject = locked(platform);
    subject.clock.advance(1_000);
    const { px } = subject.theme;
    const { navigationBar, picture } = subject.layout(false);
    const foot = navigationBar.y - px(platform === 'ios' ? 6 : 24);
    const words = { x: Math.round(picture.width / 2) - px(45), y: foot - px(11), width: px(90), height: px(12) };
    const values = brightnessIn(subject.phone.render(), words);
    const [ground = 0, ink = 0] = [values[values.length >> 1], values.at(-1)];
    t.ok(ink - ground > 100, `${ink} on ${ground}`);
  });

  t.test(`${platform}: behind the lock screen nothing gets touches, keys, text or scrolling`, async (t) => {
    const subject = locked(platform);
    subject.tap({ x: 280, y: 900 });
    subject.press('a');
    subject.phone.typeText('b', 1);
    subject.phone.insertText('c', 2);
    subject.phone.toggleSoftwareKeyboard(3);
    for (const button of ['appSwitcher', 'recents'] as const) subject.button(button);
    t.match(subject.phone.inspect(), { foreground: 'notes', keyboardShown: true, app: { text: '', locked: true } });
    subject.unlock();
    subject.phone.typeText('d', 4);
    t.match(subject.app, { text: 'd', locked: false });
  });

  t.test(
    `${platform}: a short swipe lets the lock screen fall back, and so does a touch that is cancelled`,
    async (t) => {
      const subject = locked(platform);
      subject.swipe({ x: 280, y: 900 }, { x: 280, y: 850 });
      t.equal(subject.app.locked, true);
      subject.phone.touch('begin', [{ x: 0.5, y: 0.8 }], 1);
      subject.phone.touch('move', [{ x: 0.5, y: 0.2 }], 2);
      subject.phone.releaseAll();
      t.equal(subject.app.locked, true);
      subject.unlock();
      t.match(subject.phone.inspect(), { foreground: 'notes', app: { locked: false } });
    },
  );

  t.test(`${platform}: the home button goes home from it, and an app that opens takes its place`, async (t) => {
    const subject = locked(platform);
    subject.button('home');
    t.match(subject.phone.inspect(), { foreground: 'home', app: { locked: false } });
    subject.button('power');
    subject.button('power');
    subject.phone.openUrl('https://example.com/', 1);
    t.match(subject.phone.inspect(), { foreground: 'browser', app: { locked: false } });
  });
}

t.test('what comes to the front of a dark Android phone stays behind its lock screen', async (t) => {
  const subject = new ManualPhone('android');
  subject.button('power');
  subject.phone.openUrl('https://example.com/', 1);
  subject.button('power');
  t.match(subject.phone.inspect(), { screen: 'on', foreground: 'browser', app: { locked: true } });
  subject.unlock();
  t.match(subject.app, { locked: false, address: 'https://example.com/' });
});

import t from 'tap';
import { centre } from '../../../server/phone/geometry.ts';
import { navigationButtons } from '../../../server/phone/system/bars.ts';
import { ManualPhone } from '../manual-phone.ts';

function tapBar(subject: ManualPhone, name: 'back' | 'home' | 'recents'): void {
  const found = navigationButtons(subject.layout().navigationBar).find(({ button }) => button === name);
  if (!found) throw new Error(name);
  subject.tap(centre(found.area));
}

t.test("Android's three buttons can be tapped in every orientation", async (t) => {
  for (const orientation of ['portrait', 'portrait_upside_down', 'landscape_left', 'landscape_right'] as const) {
    const subject = new ManualPhone('android', orientation);
    subject.open('notes');
    tapBar(subject, 'back');
    t.equal(subject.phone.inspect().keyboardShown, false);
    tapBar(subject, 'recents');
    t.equal(subject.phone.inspect().foreground, 'switcher');
    tapBar(subject, 'home');
    t.equal(subject.phone.inspect().foreground, 'home');
  }
});

t.test('a finger that slides off a button has not tapped it', async (t) => {
  const subject = new ManualPhone('android');
  subject.open('scroll');
  const [back, home] = navigationButtons(subject.layout().navigationBar).map(({ area }) => subject.point(centre(area)));
  if (!back || !home) throw new Error('missing');
  subject.phone.touch('begin', [back], 1);
  subject.phone.touch('move', [home], 2);
  subject.phone.touch('end', [home], 3);
  t.equal(subject.phone.inspect().foreground, 'scroll');
});

t.test('on iOS a swipe up from the home indicator goes home, and a tap on it does nothing', async (t) => {
  const subject = new ManualPhone('ios');
  subject.open('settings');
  const from = { x: 295, y: 1270 };
  subject.tap(from);
  t.equal(subject.phone.inspect().foreground, 'settings');
  subject.swipe(from, { x: 295, y: 800 });
  t.equal(subject.phone.inspect().foreground, 'home');
});

t.test('Touch Lab gets the touches on every bar', async (t) => {
  const subject = new ManualPhone('android');
  subject.open('touch-lab');
  tapBar(subject, 'home');
  t.match(subject.phone.inspect(), { foreground: 'touch-lab', app: { taps: 1 } });
});

t.test('a touch that began before a rotation does not go on after it', async (t) => {
  const subject = new ManualPhone('ios');
  subject.open('touch-lab');
  subject.phone.touch('begin', [{ x: 0.5, y: 0.5 }], 1);
  subject.phone.rotate('landscape_left', 2);
  t.same(subject.phone.inspect().pointers, []);
  subject.phone.touch('end', [{ x: 0.5, y: 0.5 }], 3);
  t.equal(subject.app.taps, 0);
});

t.test('a touch that opened an app does not reach into it', async (t) => {
  const subject = new ManualPhone('ios');
  const at = subject.icon('touch-lab');
  subject.phone.touch('begin', [subject.point(at)], 1);
  subject.button('actionButton', 600);
  subject.phone.touch('end', [subject.point(at)], 2);
  t.match(subject.phone.inspect().foreground, /notes|touch-lab/);
});

t.test('an app that leaves the front, or a screen that goes off, ends the touch in the app', async (t) => {
  for (const button of ['home', 'power'] as const) {
    const subject = new ManualPhone('ios');
    subject.open('touch-lab');
    subject.phone.touch('begin', [{ x: 0.5, y: 0.5 }], 1);
    subject.button(button);
    subject.phone.touch('end', [{ x: 0.5, y: 0.5 }], 2);
    if (button === 'power') {
      subject.button('power');
      subject.unlock();
    } else subject.open('touch-lab');
    t.match(subject.app, { taps: 0, pointers: { length: 0 } });
    subject.tap({ x: 50, y: 60 });
    t.match(subject.app, { taps: 1, lastGesture: { kind: 'tap', durationMs: 50, from: { x: 50, y: 60 } } });
  }
});

import t from 'tap';
import { browserLayout } from '../../../server/phone/apps/browser-view.ts';
import { centre } from '../../../server/phone/geometry.ts';
import { ManualPhone } from '../manual-phone.ts';

type Part = 'back' | 'reload' | 'address' | number;

/** A phone with the browser in front, and a way to tap its parts. */
function browser(platform: 'ios' | 'android' = 'ios') {
  const subject = new ManualPhone(platform);
  subject.open('browser');
  const tap = (part: Part) => {
    const { viewport } = subject.layout();
    const layout = browserLayout(viewport, subject.theme);
    const area = typeof part === 'number' ? layout.favourites[part] : layout[part];
    if (!area) throw new Error('no such part');
    const at = centre(area);
    subject.tap({ x: at.x + viewport.x, y: at.y + viewport.y });
  };
  return { subject, tap };
}

t.test('a favourite opens its page, and back returns to the start', async (t) => {
  const { subject, tap } = browser();
  t.match(subject.app, { address: 'about:start', history: ['about:start'], canGoBack: false });
  const start = subject.phone.render().version;
  tap(0);
  t.match(subject.app, { address: 'https://example.com/', canGoBack: true });
  t.ok(subject.phone.render().version > start);
  tap('back');
  t.match(subject.app, { address: 'about:start', canGoBack: false });
});

t.test('what is pasted into the address stays in one line, and what is copied from it is as it is shown', async (t) => {
  const { subject, tap } = browser();
  tap('address');
  subject.phone.clipboard = 'example.org/a\r\nb\tc\n';
  subject.press('v', ['meta']);
  t.equal(subject.app.typed, 'example.org/a b c ');
  for (const key of ['a', 'c'] as const) subject.press(key, ['meta']);
  t.equal(subject.phone.clipboard, 'example.org/a b c ');
});

t.test('an address is typed with keys and text and entered', async (t) => {
  const { subject, tap } = browser();
  tap('address');
  t.equal(subject.phone.inspect().keyboardShown, true);
  subject.phone.typeText('runcloud.exampl', 1);
  subject.press('e');
  t.equal(subject.app.typed, 'runcloud.example');
  subject.press('enter');
  t.match(subject.app, { address: 'https://runcloud.example', typed: undefined });
  t.equal(subject.phone.inspect().keyboardShown, false);
  tap('address');
  subject.phone.typeText('tel:123\n', 2);
  t.equal(subject.app.address, 'tel:123', 'typing goes over the old address, and a line feed enters it');
});

t.test('reload loads the page again', async (t) => {
  const { subject, tap } = browser();
  tap(1);
  tap('reload');
  t.match(subject.app, { address: 'https://news.example/', loads: 2 });
});

t.test('escape leaves the address alone', async (t) => {
  const { subject, tap } = browser();
  tap('address');
  subject.phone.typeText('nowhere', 1);
  subject.press('escape');
  t.match(subject.app, { address: 'about:start', typed: undefined });
});

t.test('text without a focus goes nowhere but into the log', async (t) => {
  const { subject } = browser();
  subject.phone.typeText('lost', 1);
  t.equal(subject.app.typed, undefined);
  t.match(subject.phone.inspect().events.at(-1), { type: 'text ignored', detail: { length: 4 } });
});

t.test('back on Android hides the keyboard, then goes back a page, then home', async (t) => {
  const { subject, tap } = browser('android');
  tap(0);
  tap('address');
  subject.button('back');
  t.match(subject.phone.inspect(), { keyboardShown: false, foreground: 'browser' });
  subject.button('back');
  t.equal(subject.app.address, 'about:start');
  subject.button('back');
  t.equal(subject.phone.inspect().foreground, 'home');
});

t.test('a memory warning keeps the address', async (t) => {
  const { subject, tap } = browser();
  tap(0);
  subject.phone.simulateMemoryWarning(1);
  t.equal(subject.app.address, 'https://example.com/');
  t.equal(subject.phone.inspect().memoryWarnings, 1);
});

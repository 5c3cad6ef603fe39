import t from 'tap';
import { differing, ManualPhone, words } from '../manual-phone.ts';

t.test('a memory warning is counted and shows for two seconds', async (t) => {
  const subject = new ManualPhone('ios');
  const before = words(subject.phone.render());
  subject.phone.simulateMemoryWarning(1);
  t.equal(subject.phone.inspect().memoryWarnings, 1);
  t.ok(differing(before, words(subject.phone.render())).length > 1000);
  subject.clock.advance(1990);
  t.ok(differing(before, words(subject.phone.render())).length > 1000);
  subject.clock.advance(10);
  subject.phone.render();
  subject.clock.advance(300);
  t.same(differing(before, words(subject.phone.render())), []);
});

t.test('a reload of the home screen puts panels away', async (t) => {
  const subject = new ManualPhone('android');
  subject.button('menu');
  t.equal(subject.app.overlay, 'menu');
  subject.phone.reload(1);
  t.match(subject.phone.inspect(), { foreground: 'home', app: { overlay: undefined } });
  t.ok(subject.phone.inspect().events.some(({ type }) => type === 'reloaded'));
});

t.test('a reload starts the app in front anew and leaves the others', async (t) => {
  const subject = new ManualPhone('ios');
  subject.open('notes');
  subject.phone.typeText('stays', 1);
  subject.open('touch-lab');
  subject.tap({ x: 100, y: 100 });
  subject.phone.reload(2);
  t.match(subject.phone.inspect(), { foreground: 'touch-lab', app: { taps: 0 } });
  subject.open('notes');
  t.equal(subject.app.text, 'stays');
});

t.test('text that nothing takes only shows in the log', async (t) => {
  const subject = new ManualPhone('ios');
  const { version } = subject.phone.render();
  subject.phone.typeText('hello', 3);
  t.equal(subject.phone.render().version, version);
  t.match(subject.phone.inspect().events.at(-1), { type: 'text ignored' });
});

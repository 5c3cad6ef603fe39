import { PLATFORMS } from '@runcloud/protocol/terms';
import t from 'tap';
import type { Rect } from '../../../server/device/driver.ts';
import { centre } from '../../../server/phone/geometry.ts';
import { differing, ManualPhone, words } from '../manual-phone.ts';
import { nodesOf } from '../ui-places.ts';

t.test('a tap on a switch turns a render option on and off', async (t) => {
  const subject = new ManualPhone('ios');
  subject.open('settings');
  const switches = subject.app.switches as (Rect & { option: string })[];
  t.equal(switches.length, 7);
  const offscreen = switches.find(({ option }) => option === 'colorOffscreenRendered');
  if (!offscreen) throw new Error('no such switch');
  const { viewport } = subject.layout();
  const at = centre(offscreen);
  const place = { x: at.x + viewport.x, y: at.y + viewport.y };
  const before = subject.phone.render().version;
  subject.tap(place);
  t.same(subject.phone.inspect().renderOptions, ['colorOffscreenRendered']);
  t.ok(subject.phone.render().version > before);
  subject.tap(place);
  t.same(subject.phone.inspect().renderOptions, []);
});

t.test('Android has no switches for render options', async (t) => {
  const subject = new ManualPhone('android');
  subject.open('settings');
  const options = (subject.app.switches as { option: string }[]).map(({ option }) => option);
  t.same(options, ['darkMode', 'animations']);
});

for (const platform of PLATFORMS) {
  t.test(`${platform}: switches turn dark mode on and off, and animations off and on`, async (t) => {
    const subject = new ManualPhone(platform);
    subject.open('settings');
    const light = words(subject.phone.render());
    const flip = (name: string) => {
      const area = (subject.app.switches as (Rect & { option: string })[]).find(({ option }) => option === name);
      const { x, y } = centre(area ?? { x: 0, y: 0, width: 0, height: 0 });
      subject.tap({ x, y: y + subject.layout().viewport.y });
    };
    flip('darkMode');
    t.equal(subject.app.appearance, 'dark');
    t.ok(differing(light, words(subject.phone.render())).length > light.length / 2);
    flip('darkMode');
    t.equal(subject.app.appearance, 'light');
    t.equal(differing(light, words(subject.phone.render())).length, 0, 'it is again what it was');
    flip('animations');
    subject.button('home');
    t.equal(subject.phone.animating, false);
  });
}

t.test('settings show what the phone is in', async (t) => {
  const subject = new ManualPhone('android');
  subject.open('settings');
  const seen = [subject.phone.render().version];
  const changes = [
    () => subject.phone.rotate('portrait_upside_down', 1),
    () => subject.phone.toggleSoftwareKeyboard(2),
    () => subject.phone.simulateMemoryWarning(3),
  ];
  for (const change of changes) {
    change();
    seen.push(subject.phone.render().version);
  }
  t.equal(new Set(seen).size, 4, 'each change shows');
  t.match(subject.app, { orientation: 'portrait_upside_down', keyboardShown: true, memoryWarnings: 1 });
});

t.test('the list scrolls where it is longer than the screen', async (t) => {
  const subject = new ManualPhone('ios', 'landscape_right');
  subject.open('settings');
  subject.phone.scroll(0, 1, undefined, 1);
  t.ok(Number(subject.app.offset) > 0);
});

t.test('the location of the phone has a row, which tells it in words', async (t) => {
  const subject = new ManualPhone('android');
  subject.open('settings');
  const row = () => nodesOf(subject).find(({ id }) => id === 'settings.Location')?.value;
  t.equal(row(), 'Off');
  const off = words(subject.phone.render());
  for (const [location, told] of [
    [{ latitude: 52.52, longitude: 13.405 }, '52.52, 13.405'],
    [{ latitude: -33.86, longitude: 151.21, altitudeM: 58, accuracyM: 0 }, '-33.86, 151.21, 58 m high, ±0 m'],
  ] as const) {
    subject.phone.location = location;
    t.equal(row(), told);
    t.ok(differing(off, words(subject.phone.render())).length > 0, 'it is drawn');
  }
  subject.phone.location = undefined;
  t.equal(row(), 'Off');
  t.equal(differing(off, words(subject.phone.render())).length, 0);
});

import { PLATFORMS } from '@runcloud/protocol/terms';
import t from 'tap';
import { installedApp } from '../../../server/phone/apps/installed-app.ts';
import { brightnessIn } from '../frames.ts';
import { differing, ManualPhone, words } from '../manual-phone.ts';
import { search } from '../motions.ts';

const PACKAGE = {
  name: 'Tea Timer',
  identifier: 'com.example.tea',
  version: '1.0',
  schemes: [],
  hosts: [],
} as unknown as Parameters<typeof installedApp>[0];

function searching(platform: 'ios' | 'android'): ManualPhone {
  const subject = new ManualPhone(platform, 'portrait', [installedApp(PACKAGE)]);
  search(subject);
  return subject;
}

for (const platform of PLATFORMS) {
  t.test(`${platform}: it finds apps by a part of their name, those of the service as well`, async (t) => {
    const subject = searching(platform);
    t.match(subject.phone.inspect(), { foreground: 'home', keyboardShown: true, app: { search: { text: '' } } });
    subject.phone.typeText('T', 1);
    t.match(subject.app, { search: { results: ['touch-lab', 'com.example.tea', 'notes', 'settings', 'motion'] } });
    subject.phone.typeText('xq', 2);
    t.same((subject.app.search as { results: unknown }).results, []);
    subject.press('backspace');
    subject.press('backspace');
    subject.phone.insertText('ea', 3);
    t.same(subject.app.search, { text: 'Tea', results: ['com.example.tea'] });
    subject.press('enter');
    t.match(subject.phone.inspect(), { foreground: 'com.example.tea', keyboardShown: false });
    subject.button('home');
    t.equal(subject.app.search, undefined);
  });

  t.test(`${platform}: nothing of the home screen is read between the field and the results`, async (t) => {
    const subject = searching(platform);
    subject.clock.advance(1_000);
    const { px } = subject.theme;
    const { statusBar, picture } = subject.layout();
    const gap = { x: px(20), y: statusBar.height + px(57), width: picture.width - px(40), height: px(8) };
    const values = brightnessIn(subject.phone.render(), gap);
    t.ok((values.at(-1) ?? 0) - (values[0] ?? 0) < 40, `from ${values[0]} to ${values.at(-1)}`);
  });

  t.test(`${platform}: a tap on a result opens it, and one beside them puts the search away`, async (t) => {
    const subject = searching(platform);
    subject.phone.typeText('scr', 1);
    const { statusBar } = subject.layout();
    const { px } = subject.theme;
    const row = { x: 200, y: statusBar.height + px(8 + 46 + 14 + 27) };
    subject.tap({ ...row, y: row.y + px(120) });
    t.match(subject.phone.inspect(), { foreground: 'home', keyboardShown: false, app: { search: undefined } });
    subject.clock.advance(400);
    search(subject);
    t.match(subject.app, { search: { text: '' } }, 'it begins anew');
    subject.phone.typeText('scr', 2);
    subject.tap(row);
    t.equal(subject.phone.inspect().foreground, 'scroll');
  });

  t.test(
    `${platform}: escape, the home button and a reload put it away; a line feed opens the first result`,
    async (t) => {
      const subject = searching(platform);
      subject.press('escape');
      t.equal(subject.app.search, undefined);
      search(subject);
      subject.button('home');
      t.match(subject.phone.inspect(), { foreground: 'home', keyboardShown: false, app: { search: undefined } });
      search(subject);
      subject.phone.reload(1);
      t.equal(subject.app.search, undefined);
      search(subject);
      subject.phone.typeText('no such app\n', 2);
      t.match(subject.phone.inspect(), { foreground: 'home', app: { search: { results: { length: 0 } } } });
      subject.press('escape');
      search(subject);
      subject.phone.typeText('browser\n', 3);
      t.equal(subject.phone.inspect().foreground, 'browser');
    },
  );
}

t.test('back on Android puts the search away, with its keyboard', async (t) => {
  const subject = searching('android');
  subject.button('back');
  t.match(subject.phone.inspect(), { foreground: 'home', keyboardShown: false, app: { search: undefined } });
});

t.test('ios: it follows the finger that pulls it, and goes back when the finger lets it go too early', async (t) => {
  const subject = new ManualPhone('ios');
  const { phone, theme } = subject;
  const from = { x: 295, y: 500 };
  const at = (points: number) => [subject.point({ ...from, y: from.y + theme.px(points) })];
  const atRest = words(phone.render());
  phone.touch('begin', at(0), subject.nextSeq());
  const dark: number[] = [];
  for (const points of [20, 60, 120, 90]) {
    phone.touch('move', at(points), subject.nextSeq());
    dark.push(blue(words(phone.render())));
  }
  const [little = 0, more = 0, most = 0, less = 0] = dark;
  t.ok(blue(atRest) > little && little > more && more > most, 'the further, the darker');
  t.ok(less > most && less < more, 'and back with the finger');
  phone.touch('move', at(30), subject.nextSeq());
  phone.touch('end', at(30), subject.nextSeq());
  t.equal(phone.animating, true);
  subject.clock.advance(400);
  t.equal(differing(atRest, words(phone.render())).length, 0);
  t.equal(subject.app.search, undefined);

  phone.touch('begin', at(0), subject.nextSeq());
  phone.touch('move', at(100), subject.nextSeq());
  phone.touch('cancel', [], subject.nextSeq());
  subject.clock.advance(400);
  t.equal(differing(atRest, words(phone.render())).length, 0, 'so it does where the touch is taken back');
});

/** Blue of all pixels together: what the search lies over. */
const blue = (picture: Uint32Array): number => picture.reduce((sum, word) => sum + ((word >>> 16) & 0xff), 0);

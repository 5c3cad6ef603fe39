import { PLATFORMS } from '@runcloud/protocol/terms';
import t from 'tap';
import { centre } from '../../../server/phone/geometry.ts';
import { type Cap, type KeyboardPage, keyCaps } from '../../../server/phone/system/keyboard-layouts.ts';
import { ManualPhone } from '../manual-phone.ts';

function caps(subject: ManualPhone, page: KeyboardPage): readonly Cap[] {
  const { keyboard } = subject.layout(true);
  return keyboard ? keyCaps(keyboard, page, subject.theme) : [];
}

/** Taps keys by what they type or do. */
function tapKeys(subject: ManualPhone, page: KeyboardPage, ...names: string[]): void {
  for (const name of names) {
    const cap = caps(subject, page).find(({ action }) => ('text' in action ? action.text : action.kind) === name);
    if (!cap) throw new Error(`no key ${name}`);
    subject.tap(centre(cap.area));
  }
}

for (const platform of PLATFORMS) {
  for (const orientation of ['portrait', 'landscape_left'] as const) {
    t.test(`${platform} ${orientation}: tapping a key types what is written on it, on every page`, async (t) => {
      const subject = new ManualPhone(platform, orientation);
      subject.open('notes');
      const pages: readonly KeyboardPage[] = ['letters', 'numbers', 'symbols'];
      // In the middle of a sentence, where no capital comes by itself.
      subject.phone.typeText('so', 1);
      let typed = 'so';
      for (const page of pages) {
        if (page !== 'letters') tapKeys(subject, page === 'numbers' ? 'letters' : 'numbers', 'page');
        for (const { action } of caps(subject, page)) {
          if (action.kind !== 'text') continue;
          tapKeys(subject, page, action.text);
          typed += action.text;
          t.equal(subject.app.text, typed);
        }
      }
      t.ok(typed.length > 60);
    });
  }

  t.test(`${platform}: no two keys overlap and all lie inside the keyboard`, async (t) => {
    const subject = new ManualPhone(platform);
    const area = subject.layout(true).keyboard;
    if (!area) throw new Error('no keyboard');
    for (const page of ['letters', 'numbers', 'symbols'] as const) {
      const all = caps(subject, page).map((cap) => cap.area);
      for (const [index, a] of all.entries()) {
        t.ok(a.x >= 0 && a.x + a.width <= area.width && a.y >= area.y && a.y + a.height <= area.y + area.height);
        const hit = all.slice(index + 1).some((b) => {
          const apart = a.x + a.width <= b.x || b.x + b.width <= a.x || a.y + a.height <= b.y || b.y + b.height <= a.y;
          return !apart;
        });
        t.equal(hit, false);
      }
    }
  });
}

t.test('shift is for one letter; tapped twice it is for all', async (t) => {
  const subject = new ManualPhone('ios');
  subject.open('notes');
  subject.phone.typeText('-', 1);
  tapKeys(subject, 'letters', 'shift');
  t.equal(subject.app.shifted, true);
  tapKeys(subject, 'letters', 'a', 'b');
  t.equal(subject.app.text, '-Ab');
  tapKeys(subject, 'letters', 'shift', 'shift', 'c', 'd');
  t.equal(subject.app.text, '-AbCD');
  tapKeys(subject, 'letters', 'shift', 'e');
  t.equal(subject.app.text, '-AbCDe');
});

t.test(
  'a sentence begins with a capital by itself, unless shift is tapped or the text is not typed here',
  async (t) => {
    for (const platform of PLATFORMS) {
      const subject = new ManualPhone(platform);
      subject.open('notes');
      tapKeys(subject, 'letters', 'h', 'i', 'return', 'a', ' ', 'b');
      t.equal(subject.app.text, 'Hi\nA b');
      subject.phone.typeText('. ', 1);
      tapKeys(subject, 'letters', 'c', 'd', 'return', 'shift', 'e', 'f');
      t.equal(subject.app.text, 'Hi\nA b. Cd\nef');
      subject.phone.typeText('\n', 2);
      subject.press('g');
      subject.phone.typeText('\nh', 3);
      t.equal(subject.app.text, 'Hi\nA b. Cd\nef\ng\nh');
      subject.phone.typeText('\n', 4);
      tapKeys(subject, 'letters', 'shift');
      subject.clock.advance(1_000);
      tapKeys(subject, 'letters', 'shift', 'i', 'j');
      t.equal(subject.app.text, 'Hi\nA b. Cd\nef\ng\nh\nIj');
    }
  },
);

t.test('the address of a page begins as it is typed', async (t) => {
  const subject = new ManualPhone('ios');
  subject.open('browser');
  const { viewport } = subject.layout(false);
  subject.tap({ x: 295, y: viewport.y + subject.theme.px(28) });
  tapKeys(subject, 'letters', 'a', 'b');
  t.equal(subject.app.typed, 'ab');
});

t.test('delete and return edit the text', async (t) => {
  const subject = new ManualPhone('android');
  subject.open('notes');
  tapKeys(subject, 'letters', 'a', 'b', 'delete', 'return', ' ');
  t.equal(subject.app.text, 'A\n ');
});

t.test('a key that is pressed shows it, and types only where the finger leaves', async (t) => {
  const subject = new ManualPhone('ios');
  subject.open('notes');
  const [q, p] = ['q', 'p'].map((name) => {
    const cap = caps(subject, 'letters').find(({ action }) => 'text' in action && action.text === name);
    return subject.point(cap ? centre(cap.area) : { x: 0, y: 0 });
  });
  if (!q || !p) throw new Error('no keys');
  const { version } = subject.phone.render();
  subject.phone.touch('begin', [q], 1);
  t.ok(subject.phone.render().version > version);
  t.equal(subject.app.text, '');
  subject.phone.touch('end', [p], 2);
  t.equal(subject.app.text, 'P');
  subject.phone.touch('begin', [q], 3);
  subject.phone.releaseAll();
  t.equal(subject.app.text, 'P', 'a cancelled touch types nothing');
});

t.test('the keyboard can be shown and hidden everywhere, and each time the picture shows it', async (t) => {
  for (const app of ['touch-lab', 'notes', 'browser', 'settings', 'scroll', 'motion']) {
    const subject = new ManualPhone('ios');
    subject.open(app);
    const { keyboardShown } = subject.phone.inspect();
    const { version } = subject.phone.render();
    subject.phone.toggleSoftwareKeyboard(1);
    t.equal(subject.phone.inspect().keyboardShown, !keyboardShown);
    subject.clock.advance(100);
    t.ok(subject.phone.render().version > version, 'it is on its way');
    subject.phone.toggleSoftwareKeyboard(2);
    t.equal(subject.phone.inspect().keyboardShown, keyboardShown);
  }
});

t.test('keys typed on the keyboard over Touch Lab are shown there', async (t) => {
  const subject = new ManualPhone('ios');
  subject.open('touch-lab');
  subject.phone.toggleSoftwareKeyboard(1);
  tapKeys(subject, 'letters', 'h', 'i');
  t.match(subject.app, { text: 'hi', taps: 0 });
});

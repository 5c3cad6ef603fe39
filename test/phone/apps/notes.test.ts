import { KEY_TEXT, type Key, type Modifier, PLATFORMS } from '@runcloud/protocol/terms';
import t from 'tap';
import { ManualPhone } from '../manual-phone.ts';

function notes(platform: 'ios' | 'android' = 'ios', text = ''): ManualPhone {
  const subject = new ManualPhone(platform);
  subject.open('notes');
  if (text !== '') subject.phone.typeText(text, subject.nextSeq());
  return subject;
}

t.test('every key of the keyboard types its text, alone and with shift', async (t) => {
  for (const [key, [plain, shifted]] of KEY_TEXT) {
    const subject = notes();
    subject.press(key);
    subject.press(key, ['shift']);
    t.equal(subject.app.text, plain + shifted, key);
  }
});

t.test('typed text goes in at the caret and over a selection', async (t) => {
  const subject = notes('ios', 'one three');
  for (let count = 0; count < 5; count++) subject.press('arrowLeft');
  subject.phone.typeText('two ', 1);
  t.match(subject.app, { text: 'one two three', caret: 8, selection: [8, 8] });
  subject.press('a', ['meta']);
  t.match(subject.app, { selection: [0, 13] });
  subject.phone.typeText('new', 2);
  t.match(subject.app, { text: 'new', caret: 3, selection: [3, 3] });
});

const CASES: readonly (readonly [string, Key, readonly Modifier[], object])[] = [
  ['backspace takes the character before the caret', 'backspace', [], { text: 'alpha\nbeta gamm', caret: 15 }],
  ['delete at the end takes nothing', 'delete', [], { text: 'alpha\nbeta gamma' }],
  ['enter begins a line', 'enter', [], { text: 'alpha\nbeta gamma\n' }],
  ['tab types a tab', 'tab', [], { text: 'alpha\nbeta gamma\t' }],
  ['home goes to the beginning of the line', 'home', [], { caret: 6 }],
  ['the arrow up keeps to the column', 'arrowUp', [], { caret: 5 }],
  ['page up goes to the beginning', 'pageUp', [], { caret: 0 }],
  ['shift with an arrow selects', 'arrowLeft', ['shift'], { caret: 15, selection: [15, 16] }],
  ['shift with home selects to the beginning of the line', 'home', ['shift'], { selection: [6, 16] }],
  ['control and A selects everything', 'a', ['control'], { selection: [0, 16], text: 'alpha\nbeta gamma' }],
];

for (const platform of PLATFORMS) {
  for (const [title, key, modifiers, expected] of CASES) {
    t.test(`${platform}: ${title}`, async (t) => {
      const subject = notes(platform, 'alpha\nbeta gamma');
      subject.press(key, modifiers);
      t.match(subject.app, expected);
    });
  }
}

t.test('words are crossed with alt on iOS and with control on Android', async (t) => {
  for (const [platform, modifier] of [
    ['ios', 'alt'],
    ['android', 'control'],
  ] as const) {
    const subject = notes(platform, 'alpha beta gamma');
    subject.press('arrowLeft', [modifier]);
    t.equal(subject.app.caret, 11);
    subject.press('arrowLeft', [modifier, 'shift']);
    t.match(subject.app, { caret: 6, selection: [6, 11] });
    subject.press('arrowRight', [modifier]);
    subject.press('arrowRight', [modifier]);
    t.equal(subject.app.caret, 16);
    subject.press('backspace', [modifier]);
    t.equal(subject.app.text, 'alpha beta ');
  }
});

t.test('a selection is copied, cut and pasted', async (t) => {
  const subject = notes('android', 'ab');
  subject.press('a', ['control']);
  subject.press('c', ['control']);
  subject.press('arrowRight');
  subject.press('v', ['meta']);
  t.equal(subject.app.text, 'abab');
  subject.press('a', ['control']);
  subject.press('x', ['control']);
  t.equal(subject.app.text, '');
  subject.press('v', ['control']);
  t.equal(subject.app.text, 'abab');
  subject.press('c', ['control']);
  subject.press('v', ['control']);
  t.equal(subject.app.text, 'abababab', 'copying without a selection keeps the clipboard');
});

t.test('caps lock is for iOS, and shift turns it round', async (t) => {
  const subject = notes('ios');
  subject.press('capsLock');
  subject.press('a');
  subject.press('b', ['shift']);
  subject.press('1');
  subject.press('capsLock');
  subject.press('c');
  t.equal(subject.app.text, 'Ab1c');
  const android = notes('android');
  android.press('capsLock');
  android.press('a');
  t.equal(android.app.text, 'a');
});

t.test('a tap puts the caret where the text was tapped', async (t) => {
  const subject = notes('ios', 'first\nsecond\nthird');
  const { x, y } = subject.layout().viewport;
  const { px } = subject.theme;
  subject.tap({ x: x + px(21), y: y + px(74 + 25 + 12) });
  t.equal(subject.app.caret, 6);
  subject.tap({ x: x + px(300), y: y + px(74 + 12) });
  t.equal(subject.app.caret, 5);
});

t.test('10,000 characters stay in reach of the caret', async (t) => {
  const subject = notes('ios', 'many words and '.repeat(666));
  const end = subject.phone.render().version;
  subject.press('z');
  t.ok(subject.phone.render().version > end, 'what is typed at the end shows');
  subject.press('arrowUp');
  subject.press('end');
  t.ok(Number(subject.app.caret) < 9991);
});

t.test('shifted tells of a held shift key and of the shift on the screen', async (t) => {
  const subject = notes();
  t.equal(subject.app.shifted, false);
  subject.phone.keyDown('a', ['shift'], 1);
  t.equal(subject.app.shifted, true);
  subject.phone.keyUp('a', ['shift'], 2);
  t.equal(subject.app.shifted, false);
});

t.test('a reload starts with an empty page', async (t) => {
  const subject = notes('ios', 'gone');
  subject.phone.reload(9);
  t.match(subject.app, { text: '', caret: 0 });
  t.equal(subject.phone.inspect().foreground, 'notes');
});

/** A place in a line of the text. */
function place(subject: ManualPhone, line: number, character: number): { x: number; y: number } {
  const { x, y } = subject.layout().viewport;
  const { px, fonts } = subject.theme;
  const before = fonts.body.width((String(subject.app.text).split('\n')[line] ?? '').slice(0, character));
  return { x: x + px(20) + Math.round(before), y: y + px(74 + 25 * line + 12) };
}

/** Taps an entry of the menu over a selection that begins there, by its place among `names`. */
function tapMenu(
  subject: ManualPhone,
  names: readonly string[],
  name: string,
  area: { x: number; width: number; y: number },
) {
  const { px, fonts } = subject.theme;
  const widths = names.map((each) => Math.ceil(fonts.label.width(each)) + px(26));
  const total = widths.reduce((sum, width) => sum + width, 0);
  const left = Math.max(px(8), Math.round(area.x + area.width / 2 - total / 2));
  const index = names.indexOf(name);
  const x = left + widths.slice(0, index).reduce((sum, width) => sum + width, 0) + (widths[index] ?? 0) / 2;
  subject.tap({ x: Math.round(x), y: area.y });
}

for (const platform of PLATFORMS) {
  t.test(
    `${platform}: a double tap selects the word, and the menu above it selects all, copies, cuts and pastes`,
    async (t) => {
      const subject = notes(platform, 'one two three');
      const at = place(subject, 0, 5);
      subject.tap(at);
      t.match(subject.app, { selection: [5, 5] });
      subject.tap(at);
      t.match(subject.app, { selection: [4, 7] });
      const { fonts, px } = subject.theme;
      const menuY = subject.layout().viewport.y + px(74) - px(30);
      const start = px(20) + Math.round(fonts.body.width('one '));
      const word = { x: start, width: px(20) + Math.round(fonts.body.width('one two')) - start, y: menuY };
      tapMenu(subject, ['Cut', 'Copy', 'Select all'], 'Copy', word);
      t.equal(subject.phone.clipboard, 'two');
      subject.clock.advance(1_000);
      subject.tap(at);
      subject.tap(at);
      tapMenu(subject, ['Cut', 'Copy', 'Paste', 'Select all'], 'Select all', word);
      t.match(subject.app, { selection: [0, 13] });
      const all = { x: px(20), width: Math.round(fonts.body.width('one two three')), y: menuY };
      tapMenu(subject, ['Cut', 'Copy', 'Paste'], 'Cut', all);
      t.match(subject.app, { text: '', caret: 0 });
      t.equal(subject.phone.clipboard, 'one two three');
      subject.clock.advance(1_000);
      const first = place(subject, 0, 0);
      subject.tap(first, 700);
      tapMenu(subject, ['Paste'], 'Paste', { x: px(20), width: 0, y: menuY });
      t.equal(subject.app.text, 'one two three', 'a finger that stays brings the menu');
    },
  );

  t.test(`${platform}: the ends of a selection follow the finger that holds them`, async (t) => {
    const subject = notes(platform, 'one two three\nfour five');
    const at = place(subject, 0, 5);
    subject.tap(at);
    subject.tap(at);
    const { px } = subject.theme;
    const below = (spot: { x: number; y: number }) => ({ x: spot.x, y: spot.y + px(19) });
    subject.swipe(below(place(subject, 0, 7)), below(place(subject, 1, 4)));
    t.match(subject.app, { selection: [4, 18] });
    subject.swipe(below(place(subject, 0, 4)), below(place(subject, 0, 0)));
    t.match(subject.app, { selection: [0, 18] });
    subject.press('backspace');
    t.equal(subject.app.text, ' five');
  });
}

t.test('taps that are apart, in time or in place, select nothing', async (t) => {
  const subject = notes('ios', 'one two three');
  subject.tap(place(subject, 0, 5));
  subject.clock.advance(400);
  subject.tap(place(subject, 0, 5));
  t.match(subject.app, { selection: [5, 5] });
  subject.clock.advance(1_000);
  subject.tap(place(subject, 0, 1));
  subject.tap(place(subject, 0, 12));
  t.match(subject.app, { selection: [12, 12] });
});

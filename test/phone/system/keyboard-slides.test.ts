import { PLATFORMS } from '@runcloud/protocol/terms';
import t from 'tap';
import { boxOf, frames, statusContrast } from '../frames.ts';
import { differing, ManualPhone, words } from '../manual-phone.ts';

/** The keyboard's ground, and the background of Notes behind it. */
const GROUND = { ios: '#d3d5dc', android: '#ece6f2' } as const;
const PAPER = { ios: '#ffffff', android: '#fbf8fd' } as const;
/** Fewer pixels of the ground's colour stem from the search field below an app that fades. */
const LEAST = { ios: 400, android: 8_000 } as const;
const MOTION_MS = 400;

const long = 'a line that is long enough to be broken '.repeat(30);

/** Whatever brings Notes and its keyboard to the screen, or takes them away. */
const ACTS: readonly (readonly [title: string, act: (subject: ManualPhone) => void])[] = [
  ['it opens from its icon', (subject) => subject.tap(subject.icon('notes'), 0)],
  ['the keyboard is put away', ({ phone }) => phone.toggleSoftwareKeyboard(1)],
  ['the keyboard comes back', ({ phone }) => phone.toggleSoftwareKeyboard(2)],
  ['it closes', (subject) => subject.button('home', 0)],
  ['it opens while it closes', (subject) => subject.tap(subject.icon('notes'), 0)],
  ['the switcher takes its place', (subject) => subject.button('recents', 0)],
  ['it comes back from the switcher', (subject) => subject.button('recents', 0)],
];

for (const platform of PLATFORMS) {
  t.test(`${platform}: at no frame is the keyboard on the screen while its app is not`, async (t) => {
    for (const stepMs of [MOTION_MS, 80]) {
      const subject = new ManualPhone(platform);
      let seen = 0;
      for (const [title, act] of ACTS) {
        act(subject);
        for (const picture of frames(subject, stepMs)) {
          const keyboard = boxOf(picture, GROUND[platform], LEAST[platform]);
          if (!keyboard) continue;
          seen++;
          // Above the keyboard, whose keys are as white as the paper of iOS.
          const app = boxOf(picture, PAPER[platform], 2_000, keyboard.top);
          const inside = app && keyboard.left >= app.left - 40 && keyboard.right <= app.right + 40;
          if (!inside) t.fail(`${title}: the keyboard is alone`, { keyboard, app });
        }
      }
      t.ok(seen > 10, `the keyboard was in ${seen} pictures`);
    }
  });

  t.test(`${platform}: the keyboard slides in over its app and out again, in many steps`, async (t) => {
    const subject = new ManualPhone(platform);
    subject.open('notes');
    const rest = subject.layout(true).keyboard?.y ?? 0;
    const topOf = () => {
      const tops: number[] = [];
      for (const picture of frames(subject, MOTION_MS))
        tops.push(boxOf(picture, GROUND[platform], 40)?.top ?? picture.height);
      return tops;
    };
    subject.phone.toggleSoftwareKeyboard(1);
    const out = topOf();
    subject.phone.toggleSoftwareKeyboard(2);
    const back = topOf();
    for (const tops of [out, [...back].reverse()]) {
      t.equal(tops[0], rest);
      t.equal(tops.at(-1), subject.size.height);
      t.ok(
        tops.every((top, index) => index === 0 || top >= (tops[index - 1] ?? 0)),
        'it goes one way only',
      );
      t.ok(new Set(tops).size > 8, `${new Set(tops).size} places`);
    }
    t.equal(subject.phone.animating, false);
  });

  t.test(`${platform}: the text moves up with the keyboard, and the line with the caret ends above it`, async (t) => {
    const subject = new ManualPhone(platform);
    subject.open('notes');
    subject.phone.toggleSoftwareKeyboard(1);
    subject.phone.typeText(long, 2);
    subject.clock.advance(MOTION_MS);
    const accent = platform === 'ios' ? '#007aff' : '#5b4bb5';
    subject.phone.toggleSoftwareKeyboard(3);
    const carets: number[] = [];
    for (const picture of frames(subject, MOTION_MS)) {
      const caret = boxOf(picture, accent, 1, boxOf(picture, GROUND[platform], 40)?.top);
      if (caret) carets.push(caret.bottom);
    }
    t.ok((carets.at(-1) ?? 0) < (subject.layout(true).keyboard?.y ?? 0), 'the caret is in sight at the end');
    t.ok(
      carets.every((row, index) => index === 0 || row <= (carets[index - 1] ?? 0)),
      'it goes up only',
    );
    t.ok(new Set(carets).size > 6, `in ${new Set(carets).size} places`);
  });

  t.test(`${platform}: the time in the status bar can be read in every frame, whatever is under it`, async (t) => {
    for (const app of ['notes', 'motion', 'settings']) {
      const subject = new ManualPhone(platform);
      const least = () =>
        Math.min(...[...frames(subject, MOTION_MS)].map((picture) => statusContrast(subject, picture)));
      subject.tap(subject.icon(app), 0);
      t.ok(least() > 70, `${app} opens`);
      subject.button('home', 0);
      t.ok(least() > 70, `${app} closes`);
    }
  });

  t.test(`${platform}: without animations everything is at its end at once, also what is on its way`, async (t) => {
    const [moving, still] = [new ManualPhone(platform), new ManualPhone(platform)];
    still.phone.settings.setAnimations(false);
    const acts: readonly ((subject: ManualPhone) => void)[] = [
      (subject) => subject.tap(subject.icon('notes'), 0),
      (subject) => subject.phone.toggleSoftwareKeyboard(1),
      (subject) => subject.button('home', 0),
    ];
    for (const act of acts) {
      for (const subject of [moving, still]) act(subject);
      t.equal(still.phone.animating, false);
      t.ok(differing(words(moving.phone.render()), words(still.phone.render())).length > 0, 'the other one moves');
      moving.clock.advance(MOTION_MS);
      still.clock.advance(MOTION_MS);
      t.equal(differing(words(moving.phone.render()), words(still.phone.render())).length, 0);
    }
    moving.tap(moving.icon('notes'), 0);
    moving.phone.settings.setAnimations(false);
    t.equal(moving.phone.animating, false);
    const arrived = words(moving.phone.render());
    moving.clock.advance(MOTION_MS);
    t.equal(differing(arrived, words(moving.phone.render())).length, 0);
  });
}

t.test('slow animations make the keyboard ten times slower', async (t) => {
  const subject = new ManualPhone('ios');
  subject.open('notes');
  subject.phone.setRenderDebug('slowAnimations', true, 1);
  subject.phone.toggleSoftwareKeyboard(2);
  subject.clock.advance(2_400);
  t.equal(subject.phone.animating, true);
  subject.clock.advance(200);
  t.equal(subject.phone.animating, false);
});

import { PLATFORMS } from '@runcloud/protocol/terms';
import t from 'tap';
import { frames } from './frames.ts';
import { differing, ManualPhone, words } from './manual-phone.ts';
import { MOTION_MS_MAX, MOTIONS } from './motions.ts';

/** A motion of 250 ms at 60 pictures a second has 15 steps; the last ones of a slow end may be the same to the pixel. */
const STEPS_LEAST = 11;

for (const platform of PLATFORMS) {
  for (const { title, prepare, act, platforms = PLATFORMS } of MOTIONS) {
    if (!platforms.includes(platform)) continue;
    t.test(
      `${platform}: ${title}, drawn step by step, and ends where it leads at once without animations`,
      async (t) => {
        const [subject, still] = [new ManualPhone(platform), new ManualPhone(platform)];
        still.phone.settings.setAnimations(false);
        for (const phone of [subject, still]) {
          prepare(phone);
          phone.clock.advance(MOTION_MS_MAX);
          phone.phone.render();
        }
        let version = subject.phone.render().version;
        act(subject);
        t.equal(subject.phone.animating, true, 'it moves');
        let steps = 0;
        let rests = 0;
        let pauses = 0;
        let isWhole = true;
        let count = 0;
        for (const picture of frames(subject, MOTION_MS_MAX)) {
          const isStep = picture.version > version;
          if (isStep && steps > 0 && rests > 0) pauses++;
          if (isStep) steps++;
          rests = isStep ? 0 : rests + 1;
          version = picture.version;
          // Now and then, since it draws everything twice.
          if (count++ % 6 !== 3) continue;
          const shown = words(picture);
          const anew = subject.phone.redraw();
          version = anew.version;
          isWhole = isWhole && differing(shown, words(anew)).length === 0;
        }
        t.ok(steps >= STEPS_LEAST, `${steps} steps`);
        t.equal(pauses, 0, 'none between two steps is as the one before');
        t.ok(isWhole, 'each step equals one drawn anew');
        t.equal(subject.phone.animating, false, 'it ends');
        act(still);
        t.equal(still.phone.animating, false);
        t.equal(differing(words(subject.phone.render()), words(still.phone.render())).length, 0, 'both end the same');
      },
    );
  }
}

t.test('phones that move at the same time draw as each of them does alone', async (t) => {
  const moving = (title: string) => {
    const subject = new ManualPhone('ios');
    const motion = MOTIONS.find((other) => other.title === title);
    motion?.prepare(subject);
    subject.clock.advance(MOTION_MS_MAX);
    motion?.act(subject);
    t.equal(subject.phone.animating, true, title);
    return frames(subject, MOTION_MS_MAX);
  };
  const alone: Uint32Array[] = [];
  for (const picture of moving('an app closes')) alone.push(words(picture));
  const other = moving('the app switcher goes home');
  for (const picture of moving('an app closes')) {
    const expected = alone.shift() ?? new Uint32Array();
    t.equal(differing(expected, words(picture)).length, 0);
    other.next();
  }
});

t.test('slow animations make every motion ten times slower', async (t) => {
  for (const { title, prepare, act, platforms = PLATFORMS } of MOTIONS) {
    if (!platforms.includes('ios')) continue;
    const subject = new ManualPhone('ios');
    prepare(subject);
    subject.clock.advance(MOTION_MS_MAX);
    subject.phone.setRenderDebug('slowAnimations', true, subject.nextSeq());
    act(subject);
    subject.clock.advance(2_400);
    t.equal(subject.phone.animating, true, title);
    subject.clock.advance(MOTION_MS_MAX * 10 - 2_400);
    t.equal(subject.phone.animating, false, title);
  }
});

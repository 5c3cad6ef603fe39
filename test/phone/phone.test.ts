import { PLATFORMS } from '@runcloud/protocol/terms';
import t from 'tap';
import { differing, ManualPhone, seeded, words } from './manual-phone.ts';
import { randomInput } from './random-inputs.ts';

const SEEDS = [1, 2, 3, 4];

for (const platform of PLATFORMS) {
  t.test(`${platform}: after any inputs the picture equals one drawn anew, byte for byte`, async (t) => {
    for (const seed of SEEDS) {
      const random = seeded(seed);
      const subject = new ManualPhone(platform);
      const failures: string[] = [];
      for (let step = 0; step < 100; step++) {
        randomInput(subject, random);
        const shown = words(subject.phone.render());
        const anew = words(subject.phone.redraw());
        if (differing(shown, anew).length > 0) failures.push(`seed ${seed}, step ${step}`);
      }
      t.same(failures, []);
    }
  });

  t.test(`${platform}: a phone that was looked at often equals one that was never looked at before`, async (t) => {
    for (const seed of SEEDS) {
      const watched = new ManualPhone(platform);
      const unwatched = new ManualPhone(platform);
      const [first, second] = [seeded(seed), seeded(seed)];
      for (let step = 0; step < 100; step++) {
        randomInput(watched, first);
        watched.phone.render();
        randomInput(unwatched, second);
      }
      const difference = differing(words(watched.phone.render()), words(unwatched.phone.render()));
      t.equal(difference.length, 0, `seed ${seed}`);
      t.same(watched.phone.inspect(), unwatched.phone.inspect());
    }
  });

  t.test(`${platform}: the damage covers every pixel that changed, and stays inside the picture`, async (t) => {
    const random = seeded(77);
    const subject = new ManualPhone(platform);
    let before = words(subject.phone.render());
    let orientation = subject.phone.orientation;
    for (let step = 0; step < 160; step++) {
      randomInput(subject, random);
      const picture = subject.phone.render();
      const after = words(picture);
      const { width, height, damage } = picture;
      const outside = damage.filter(({ x, y, ...r }) => x < 0 || y < 0 || x + r.width > width || y + r.height > height);
      if (outside.length > 0) t.fail('damage outside of the picture', { outside });
      if (orientation === picture.orientation) {
        const missed = differing(before, after).filter((index) => {
          const x = index % width;
          const y = Math.floor(index / width);
          return !damage.some((r) => x >= r.x && y >= r.y && x < r.x + r.width && y < r.y + r.height);
        });
        if (missed.length > 0) t.fail(`step ${step} missed ${missed.length} pixels`);
      }
      before = after;
      orientation = picture.orientation;
    }
    t.ok(subject.phone.render().version > 50, 'the picture changed many times');
  });

  t.test(`${platform}: every pixel is opaque in each app`, async (t) => {
    const subject = new ManualPhone(platform);
    for (const app of ['touch-lab', 'notes', 'browser', 'settings', 'scroll', 'motion']) {
      subject.open(app);
      t.equal(subject.phone.inspect().foreground, app);
      t.ok(words(subject.phone.render()).every((word) => word >>> 24 === 255));
    }
  });
}

t.test('nothing is drawn when nothing changes: the picture stays the same object', async (t) => {
  const { phone, clock } = new ManualPhone('ios');
  const picture = phone.render();
  clock.advance(5000);
  t.equal(phone.render(), picture);
  phone.keyDown('a', [], 1);
  t.equal(phone.render(), picture, 'a key on the home screen changes no pixel');
});

t.test('a picture carries the newest input and a version that rises with each change', async (t) => {
  const subject = new ManualPhone('ios');
  const first = subject.phone.render();
  t.match(first, { inputSeq: 0, version: 1, damage: [{ x: 0, y: 0, width: 590, height: 1280 }] });
  subject.phone.buttonDown('volumeUp', 41);
  const second = subject.phone.render();
  t.match(second, { inputSeq: 41, version: 2, orientation: 'portrait' });
  t.equal(second.pixels, first.pixels, 'one framebuffer lives as long as the phone');
});

t.test('the minute on the clock changes the picture by itself', async (t) => {
  const { phone, clock } = new ManualPhone('ios');
  const version = phone.render().version;
  let told = 0;
  phone.onChange(() => told++);
  clock.advance(29_000);
  t.equal(told, 0);
  clock.advance(1_000);
  t.equal(told, 1);
  t.equal(phone.animating, false);
  t.equal(phone.render().version, version + 1);
});

t.test('a change is told once until the next picture is taken', async (t) => {
  const subject = new ManualPhone('android');
  subject.phone.render();
  let told = 0;
  subject.phone.onChange(() => told++);
  subject.button('volumeUp');
  subject.button('volumeUp');
  t.equal(told, 1);
  subject.phone.render();
  subject.button('volumeUp');
  t.equal(told, 2);
});

t.test('an animation ends with a picture that equals one drawn anew, and is over then', async (t) => {
  const subject = new ManualPhone('ios');
  subject.phone.render();
  subject.tap(subject.icon('settings'));
  t.equal(subject.phone.animating, true);
  const versions = new Set<number>();
  for (let frame = 0; frame < 20 && subject.phone.animating; frame++) {
    versions.add(subject.phone.render().version);
    subject.clock.advance(16);
  }
  t.equal(subject.phone.animating, false);
  t.ok(versions.size > 8, 'it was seen to move');
  t.same(differing(words(subject.phone.render()), words(subject.phone.redraw())), []);
});

t.test('a closed phone holds no timer', async (t) => {
  const subject = new ManualPhone('ios');
  subject.phone.buttonDown('power', 1);
  subject.phone.buttonDown('volumeUp', 2);
  subject.phone.simulateMemoryWarning(3);
  t.ok(subject.clock.pending > 2);
  subject.phone.close();
  t.equal(subject.clock.pending, 0);
});

t.test('the log of events holds the newest 200', async (t) => {
  const subject = new ManualPhone('ios');
  for (let count = 0; count < 700; count++) subject.press('a');
  subject.phone.rotate('landscape_left', 9);
  const { events } = subject.phone.inspect();
  t.equal(events.length, 200);
  t.match(events.at(-1), { type: 'rotate', detail: { orientation: 'landscape_left' } });
});

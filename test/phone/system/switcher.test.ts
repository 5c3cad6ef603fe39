import { PLATFORMS } from '@runcloud/protocol/terms';
import t from 'tap';
import type { AppDefinition } from '../../../server/phone/apps/app.ts';
import { frames } from '../frames.ts';
import { differing, ManualPhone, words } from '../manual-phone.ts';
import { MOTION_MS_MAX } from '../motions.ts';

function opened(platform: 'ios' | 'android'): ManualPhone {
  const subject = new ManualPhone(platform);
  for (const app of ['notes', 'settings', 'scroll']) subject.open(app);
  subject.button('recents');
  return subject;
}

for (const platform of PLATFORMS) {
  t.test(`${platform}: a tap on a card opens its app`, async (t) => {
    const subject = opened(platform);
    subject.tap({ x: 280, y: 640 });
    t.equal(subject.phone.inspect().foreground, 'scroll');
  });

  t.test(`${platform}: cards move with the finger, so that older ones can be reached`, async (t) => {
    const subject = opened(platform);
    subject.swipe({ x: 150, y: 640 }, { x: 500, y: 640 });
    subject.tap({ x: 280, y: 640 });
    t.equal(subject.phone.inspect().foreground, 'settings');
  });

  t.test(`${platform}: a card thrown upwards closes its app`, async (t) => {
    const subject = opened(platform);
    subject.swipe({ x: 280, y: 800 }, { x: 280, y: 400 });
    t.same(subject.app.cards, ['settings', 'notes']);
    subject.swipe({ x: 280, y: 800 }, { x: 280, y: 780 });
    t.same(subject.app.cards, ['settings', 'notes'], 'a small movement does not');
  });
}

t.test('a closed app starts anew', async (t) => {
  const subject = new ManualPhone('ios');
  subject.open('notes');
  subject.phone.typeText('forgotten', 1);
  subject.button('recents');
  subject.swipe({ x: 280, y: 800 }, { x: 280, y: 300 });
  t.same(subject.app.cards, []);
  subject.open('notes');
  t.equal(subject.app.text, '');
});

t.test('an app that was only left keeps what it was in', async (t) => {
  const subject = new ManualPhone('ios');
  subject.open('notes');
  subject.phone.typeText('kept', 1);
  subject.open('scroll');
  subject.open('notes');
  t.equal(subject.app.text, 'kept');
});

t.test('a tap beside the cards goes home', async (t) => {
  const subject = opened('ios');
  subject.tap({ x: 300, y: 1200 });
  t.equal(subject.phone.inspect().foreground, 'home');
});

/** An app that tells how often its one picture was drawn. */
function drawnApp() {
  const told = { drawn: 0 };
  const pixels = new Uint32Array(100).fill(0xff00c000);
  const sprite = {
    width: 10,
    height: 10,
    opaqueFrom: 0,
    opaqueTo: 10,
    get words() {
      told.drawn++;
      return pixels;
    },
  };
  const definition: AppDefinition = {
    id: 'drawn',
    name: 'Drawn',
    docked: false,
    create: () => ({
      id: 'drawn',
      background: 0xffffffff,
      immersive: false,
      resize: () => undefined,
      touch: () => undefined,
      paint: (scene) => scene.sprite(sprite, 0, 0),
      animating: () => false,
      save: () => ({}),
      restore: () => undefined,
      inspect: () => ({}),
    }),
  };
  return { definition, told };
}

for (const platform of PLATFORMS) {
  t.test(`${platform}: the card of an app that has left the front is drawn before the switcher comes`, async (t) => {
    const { definition, told } = drawnApp();
    const subject = new ManualPhone(platform, 'portrait', [definition]);
    subject.open('drawn');
    subject.open('scroll');
    subject.clock.advance(1_000);
    subject.phone.render();
    told.drawn = 0;
    subject.button('recents', 0);
    for (const _ of frames(subject, MOTION_MS_MAX));
    t.equal(told.drawn, 0);
  });

  t.test(`${platform}: a card that was drawn ahead shows its app as it is now`, async (t) => {
    const [ahead, late] = [new ManualPhone(platform), new ManualPhone(platform)];
    for (const subject of [ahead, late]) {
      for (const app of ['notes', 'settings', 'scroll']) subject.open(app);
      if (subject === ahead) subject.clock.advance(1_000);
      subject.phone.settings.setAppearance('dark');
      subject.phone.rotate('landscape_left', subject.nextSeq());
      subject.button('recents');
      subject.clock.advance(MOTION_MS_MAX);
    }
    t.equal(differing(words(ahead.phone.render()), words(late.phone.render())).length, 0);
  });
}

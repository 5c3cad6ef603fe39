import { PLATFORMS } from '@runcloud/protocol/terms';
import t from 'tap';
import { ManualPhone } from '../manual-phone.ts';

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

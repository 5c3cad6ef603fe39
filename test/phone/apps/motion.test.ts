import t from 'tap';
import { differing, ManualPhone, words } from '../manual-phone.ts';

function motion(): ManualPhone {
  const subject = new ManualPhone('android');
  subject.open('motion');
  subject.phone.render();
  return subject;
}

t.test('the scene never stands still, and a third to a half of the screen changes', async (t) => {
  const subject = motion();
  for (let frame = 0; frame < 10; frame++) {
    t.equal(subject.phone.animating, true);
    const version = subject.phone.render().version;
    subject.clock.advance(17);
    const { width, height, damage, ...picture } = subject.phone.render();
    t.equal(picture.version, version + 1);
    const share = damage.reduce((sum, rect) => sum + rect.width * rect.height, 0) / (width * height);
    t.ok(share > 0.3 && share < 0.55, `${share}`);
  }
});

t.test('the same moment gives the same picture', async (t) => {
  const [first, second] = [motion(), motion()];
  first.clock.advance(1234);
  for (let step = 0; step < 1234; step += 2) {
    second.clock.advance(2);
    if (step % 50 === 0) second.phone.render();
  }
  t.same(differing(words(first.phone.render()), words(second.phone.render())), []);
});

t.test('it rests while another app is in front and while the screen is off', async (t) => {
  const subject = motion();
  subject.button('power');
  subject.phone.render();
  t.equal(subject.phone.animating, false);
  subject.button('power');
  subject.phone.render();
  subject.clock.advance(400);
  subject.phone.render();
  t.equal(subject.phone.animating, false, 'behind the lock screen');
  const { version } = subject.phone.render();
  subject.phone.releaseAll();
  t.equal(subject.phone.render().version, version);
  subject.unlock();
  t.equal(subject.phone.animating, true);
  subject.button('home');
  subject.clock.advance(300);
  subject.phone.render();
  t.equal(subject.phone.animating, false);
});

t.test('slow animations slow the scene ten times', async (t) => {
  const subject = new ManualPhone('ios');
  subject.open('motion');
  const before = Number(subject.app.elapsedMs);
  subject.phone.setRenderDebug('slowAnimations', true, 1);
  subject.clock.advance(1000);
  t.equal(Math.round(Number(subject.app.elapsedMs) - before), 100);
});

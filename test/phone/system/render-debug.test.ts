import { RENDER_OPTIONS } from '@runcloud/protocol/terms';
import t from 'tap';
import { differing, ManualPhone, words } from '../manual-phone.ts';

for (const option of RENDER_OPTIONS) {
  if (option === 'slowAnimations') continue;
  t.test(`${option} shows on the home screen while it is on`, async (t) => {
    const subject = new ManualPhone('ios');
    const before = words(subject.phone.render());
    subject.phone.setRenderDebug(option, true, 1);
    t.same(subject.phone.inspect().renderOptions, [option]);
    t.ok(differing(before, words(subject.phone.render())).length > 1000);
    subject.phone.setRenderDebug(option, false, 2);
    t.same(differing(before, words(subject.phone.render())), []);
  });
}

t.test('each option has a picture of its own', async (t) => {
  const pictures = RENDER_OPTIONS.filter((option) => option !== 'slowAnimations').map((option) => {
    const subject = new ManualPhone('ios');
    subject.phone.setRenderDebug(option, true, 1);
    return Buffer.from(subject.phone.render().pixels).toString('latin1');
  });
  t.equal(new Set(pictures).size, pictures.length);
});

t.test('slow animations open an app ten times slower', async (t) => {
  const subject = new ManualPhone('ios');
  subject.phone.setRenderDebug('slowAnimations', true, 1);
  subject.tap(subject.icon('settings'));
  t.equal(subject.phone.inspect().foreground, 'settings', 'the model has changed at once');
  subject.phone.render();
  subject.clock.advance(2900);
  t.equal(subject.phone.animating, true);
  subject.phone.render();
  subject.clock.advance(200);
  subject.phone.render();
  t.equal(subject.phone.animating, false);
});

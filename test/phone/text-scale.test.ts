import type { UiNode } from '@runcloud/protocol';
import t from 'tap';
import { TEXT_SCALES } from '../../server/phone/theme.ts';
import { ManualPhone } from './manual-phone.ts';
import { nodesOf } from './ui-places.ts';

const isSame = (one: Uint8Array, other: Uint8Array) => Buffer.compare(one, other) === 0;
const CONTROLS = ['button', 'link', 'textfield', 'switch', 'cell', 'image', 'list'];
/** Those that a person acts on, with their places. */
const controls = (nodes: readonly UiNode[]) =>
  nodes
    .filter(({ role, id }) => CONTROLS.includes(role) && id !== 'system.clock')
    .map(({ role, name, id, frame }) => ({ role, name, id, frame }));

for (const platform of ['ios', 'android'] as const) {
  t.test(`text grows, and controls stay where they are, on ${platform}`, async (t) => {
    const phone = new ManualPhone(platform);
    t.teardown(() => phone.phone.close());
    for (const app of ['home', 'settings', 'browser', 'notes', 'scroll', 'motion', 'touch-lab']) {
      if (app !== 'home') phone.phone.launchApp({ app, arguments: {} }, phone.nextSeq());
      if (app === 'notes')
        phone.phone.typeText('A text of some words that is longer than its line is wide', phone.nextSeq());
      phone.clock.advance(300);
      phone.phone.settings.setTextScale(1);
      phone.clock.advance(300);
      const usual = phone.phone.render().pixels.slice();
      const before = nodesOf(phone);
      for (const textScale of [1.35, TEXT_SCALES.max, TEXT_SCALES.min]) {
        phone.phone.settings.setTextScale(textScale);
        phone.clock.advance(300);
        const picture = phone.phone.render().pixels.slice();
        t.notOk(isSame(picture, usual), `${app} at ${textScale}`);
        t.ok(isSame(phone.phone.redraw().pixels, picture), 'nothing of before is left');
        t.same(controls(nodesOf(phone)), controls(before), `its controls at ${textScale}`);
      }
      phone.phone.settings.setTextScale(1);
      phone.clock.advance(300);
      const again = phone.phone.render().pixels;
      // That app never stands still.
      if (app !== 'motion') t.ok(isSame(again, usual), 'and it is put back');
    }
  });

  t.test(`lines of a text grow with it, on ${platform}`, async (t) => {
    const phone = new ManualPhone(platform);
    t.teardown(() => phone.phone.close());
    phone.phone.launchApp({ app: 'settings', arguments: {} }, phone.nextSeq());
    phone.clock.advance(300);
    const heading = () => nodesOf(phone).find(({ role, name }) => role === 'heading' && name === 'Settings')?.frame;
    const usual = heading();
    phone.phone.settings.setTextScale(1.5);
    const large = heading();
    t.ok(usual && large && large.width > usual.width * 1.4 && large.height > usual.height * 1.4, 'the tree tells it');
    phone.phone.settings.setTextScale(4);
    t.equal(phone.phone.settings.textScale, TEXT_SCALES.max, 'the nearest that there is');
    phone.phone.settings.setTextScale(0.5);
    t.equal(phone.phone.settings.textScale, TEXT_SCALES.min);
  });
}

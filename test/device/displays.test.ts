import t from 'tap';
import { withActive } from '../../server/device/displays.ts';
import { FOLDABLE } from '../support/folding-device.ts';
import { DESCRIPTOR } from '../support/scripted-device.ts';

t.test('another active display gives the device its size, and one display stays active', async (t) => {
  t.match(withActive(FOLDABLE, 'outer'), {
    width: 2,
    height: 6,
    displays: [
      { name: 'inner', active: false },
      { name: 'outer', active: true },
    ],
  });
  t.strictSame(withActive(withActive(FOLDABLE, 'outer'), 'inner'), FOLDABLE);
});

t.test('a name that is none of its displays changes nothing', async (t) => {
  t.equal(withActive(FOLDABLE, 'rear'), FOLDABLE);
  t.equal(withActive(DESCRIPTOR, 'inner'), DESCRIPTOR);
});

import t from 'tap';
import type { Picture, Rect } from '../../server/device/driver.ts';
import { centre } from '../../server/phone/geometry.ts';
import { VIRTUAL_VARIANTS } from '../../server/phone/models.ts';
import type { VirtualPhone } from '../../server/phone/phone.ts';
import { differing, ManualPhone, words } from './manual-phone.ts';

const FOLD = VIRTUAL_VARIANTS['virtual-android-fold'].descriptor;

const [INNER, OUTER] = FOLD.displays ?? [];
const DARK = 0xff000000;

const openFold = () => new ManualPhone('android', 'portrait', [], FOLD);

const same = (picture: Picture | undefined, pixels: Uint32Array) =>
  picture !== undefined && differing(words(picture), pixels).length === 0;

const isDark = (phone: VirtualPhone, name: string) =>
  words(phone.viewOf(name)?.render() ?? phone.render()).every((word) => word === DARK);

t.test('folded it shows everything on its outer display, and unfolded on its inner one again', async (t) => {
  const { phone } = openFold();
  const unfolded = phone.render();
  t.match(unfolded, { display: 'inner', width: INNER?.width, height: INNER?.height });
  const before = words(unfolded);
  phone.fold(true);
  const folded = phone.render();
  t.match(folded, { display: 'outer', width: OUTER?.width, height: OUTER?.height, version: unfolded.version + 1 });
  t.match(phone.inspect(), { display: 'outer', events: [{ type: 'fold', detail: { folded: true } }] });
  t.ok(same(folded, words(phone.redraw())));
  phone.fold(false);
  t.ok(same(phone.render(), before));
});

t.test('a display that is looked at by name is dark while the other one is active', async (t) => {
  const { phone } = openFold();
  const active = phone.render();
  t.ok(same(phone.viewOf('inner')?.render(), words(active)));
  t.match(phone.viewOf('outer')?.render(), { display: 'outer', width: OUTER?.width, height: OUTER?.height });
  t.equal(isDark(phone, 'outer'), true);
  const told: string[] = [];
  for (const name of ['inner', 'outer']) phone.viewOf(name)?.onChange(() => void told.push(name));
  phone.fold(true);
  t.same(told.sort(), ['inner', 'outer']);
  t.equal(isDark(phone, 'inner'), true);
  t.ok(same(phone.viewOf('outer')?.render(), words(phone.render())));
  t.equal(phone.viewOf('rear'), undefined);
});

t.test('a finger that is down is lifted without an effect, and the next one hits the other display', async (t) => {
  const { phone } = openFold();
  phone.touch('begin', [{ x: 0.5, y: 0.5 }], 1);
  phone.fold(true);
  t.same(phone.inspect().pointers, []);
  phone.touch('begin', [{ x: 1, y: 1 }], 2);
  t.same(phone.inspect().pointers, [{ x: (OUTER?.width ?? 0) - 1, y: (OUTER?.height ?? 0) - 1 }]);
});

t.test('the orientation stays when it is folded', async (t) => {
  const { phone } = openFold();
  phone.rotate('landscape_left', 1);
  phone.fold(true);
  t.match(phone.render(), { orientation: 'landscape_left', width: OUTER?.height, height: OUTER?.width });
});

t.test('its Settings have a switch that folds it', async (t) => {
  const subject = openFold();
  const { phone } = subject;
  const folded: (string | undefined)[] = [];
  phone.onFold(() => void folded.push(phone.display));
  for (const display of ['outer', 'inner']) {
    subject.open('settings');
    const [area] = subject.app.switches as (Rect & { option: string })[];
    t.match(area, { option: 'folded' });
    const { x, y } = centre(area ?? { x: 0, y: 0, width: 0, height: 0 });
    subject.tap({ x, y: y + subject.layout().viewport.y });
    t.match(phone.inspect(), { display, foreground: 'settings', pointers: [] });
  }
  t.same(folded, ['outer', 'inner']);
});

t.test('a phone with one display does not fold', async (t) => {
  const { phone } = new ManualPhone('android');
  const picture = phone.render();
  phone.fold(true);
  t.equal(phone.render(), picture);
  t.notOk('display' in picture || 'display' in phone.inspect());
  t.equal(phone.viewOf('inner'), undefined);
});

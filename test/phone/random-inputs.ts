import { BUTTONS, CAPABILITIES, KEYS, MODIFIERS } from '@runcloud/protocol/terms';
import { BUILT_IN_APPS } from '../../server/phone/apps/catalogue.ts';
import type { ManualPhone } from './manual-phone.ts';

type Random = () => number;

function pick<Value>(random: Random, values: readonly Value[]): Value {
  const value = values[Math.floor(random() * values.length)];
  if (value === undefined) throw new Error('nothing to pick from');
  return value;
}

/** Does one thing that a person or a client could do, chosen by `random`. */
export function randomInput(phone: ManualPhone, random: Random): void {
  const { width, height } = phone.size;
  const spot = () => ({ x: Math.floor(random() * width), y: Math.floor(random() * height) });
  const actions: readonly (() => void)[] = [
    () => phone.tap(spot(), 20 + Math.floor(random() * 700)),
    () => phone.tap(spot()),
    () => phone.swipe(spot(), spot(), 50 + Math.floor(random() * 30) * 10),
    () => phone.phone.touch('begin', [phone.point(spot())], phone.nextSeq()),
    () => phone.phone.touch('move', [phone.point(spot()), phone.point(spot())], phone.nextSeq()),
    () => phone.phone.touch('end', [phone.point(spot())], phone.nextSeq()),
    () => phone.press(pick(random, KEYS), random() < 0.4 ? [pick(random, MODIFIERS)] : []),
    () =>
      phone.phone.typeText(pick(random, ['Hello', 'a\nb', 'wide words wrap\twhen they are long ']), phone.nextSeq()),
    () => phone.button(pick(random, CAPABILITIES[phone.platform].buttons), pick(random, [50, 700, 1200])),
    () => phone.phone.buttonDown(pick(random, BUTTONS.slice(6, 8)), phone.nextSeq()),
    () => phone.phone.rotate(pick(random, CAPABILITIES[phone.platform].orientations), phone.nextSeq()),
    () => phone.phone.scroll(0, random() * 2 - 1, undefined, phone.nextSeq()),
    () => phone.phone.toggleSoftwareKeyboard(phone.nextSeq()),
    () => phone.phone.simulateMemoryWarning(phone.nextSeq()),
    () => phone.phone.reload(phone.nextSeq()),
    () => phone.phone.releaseAll(),
    () => phone.open(pick(random, BUILT_IN_APPS).id),
    () => phone.open(pick(random, BUILT_IN_APPS).id),
    () => phone.clock.advance(Math.floor(random() * 400)),
    () => renderOption(phone, random),
  ];
  pick(random, actions)();
}

function renderOption(phone: ManualPhone, random: Random): void {
  const options = CAPABILITIES[phone.platform].renderOptions;
  if (options.length > 0) phone.phone.setRenderDebug(pick(random, options), random() < 0.4, phone.nextSeq());
}

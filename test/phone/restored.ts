import type { Platform } from '@runcloud/protocol';
import type { Test as Tap } from 'tap';
import { VIRTUAL_VARIANTS } from '../../server/phone/models.ts';
import { savedPhoneFault } from '../../server/phone/saved-state.ts';
import { ManualPhone } from './manual-phone.ts';
import { randomInput } from './random-inputs.ts';
import { SHOPS, tap } from './ui-places.ts';

/** Longer than any motion, and than a notice is shown. */
const AT_REST_MS = 10_000;

/** Numbers from 0 to 1 that follow from a seed (mulberry32). */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

export type Walked = Platform | 'fold';

const phoneOf = (which: Walked): ManualPhone =>
  which === 'fold'
    ? new ManualPhone('android', 'portrait', [SHOPS.android], VIRTUAL_VARIANTS['virtual-android-fold'].descriptor)
    : new ManualPhone(which, 'portrait', [SHOPS[which]]);

/** One thing that random inputs seldom do. */
function seldom(phone: ManualPhone, random: () => number): void {
  const { phone: device } = phone;
  const things: readonly (() => void)[] = [
    () => device.openUrl('shop://open/1', phone.nextSeq()),
    () => device.openUrl('https://example.com/', phone.nextSeq()),
    () => device.openUrl('https://card.test/runcloud-card?n=7', phone.nextSeq()),
    () => device.settings.setAppearance(random() < 0.5 ? 'dark' : 'light'),
    () => device.settings.setLocale(random() < 0.5 ? 'de-DE' : 'en-GB'),
    () => device.settings.setNetwork(random() < 0.5 ? 'offline' : 'online'),
    () => device.fold(random() < 0.5),
    () => device.apps.uninstall('com.example.shop'),
    () => device.apps.setPermission({ app: 'com.example.shop', permission: 'photos', access: 'grant' }),
    () => tap(phone, `app.permission.${random() < 0.5 ? 'camera' : 'location'}`),
    () => device.apps.authenticate(random() < 0.5),
    () => device.apps.push({ app: 'com.example.shop', payload: { aps: { alert: `order ${random()}` } } }),
    () => {
      device.location = { latitude: random() * 90, longitude: 13.4 };
    },
    () => {
      device.clipboard = `copied ${random()}`;
    },
  ];
  try {
    things[Math.floor(random() * things.length)]?.();
  } catch {
    // A dark phone opens nothing, and an app is uninstalled once.
  }
}

function walk(phone: ManualPhone, random: () => number, steps: number): void {
  for (let step = 0; step < steps; step++) {
    if (random() < 0.1) seldom(phone, random);
    else randomInput(phone, random);
  }
}

function rest(phone: ManualPhone): void {
  phone.phone.releaseAll();
  phone.clock.advance(AT_REST_MS);
}

function judgeEqual(t: Tap, one: ManualPhone, other: ManualPhone, when: string): boolean {
  const [first, second] = [one.phone.redraw(), other.phone.redraw()];
  const isSame = Buffer.compare(first.pixels, second.pixels) === 0 && first.width === second.width;
  return (
    t.ok(isSame, `${when}: the pixels are equal`) &&
    t.same(other.phone.describe(), one.phone.describe(), `${when}: the tree is equal`)
  );
}

/** Walks through a phone, saves it, and compares it with another one that takes its state over, then and after more inputs. */
export function judgeRestored(t: Tap, which: Walked, seed: number): boolean {
  const [one, other] = [phoneOf(which), phoneOf(which)];
  const random = randomOf(seed);
  walk(one, random, 40);
  rest(one);
  // Not a new one either: nothing of what it was is left.
  walk(other, randomOf(seed + 1_000_000), 15);
  other.clock.advance(one.clock.nowMs() - other.clock.nowMs());
  one.clock.advance(Math.max(0, other.clock.nowMs() - one.clock.nowMs()));
  const text = JSON.stringify(one.phone.save());
  const saved = JSON.parse(text);
  t.equal(savedPhoneFault(saved), undefined, 'it fits its schema');
  other.phone.restore(saved);
  const where = `${which}, seed ${seed}`;
  const isEqual = judgeEqual(t, one, other, `${where}, restored`);
  t.equal(JSON.stringify(other.phone.save()), text, 'and saves as the same');
  for (const phone of [one, other]) {
    walk(phone, randomOf(seed + 2_000_000), 10);
    rest(phone);
  }
  const goesOn = judgeEqual(t, one, other, `${where}, after more inputs`);
  one.phone.close();
  other.phone.close();
  return isEqual && goesOn;
}

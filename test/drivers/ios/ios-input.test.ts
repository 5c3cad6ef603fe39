import { setTimeout as sleep } from 'node:timers/promises';
import { type Button, CAPABILITIES, KEYS, MODIFIERS, type Modifier, ORIENTATIONS } from '@runcloud/protocol/terms';
import t from 'tap';
import type { SimulatorHelper } from '../../../server/drivers/ios/helper.ts';
import { IdbCompanion } from '../../../server/drivers/ios/idb/idb-companion.ts';
import { ServeSim } from '../../../server/drivers/ios/serve-sim/serve-sim.ts';
import { SimulatorKeyboard } from '../../../server/drivers/ios/simulator-keyboard.ts';
import { SimulatorTouchState } from '../../../server/drivers/ios/simulator-touch-state.ts';
import { runningChildren } from '../../../server/drivers/process/children.ts';
import { systemClock } from '../../../server/flow/clock.ts';
import { PANEL } from '../../support/ios/guest.ts';
import type { ServeSimStandIn } from '../../support/ios/serve-sim-stand-in.ts';
import { StandInMac } from '../../support/ios/stand-in-mac.ts';
import { USAGE_KEYS } from '../../support/ios/usage-keys.ts';

const mac = await StandInMac.start({ helpers: ['serve-sim', 'idb_companion'] });
const { udid, guest } = mac.add('Guest', 'Booted');
const serveSim = await ServeSim.start(`${mac.tools.PATH}/serve-sim`, udid, mac.tools);
const companion = await IdbCompanion.start(`${mac.tools.PATH}/idb_companion`, udid, mac.tools);
const helpers: readonly SimulatorHelper[] = [serveSim, companion];
t.teardown(async () => {
  await Promise.all(helpers.map((helper) => helper.close()));
  if (runningChildren() !== 0) throw new Error('a helper goes on');
  await mac.close();
});

const { signal } = new AbortController();
const POINTS = [0, 0.5, 1].flatMap((x) => [0, 0.5, 1].map((y) => ({ x, y })));

/** Out of the HID Usage Tables: the left keys of each kind. */
const MODIFIER_USAGES: Readonly<Record<Modifier, number>> = { control: 0xe0, shift: 0xe1, alt: 0xe2, meta: 0xe3 };
const USAGES = new Map([...USAGE_KEYS].map(([usage, key]) => [key, usage]));

/** As the guest gets them: by page and usage of the consumer and telephony pages, or as a press of its own kind. */
const BUTTON_CODES: Readonly<Partial<Record<Button, string>>> = {
  home: 'home',
  appSwitcher: 'app_switcher',
  recents: 'app_switcher',
  power: '12/48',
  volumeUp: '12/233',
  volumeDown: '12/234',
  actionButton: '11/45',
  sideButton: '12/149',
};

const COMBINATIONS = Array.from({ length: 2 ** MODIFIERS.length }, (_, bits) =>
  MODIFIERS.filter((_, index) => bits & (1 << index)),
);

/** Inputs that have arrived since the last call. */
function news(): string[] {
  return guest.arrivals.splice(0).map(({ what, detail }) => {
    const { type, usage, page, phase, button } = detail as Record<string, string | number | undefined>;
    if (what === 'key') return `${type} ${usage}`;
    return what === 'control' ? `${phase} ${page}/${usage}` : String(button ?? what);
  });
}

for (const helper of helpers) {
  for (const orientation of ORIENTATIONS) {
    t.test(`${helper.name}, ${orientation}: nine points are met to the pixel of the picture`, async (t) => {
      guest.phone.rotate(orientation, 0);
      const { width, height } = guest.picture();
      const panel = new SimulatorTouchState(helper, PANEL, () => orientation);
      for (const point of POINTS) {
        panel.touch('begin', [point]);
        await helper.taken();
        const [x, y] = [
          Math.min(width - 1, Math.floor(point.x * width)),
          Math.min(height - 1, Math.floor(point.y * height)),
        ];
        // A phone's picture does not turn upside down: what is met then is the pixel of the panel.
        const turned = guest.phone.orientation === orientation;
        const pixel = turned ? { x, y } : { x: width - 1 - x, y: height - 1 - y };
        t.same(guest.inspect().pointers, [pixel], `${point.x} ${point.y}`);
        panel.touch('end', [point]);
        await helper.taken();
        t.same(guest.inspect().pointers, []);
      }
      guest.phone.rotate('portrait', 0);
    });
  }

  t.test(`${helper.name}: every key with every set of modifiers arrives as its usage, held between them`, async (t) => {
    const keyboard = new SimulatorKeyboard(helper, systemClock);
    for (const modifiers of COMBINATIONS) {
      news();
      for (const key of KEYS) await keyboard.pressKey(key, modifiers, 0, signal);
      await helper.taken();
      const expected = KEYS.flatMap((key) => {
        const down = [...modifiers.map((modifier) => MODIFIER_USAGES[modifier]), USAGES.get(key)];
        return [...down.map((usage) => `down ${usage}`), ...down.toReversed().map((usage) => `up ${usage}`)];
      });
      t.same(news(), expected, modifiers.join('+'));
    }
    t.same(
      KEYS.filter((key) => !USAGES.has(key)),
      [],
    );
  });

  t.test(`${helper.name}: every button that it has arrives as its code, and the others are refused`, async (t) => {
    const keyboard = new SimulatorKeyboard(helper, systemClock);
    const { momentaryButtons, buttons } = CAPABILITIES.ios;
    for (const button of buttons) {
      news();
      if (!helper.can.buttons.includes(button)) {
        t.throws(() => helper.button('down', button), { name: 'DeviceFault', kind: 'unsupported' }, button);
      } else if (!momentaryButtons.includes(button)) {
        await keyboard.pressButton(button, 0, signal);
        await helper.taken();
        t.same(news(), [`down ${BUTTON_CODES[button]}`, `up ${BUTTON_CODES[button]}`]);
      } else {
        if (button === 'home') helper.home();
        else helper.appSwitcher();
        await helper.taken();
        t.equal(news().at(-1), BUTTON_CODES[button]);
      }
    }
    t.same(Object.keys(BUTTON_CODES).sort(), [...buttons].sort());
  });

  t.test(`${helper.name}: two presses of home by two callers are two, and never the switcher`, async (t) => {
    await sleep(600);
    news();
    for (let press = 0; press < 3; press++) helper.home();
    await helper.taken();
    t.same(news(), ['home', 'home', 'home']);
  });
}

t.test('two fingers come in one message, so that they move at the same time', async (t) => {
  const panel = new SimulatorTouchState(serveSim, PANEL, () => 'portrait');
  const [stand] = mac.helpers as [ServeSimStandIn];
  const { length } = stand.messages;
  panel.touch('begin', [
    { x: 0.25, y: 0.25 },
    { x: 0.75, y: 0.75 },
  ]);
  panel.touch('move', [
    { x: 0.375, y: 0.375 },
    { x: 0.625, y: 0.625 },
  ]);
  await serveSim.taken();
  t.same(guest.inspect().pointers, [
    { x: 221, y: 480 },
    { x: 368, y: 800 },
  ]);
  panel.lift();
  await serveSim.taken();
  t.same(
    stand.messages.slice(length).map((message) => [message[0], JSON.parse(message.subarray(1).toString()).type]),
    [
      [5, 'begin'],
      [5, 'move'],
      [5, 'end'],
    ],
  );
  t.same(guest.inspect().pointers, []);
});

t.test('a gesture keeps the orientation that it began in when the device turns under it', async (t) => {
  let orientation: (typeof ORIENTATIONS)[number] = 'portrait';
  const panel = new SimulatorTouchState(serveSim, PANEL, () => orientation);
  guest.arrivals.length = 0;
  panel.touch('begin', [{ x: 0, y: 0 }]);
  orientation = 'landscape_left';
  panel.touch('move', [{ x: 0, y: 0 }]);
  panel.touch('end', [{ x: 0, y: 0 }]);
  panel.touch('move', [{ x: 1, y: 1 }]);
  await serveSim.taken();
  const at = guest.arrivals.map(({ detail }) => detail as { type: string; points: object[] });
  t.same(
    at.map(({ type }) => type),
    ['begin', 'move', 'end'],
    'what comes after the end is left out',
  );
  t.same(at[1]?.points, at[0]?.points);
  t.same(at[2]?.points, at[0]?.points);
});

t.test('a key is held for as long as was asked, from when the helper has it', async (t) => {
  const keyboard = new SimulatorKeyboard(serveSim, systemClock);
  guest.arrivals.length = 0;
  for (let tries = 0; tries < 10; tries++) await keyboard.pressKey('a', [], 50, signal);
  await serveSim.taken();
  const times = guest.arrivals.map(({ atMs }) => atMs);
  const holds = times.flatMap((atMs, index) => (index % 2 === 1 ? [atMs - (times[index - 1] ?? 0)] : []));
  t.equal(holds.length, 10);
  for (const heldMs of holds) t.ok(heldMs >= 49, `${heldMs} ms`);
  t.comment(`held for ${holds.map((ms) => ms.toFixed(1)).join(', ')} ms where 50 were asked for`);
});

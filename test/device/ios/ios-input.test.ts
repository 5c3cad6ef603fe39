import { KEYS, LOCK_KEYS, MODIFIERS, ORIENTATIONS } from '@runcloud/protocol';
import t from 'tap';
import { keyUsage } from '../../../server/device/ios/hid-usage.ts';
import { Keyboard } from '../../../server/device/ios/keyboard.ts';
import { ServeSim } from '../../../server/device/ios/serve-sim/serve-sim.ts';
import { TouchPanel } from '../../../server/device/ios/touch-panel.ts';
import { runningChildren } from '../../../server/device/process/children.ts';
import { systemClock } from '../../../server/flow/clock.ts';
import { PANEL } from '../../support/ios/guest.ts';
import { StandInMac } from '../../support/ios/stand-in-mac.ts';

const mac = await StandInMac.start();
const { udid, guest } = mac.add('Guest', 'Booted');
const helper = await ServeSim.start(`${mac.tools.PATH}/serve-sim`, udid, mac.tools);
t.teardown(async () => {
  await helper.close();
  if (runningChildren() !== 0) throw new Error('the helper goes on');
  await mac.close();
});

const POINTS = [0, 0.5, 1].flatMap((x) => [0, 0.5, 1].map((y) => ({ x, y })));

for (const orientation of ORIENTATIONS) {
  t.test(`${orientation}: nine points are met to the pixel of the picture`, async (t) => {
    guest.phone.rotate(orientation, 0);
    const { width, height } = guest.picture();
    const panel = new TouchPanel(helper, PANEL, () => orientation);
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

t.test('two fingers come in one message, so that they move at the same time', async (t) => {
  const panel = new TouchPanel(helper, PANEL, () => 'portrait');
  const stand = mac.helpers[0] as unknown as { messages: Buffer[] };
  const { length } = stand.messages;
  panel.touch('begin', [
    { x: 0.25, y: 0.25 },
    { x: 0.75, y: 0.75 },
  ]);
  panel.touch('move', [
    { x: 0.375, y: 0.375 },
    { x: 0.625, y: 0.625 },
  ]);
  await helper.taken();
  t.same(guest.inspect().pointers, [
    { x: 221, y: 480 },
    { x: 368, y: 800 },
  ]);
  panel.lift();
  await helper.taken();
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
  const panel = new TouchPanel(helper, PANEL, () => orientation);
  guest.arrivals.length = 0;
  panel.touch('begin', [{ x: 0, y: 0 }]);
  orientation = 'landscape_left';
  panel.touch('move', [{ x: 0, y: 0 }]);
  panel.touch('end', [{ x: 0, y: 0 }]);
  panel.touch('move', [{ x: 1, y: 1 }]);
  await helper.taken();
  const at = guest.arrivals.map(({ detail }) => detail as { type: string; points: object[] });
  t.same(
    at.map(({ type }) => type),
    ['begin', 'move', 'end'],
    'what comes after the end is left out',
  );
  t.same(at[1]?.points, at[0]?.points);
  t.same(at[2]?.points, at[0]?.points);
});

const COMBINATIONS = Array.from({ length: 2 ** MODIFIERS.length }, (_, bits) =>
  MODIFIERS.filter((_, index) => bits & (1 << index)),
);

t.test('every key with every set of modifiers arrives as its usage, held between them', async (t) => {
  const keyboard = new Keyboard(helper, systemClock);
  const { signal } = new AbortController();
  const usages = { shift: 0xe1, control: 0xe0, alt: 0xe2, meta: 0xe3 };
  for (const modifiers of COMBINATIONS) {
    guest.arrivals.length = 0;
    for (const key of KEYS) await keyboard.pressKey(key, modifiers, 0, signal);
    await helper.taken();
    const expected = KEYS.flatMap((key) => {
      const down = [...modifiers.map((modifier) => usages[modifier]), keyUsage(key)];
      return [...down.map((usage) => `down ${usage}`), ...down.toReversed().map((usage) => `up ${usage}`)];
    });
    const arrived = guest.arrivals.map(({ detail }) => {
      const { type, usage } = detail as { type: string; usage: number };
      return `${type} ${usage}`;
    });
    t.same(arrived, expected, modifiers.join('+'));
  }
  t.ok(LOCK_KEYS.every((key) => KEYS.includes(key)));
});

t.test('a key is held for as long as was asked, from when the helper has it', async (t) => {
  const keyboard = new Keyboard(helper, systemClock);
  guest.arrivals.length = 0;
  for (let tries = 0; tries < 10; tries++) await keyboard.pressKey('a', [], 50, new AbortController().signal);
  await helper.taken();
  const times = guest.arrivals.map(({ atMs }) => atMs);
  const holds = times.flatMap((atMs, index) => (index % 2 === 1 ? [atMs - (times[index - 1] ?? 0)] : []));
  t.equal(holds.length, 10);
  for (const heldMs of holds) t.ok(heldMs >= 49, `${heldMs} ms`);
  t.comment(`held for ${holds.map((ms) => ms.toFixed(1)).join(', ')} ms where 50 were asked for`);
});

import { setImmediate as turn } from 'node:timers/promises';
import type { DeviceLocation } from '@runcloud/protocol';
import t from 'tap';
import { RoutePlayer } from '../../server/drivers/route-player.ts';
import { FakeClock } from '../support/fake-clock.ts';

const POINTS = [
  { latitude: 0, longitude: 0 },
  { latitude: 0, longitude: 0.001 },
];

function playerOf(place: (location: DeviceLocation) => Promise<void> = async () => undefined) {
  const clock = new FakeClock();
  const told: number[] = [];
  const player = new RoutePlayer(
    async (location) => {
      await place(location);
      told.push(location.longitude);
    },
    { clock },
  );
  const pass = async (ms: number) => {
    await clock.advance(ms);
  };
  return { player, told, pass };
}

t.test('the device is told each second where it is by its speed, and the last point at the end', async (t) => {
  const { player, told, pass } = playerOf();
  await player.start({ points: POINTS, speedMPerS: 40 });
  t.match(player.progress, { state: 'moving', doneM: 0, lengthM: 111.2, speedMPerS: 40 });
  await pass(1_000);
  t.match(player.progress, { state: 'moving', doneM: 40 });
  await pass(1_000);
  await pass(1_000);
  t.match(player.progress, { state: 'arrived', doneM: 111.2 });
  await pass(60_000);
  t.same(told, [0, 0.0003597, 0.0007195, 0.001], 'and nothing more');
  t.same(player.location, POINTS[1]);
});

t.test('one that is slow to take a place is told fewer, and is no slower', async (t) => {
  let release = () => {};
  let isSlow = false;
  const { player, told, pass } = playerOf(async () => {
    if (isSlow) await new Promise<void>((resolve) => (release = resolve));
  });
  await player.start({ points: POINTS, speedMPerS: 10 });
  isSlow = true;
  await pass(1_000);
  await pass(4_000);
  t.equal(told.length, 1);
  isSlow = false;
  release();
  await turn();
  await pass(1_000);
  t.match(player.progress, { doneM: 60 });
});

t.test('a stop waits for the place that is being told, after which there is none', async (t) => {
  let release = () => {};
  let isSlow = false;
  const { player, told, pass } = playerOf(async () => {
    if (isSlow) await new Promise<void>((resolve) => (release = resolve));
  });
  await player.start({ points: POINTS, speedMPerS: 10 });
  isSlow = true;
  await pass(1_000);
  let isStopped = false;
  const stopped = player.stop().then(() => (isStopped = true));
  await turn();
  t.notOk(isStopped);
  release();
  await stopped;
  t.equal(player.progress, undefined);
  const { length } = told;
  await pass(10_000);
  t.equal(told.length, length);
});

t.test(
  'a route that the device refuses is not begun, and one that it refuses on the way has failed there',
  async (t) => {
    let isBroken = true;
    const { player, told, pass } = playerOf(async () => {
      if (isBroken) throw new Error('gone');
    });
    await t.rejects(player.start({ points: POINTS, speedMPerS: 10 }), /gone/);
    t.equal(player.progress, undefined);
    isBroken = false;
    await player.start({ points: POINTS, speedMPerS: 10 });
    await pass(1_000);
    isBroken = true;
    await pass(1_000);
    t.match(player.progress, { state: 'failed', doneM: 10 });
    await pass(10_000);
    t.equal(told.length, 2);
    isBroken = false;
    await player.start({ points: POINTS, speedMPerS: 20 });
    t.match(player.progress, { state: 'moving', doneM: 0 }, 'another one begins');
  },
);

import t from 'tap';
import { locationHandlers } from '../../../server/drivers/ios/simulator-location.ts';
import type { Udid } from '../../../server/drivers/ios/udid.ts';
import { RoutePlayer } from '../../../server/drivers/route-player.ts';

const context = { inputSeq: 1, signal: new AbortController().signal };

t.test('degrees reach the command in decimals, whatever their size, and are told as they were given', async (t) => {
  const calls: (readonly string[])[] = [];
  const { setLocation, clearLocation, followRoute, readLocation } = locationHandlers(
    {
      setLocation: async (_udid, ...[latitude, longitude]) => void calls.push([latitude, longitude]),
      clearLocation: async () => void calls.push([]),
      startRoute: async (_udid, points, speed) => void calls.push([...points, speed]),
    },
    '' as Udid,
    new RoutePlayer(() => undefined),
  );
  const set = (latitude: number, longitude: number) => setLocation?.({ latitude, longitude }, context);
  t.same(await set(52.520_008, -13.4), { location: { latitude: 52.520_008, longitude: -13.4 }, readBack: false });
  t.same(await set(-1e-7, 1e-12), { location: { latitude: -1e-7, longitude: 0 }, readBack: false });
  await set(-90, 180);
  await set(10, 100);
  await set(-1e-12, 0.1 + 0.2);
  t.same(await clearLocation?.({}, context), { readBack: false });
  t.same(calls, [['52.520008', '-13.4'], ['-0.0000001', '0'], ['-90', '180'], ['10', '100'], ['0', '0.3'], []]);
  await t.rejects(async () => setLocation?.({ latitude: 1, longitude: 2, altitudeM: 0 }, context), {
    kind: 'unsupported',
    message: /"altitudeM" is not supported/,
  });
  t.equal(calls.length, 6);
  const points = [
    { latitude: 0, longitude: -1e-7 },
    { latitude: 0, longitude: 0.5 },
  ];
  const began = { location: points[0], readBack: false, route: { state: 'moving', doneM: 0, lengthM: 55_597.55 } };
  t.match(await followRoute?.({ points, speedMPerS: 0.1 }, context), began);
  t.match(await readLocation?.({}, context), began);
  t.same(calls.at(-1), ['0,-0.0000001', '0,0.5', '0.1']);
  await t.rejects(
    async () => followRoute?.({ points: [{ ...points[0], altitudeM: 0 } as never], speedMPerS: 1 }, context),
    { kind: 'unsupported', message: /"altitudeM" is not supported/ },
  );
  t.same(await clearLocation?.({}, context), { readBack: false });
  t.same(await readLocation?.({}, context), { readBack: false });
});

import t from 'tap';
import { EmulatorLocation } from '../../../../server/drivers/android/control/emulator-location.ts';
import type { GpsState } from '../../../../server/drivers/android/control/messages.ts';
import { FakeClock } from '../../../support/fake-clock.ts';

const HOME: GpsState = { passiveUpdate: true, latitude: 37.422, longitude: -122.084, altitude: 5.5, satellites: 5 };
const AWAY = { latitude: -33.86, longitude: 1e-7 };

/** As it is told. */
const at = (location: object) => ({ location, readBack: true });

/** The location of an emulator that is at `HOME`. */
function locationOf() {
  const told: GpsState[] = [HOME];
  const client = { gps: async () => told.at(-1) ?? HOME, setGps: async (state: GpsState) => void told.push(state) };
  const clock = new FakeClock();
  return { location: new EmulatorLocation(client, clock), told, clock };
}

t.test('it is put back to what it was, with whether the window may change it', async (t) => {
  const { location, told } = locationOf();
  const words = await location.begin([]);
  t.same(await location.clear(), at({ latitude: 37.422, longitude: -122.084, altitudeM: 5.5 }));
  t.equal(told.length, 1, 'what was not set is not put back');
  t.same(await location.set({ ...AWAY, altitudeM: 12 }), at({ ...AWAY, altitudeM: 12 }));
  t.match(told.at(-1), { passiveUpdate: false, altitude: 12 });
  t.same(await location.set(AWAY), at({ ...AWAY, altitudeM: 0 }));
  t.same(await location.clear(), at({ latitude: 37.422, longitude: -122.084, altitudeM: 5.5 }));
  t.equal(told.at(-1), HOME);
  t.same(words, ['1', '37.422', '-122.084', '5.5']);
});

t.test('what a session left is put back by the next one, which remembers the same', async (t) => {
  const { location, told } = locationOf();
  const left = ['0', '52.5', '-1e-7', '-3'];
  t.same(await location.begin(left), left);
  t.match(told.at(-1), { passiveUpdate: false, latitude: 52.5, longitude: -1e-7, altitude: -3 });
  await location.set(AWAY);
  t.same(await location.clear(), at({ latitude: 52.5, longitude: -1e-7, altitudeM: -3 }));
});

t.test(
  'a route is told as it goes, at the altitude between those of its points, and leaves no trace once it is put back',
  async (t) => {
    const { location, told, clock } = locationOf();
    await location.begin([]);
    const points = [
      { latitude: 0, longitude: 0, altitudeM: 0 },
      { latitude: 0, longitude: 0.001, altitudeM: 100 },
    ];
    const { route } = await location.follow({ points, speedMPerS: 55.6 });
    t.match(route, { state: 'moving', doneM: 0, lengthM: 111.2 });
    await clock.advance(1_000);
    t.match(await location.told(), {
      location: { latitude: 0, longitude: 0.0005, altitudeM: 50 },
      readBack: true,
      route: { state: 'moving', doneM: 55.6 },
    });
    t.same(await location.clear(), at({ latitude: 37.422, longitude: -122.084, altitudeM: 5.5 }));
    const { length } = told;
    await clock.advance(10_000);
    t.equal(told.length, length);
    t.equal(told.at(-1), HOME);
  },
);

t.test('words that are no place are not put back', async (t) => {
  for (const words of [
    [],
    ['1', '2', '3'],
    ['1', '91', '0', '0'],
    ['1', '0', 'x', '0'],
    ['1', '0', '0', 'Infinity'],
    ['1', '0', '0', '0', '0'],
  ]) {
    const { location, told } = locationOf();
    t.same(await location.begin(words), ['1', '37.422', '-122.084', '5.5']);
    t.equal(told.length, 1);
  }
});

t.test('an accuracy is named as what emulators lack, and nothing is set', async (t) => {
  const { location, told } = locationOf();
  await t.rejects(location.set({ ...AWAY, accuracyM: 1 }), { kind: 'unsupported', message: /"accuracyM"/ });
  t.equal(told.length, 1);
});

import t from 'tap';
import { accept, refuse } from '../checks.ts';

const action = 'setLocation';
const place = { latitude: 52.52, longitude: 13.405 };

t.test('a location is a place on Earth, and what is known of it besides', async (t) => {
  for (const fields of [
    place,
    { ...place, altitudeM: 34, accuracyM: 10 },
    { latitude: 90, longitude: -180, altitudeM: -1_000, accuracyM: 0 },
    { latitude: -90, longitude: 180, altitudeM: 100_000, accuracyM: 100_000 },
  ]) {
    t.same(accept({ action, ...fields }), { action, ...fields, requestId: 'made', timeoutMs: 15_000 });
  }
  t.ok(Object.is((accept({ action, latitude: -0, longitude: 0 }) as { latitude?: number }).latitude, 0));
});

t.test('a route is two points or more, and a speed', async (t) => {
  const route = { action: 'followRoute', points: [place, { ...place, altitudeM: 3 }], speedMPerS: 1.4 };
  t.same(accept(route), { ...route, requestId: 'made', timeoutMs: 15_000 });
  t.same(accept({ action: 'readLocation' }), { action: 'readLocation', requestId: 'made', timeoutMs: 15_000 });
  const points = (count: number) => Array.from({ length: count }, () => place);
  t.match(accept({ ...route, points: points(500) }), { points: { length: 500 } });
  for (const bad of [[], points(1), points(501), 'here', null]) refuse({ ...route, points: bad }, 'points', t);
  for (const bad of [0, 0.09, 10_001, '14', null, Number.NaN]) {
    refuse({ ...route, speedMPerS: bad }, 'speedMPerS', t);
  }
  refuse({ ...route, points: [place, { latitude: 91, longitude: 0 }] }, 'points[1].latitude', t);
  refuse({ ...route, points: [{ latitude: 1 }, place] }, 'points[0].longitude', t);
  refuse({ ...route, points: [place, { ...place, accuracyM: 1 }] }, 'points[1].accuracyM', t);
  refuse({ action: 'followRoute', points: route.points }, 'speedMPerS', t);
});

t.test('what is none is refused by the name of its field', async (t) => {
  for (const bad of ['52', null, true, Number.NaN, Infinity, [1], {}]) {
    for (const field of ['latitude', 'longitude', 'altitudeM', 'accuracyM'])
      refuse({ action, ...place, [field]: bad }, field, t);
  }
  for (const [field, over] of [
    ['latitude', 90.000_001],
    ['latitude', -91],
    ['longitude', 180.000_001],
    ['longitude', -181],
    ['altitudeM', -1_001],
    ['altitudeM', 100_001],
    ['accuracyM', -0.1],
    ['accuracyM', 100_001],
  ] as const) {
    t.match(refuse({ action, ...place, [field]: over }, field, t).message, /must be a number from -?\d+ to \d+/);
  }
  refuse({ action, latitude: 1 }, 'longitude', t);
  refuse({ action, longitude: 1 }, 'latitude', t);
  refuse({ action, ...place, altitude: 1 }, 'altitude', t);
  refuse({ action: 'clearLocation', latitude: 1 }, 'latitude', t);
});

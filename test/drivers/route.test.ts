import t from 'tap';
import { Route } from '../../server/drivers/route.ts';

const at = (latitude: number, longitude: number, altitudeM?: number) => ({
  latitude,
  longitude,
  ...(altitudeM === undefined ? {} : { altitudeM }),
});

t.test('lengths are those of great circles, and its points are where they were given', async (t) => {
  // A quarter of a great circle is a quarter of the circumference, whatever its direction.
  const quarter = (6_371_008.8 * Math.PI) / 2;
  for (const points of [
    [at(0, 0), at(0, 90)],
    [at(0, 10), at(90, 10)],
    [at(-45, 20), at(45, 20)],
    [at(0, 0), at(0, 30), at(0, 90)],
  ]) {
    const route = new Route(points);
    t.ok(Math.abs(route.lengthM - quarter) < 0.01);
    t.same(route.at(0), points[0]);
    t.same(route.at(route.lengthM), points.at(-1));
    t.same(route.at(1e12), points.at(-1));
  }
  // From Berlin to Paris, as published for their centres: about 878 km.
  t.ok(Math.abs(new Route([at(52.52, 13.405), at(48.8566, 2.3522)]).lengthM - 877_500) < 1_500);
});

t.test(
  'between its points it takes the shortest way, over the date line and past a pole, at the height between theirs',
  async (t) => {
    t.same(new Route([at(0, 0, 10), at(0, 90, 30)]).at((6_371_008.8 * Math.PI) / 4), at(0, 45, 20));
    const line = new Route([at(0, 179), at(0, -179)]);
    t.ok(Math.abs(line.lengthM - 222_390) < 10);
    t.equal(Math.abs(line.at(line.lengthM / 2).longitude), 180);
    const pole = new Route([at(80, 0), at(80, 180)]);
    t.ok(pole.at(pole.lengthM / 2).latitude > 89.999);
    t.notOk('altitudeM' in new Route([at(0, 0, 10), at(0, 90)]).at(1_000), 'of two heights, one is not enough');
    const still = new Route([at(5, 5), at(5, 5)]);
    t.same([still.lengthM, still.at(0)], [0, at(5, 5)]);
    for (const share of [0.25, 0.5, 0.75]) {
      const far = new Route([at(0, 0), at(0, 180)]);
      const { latitude, longitude } = far.at(far.lengthM * share);
      t.ok(Number.isFinite(latitude) && Number.isFinite(longitude), 'also to the other side of the Earth');
    }
  },
);

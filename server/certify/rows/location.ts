import { setTimeout as sleep } from 'node:timers/promises';
import { NotSeen, type Subject } from '../subject.ts';
import type { Row } from './row.ts';

/** 222 m to the north, of which a second has 50. */
const POINTS = [
  { latitude: 52, longitude: 13 },
  { latitude: 52.002, longitude: 13 },
];
const SPEED_M_PER_S = 50;
const METRES_OF_DEGREE = 111_195;
const LOOK_MS = 100;
const ON_THE_WAY_MS = 5_000;

/** What the device tells once it has left the first point. */
async function onTheWay({ session, ground: { signal } }: Subject) {
  const endMs = performance.now() + ON_THE_WAY_MS;
  while (performance.now() < endMs) {
    const { result } = await session.readLocation({ signal });
    if (result.location && result.location.latitude > 52) return result;
    await sleep(LOOK_MS, undefined, { signal });
  }
  throw new NotSeen(`the device had not left the first point of its route after ${ON_THE_WAY_MS} ms`);
}

export const LOCATION_ROWS: readonly Row[] = [
  {
    id: 'location',
    title: 'The location moves along a route at its speed, and is put back',
    needs: ({ actions }) => ['followRoute', 'readLocation', 'clearLocation'].every((name) => actions.includes(name)),
    async prove(subject) {
      const { session, ground } = subject;
      const before = (await session.readLocation({ signal: ground.signal })).result.location;
      const beganMs = performance.now();
      await session.followRoute(POINTS, SPEED_M_PER_S, { signal: ground.signal });
      const { location, readBack } = await onTheWay(subject);
      const northM = ((location?.latitude ?? 0) - 52) * METRES_OF_DEGREE;
      const most = ((performance.now() - beganMs) / 1_000) * SPEED_M_PER_S;
      if (northM > most + 1)
        throw new NotSeen(`${Math.round(northM)} m north of the first point, and not ${Math.round(most)} m at most`);
      if (location?.longitude !== 13) throw new NotSeen(`at ${location?.longitude}° east, off the route`);
      await session.clearLocation({ signal: ground.signal });
      const { location: after, route } = (await session.readLocation({ signal: ground.signal })).result;
      if (route || JSON.stringify(after) !== JSON.stringify(before)) {
        throw new NotSeen(`it is at ${JSON.stringify(after)} then, and was at ${JSON.stringify(before)}`);
      }
      const who = readBack ? 'the device told it' : 'the device took it, and tells nothing';
      return `${Math.round(northM)} m along the route, then back: ${who}`;
    },
  },
];

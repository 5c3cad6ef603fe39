import t from 'tap';
import { accept, NOT_COORDINATES, NOT_WHOLE, refuse } from '../checks.ts';

const swipe = { action: 'swipe', from: { x: 0, y: 1 }, to: { x: 1, y: 0 } };

t.test('a swipe lasts 300 ms unless it says otherwise', async (t) => {
  t.same(accept(swipe), { ...swipe, durationMs: 300, requestId: 'made', timeoutMs: 15_000 });
});

t.test('a swipe lasts from 50 to 30,000 ms', async (t) => {
  for (const durationMs of [50, 51, 29_999, 30_000]) t.match(accept({ ...swipe, durationMs }), { durationMs });
  for (const durationMs of [49, 30_001, 0, -50, 50.5]) {
    t.equal(
      refuse({ ...swipe, durationMs }, 'durationMs', t).message,
      'must be a whole number from 50 to 30000',
      `${durationMs}`,
    );
  }
});

t.test('a duration that is not a whole number is refused', async (t) => {
  for (const durationMs of NOT_WHOLE) refuse({ ...swipe, durationMs }, 'durationMs', t);
});

t.test('a wrong coordinate is named with the point that holds it', async (t) => {
  for (const value of NOT_COORDINATES) {
    refuse({ ...swipe, from: { x: value, y: 0 } }, 'from.x', t);
    refuse({ ...swipe, to: { x: 0, y: value } }, 'to.y', t);
  }
});

t.test('a point is an object of x and y and nothing else', async (t) => {
  refuse({ ...swipe, from: undefined }, 'from', t);
  refuse({ ...swipe, to: [0, 1] }, 'to', t);
  refuse({ ...swipe, to: null }, 'to', t);
  refuse({ ...swipe, to: { x: 0 } }, 'to.y', t);
  t.match(refuse({ ...swipe, to: { x: 0, y: 0, z: 0 } }, 'to.z', t).message, /not a known field; the fields are x, y/);
});

t.test('negative zero is completed to zero', async (t) => {
  const request = accept({ ...swipe, from: { x: -0, y: -0 } });
  t.ok(request.action === 'swipe' && Object.is(request.from.x, 0) && Object.is(request.from.y, 0));
});

t.test('the completed request shares no object with the body', async (t) => {
  const request = accept(swipe);
  t.ok(request.action === 'swipe' && request.from !== swipe.from && request.to !== swipe.to);
});

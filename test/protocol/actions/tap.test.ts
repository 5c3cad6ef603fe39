import t from 'tap';
import { accept, NOT_COORDINATES, refuse } from '../checks.ts';

t.test('a tap is accepted on every edge and in the middle of the display', async (t) => {
  for (const x of [0, 0.5, 1, Number.MIN_VALUE]) {
    for (const y of [0, 0.5, 1]) {
      t.same(accept({ action: 'tap', x, y }), { action: 'tap', x, y, requestId: 'made', timeoutMs: 15_000 });
    }
  }
});

t.test('a coordinate outside of 0 to 1, or not a number, is refused by its name', async (t) => {
  for (const value of NOT_COORDINATES) {
    t.match(refuse({ action: 'tap', x: value, y: 0.5 }, 'x', t).message, /number from 0 to 1$/);
    t.match(refuse({ action: 'tap', x: 0.5, y: value }, 'y', t).message, /number from 0 to 1$/);
  }
});

t.test('a missing coordinate is named with what it has to be', async (t) => {
  t.equal(refuse({ action: 'tap', y: 0 }, 'x', t).message, 'is required and must be a number from 0 to 1');
  t.equal(refuse({ action: 'tap', x: 0 }, 'y', t).message, 'is required and must be a number from 0 to 1');
});

t.test('negative zero is completed to zero', async (t) => {
  const request = accept({ action: 'tap', x: -0, y: -0 });
  t.ok(request.action === 'tap' && Object.is(request.x, 0) && Object.is(request.y, 0));
});

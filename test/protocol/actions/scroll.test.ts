import t from 'tap';
import { accept, NOT_COORDINATES, refuse } from '../checks.ts';

const scroll = (fields: object) => ({ action: 'scroll', deltaX: 0, deltaY: 0.5, ...fields });

t.test('deltas reach from -1 to 1', async (t) => {
  for (const delta of [-1, -Number.MIN_VALUE, Number.MIN_VALUE, 1]) {
    t.match(accept(scroll({ deltaX: delta, deltaY: 0 })), { deltaX: delta, deltaY: 0 });
    t.match(accept(scroll({ deltaX: 0, deltaY: delta })), { deltaX: 0, deltaY: delta });
  }
  const over = [1.000_000_1, -1.000_000_1, 2, Number.NaN, Infinity, -Infinity, '1', null, true, undefined];
  for (const delta of over) {
    t.match(refuse(scroll({ deltaX: delta }), 'deltaX', t).message, /number from -1 to 1$/);
    t.match(refuse(scroll({ deltaY: delta }), 'deltaY', t).message, /number from -1 to 1$/);
  }
});

t.test('a scroll by nothing is refused, whatever the sign of its zeros', async (t) => {
  for (const deltaX of [0, -0]) {
    for (const deltaY of [0, -0]) {
      t.equal(refuse(scroll({ deltaX, deltaY }), 'deltaY', t).message, 'must not be 0 while deltaX is 0');
    }
  }
});

t.test('negative zero beside a real delta is completed to zero', async (t) => {
  const request = accept(scroll({ deltaX: -0, deltaY: 1, x: -0, y: -0 }));
  if (request.action !== 'scroll') throw new Error('not a scroll');
  t.ok(Object.is(request.deltaX, 0) && Object.is(request.x, 0) && Object.is(request.y, 0));
});

t.test('an anchor has both coordinates or neither', async (t) => {
  t.notOk('x' in accept(scroll({})), 'none is made up');
  t.match(accept(scroll({ x: 0, y: 1 })), { x: 0, y: 1 });
  t.equal(refuse(scroll({ x: 0.5 }), 'y', t).message, 'is required where x is given');
  t.equal(refuse(scroll({ y: 0.5 }), 'x', t).message, 'is required where y is given');
});

t.test('an anchor outside of the display is refused', async (t) => {
  for (const value of NOT_COORDINATES) {
    refuse(scroll({ x: value, y: 0.5 }), 'x', t);
    refuse(scroll({ x: 0.5, y: value }), 'y', t);
  }
});

import fc from 'fast-check';
import t from 'tap';
import { NumberRing } from '../../server/flow/number-ring.ts';

const WIDTH = 3;

/** A row as the ring holds it at this place. */
function row(ring: NumberRing, place: number): number[] {
  const at = ring.at(place);
  return [...ring.values.subarray(at, at + WIDTH)];
}

t.test('it gives back what an array would, through growth and wrap-around', async () => {
  const step = fc.oneof(fc.record({ push: fc.double({ noNaN: true }) }), fc.constant('shift' as const));
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), fc.constantFrom(1, 2, 8), (steps, capacity) => {
      const ring = new NumberRing(WIDTH, capacity);
      const model: number[][] = [];
      for (const action of steps) {
        if (action === 'shift') {
          ring.shift();
          model.shift();
        } else {
          const numbers = [action.push, model.length, action.push / 2];
          const at = ring.push();
          ring.values.set(numbers, at);
          model.push(numbers);
        }
        if (ring.size !== model.length) throw new Error('the size differs');
        for (const [place, expected] of model.entries()) {
          if (row(ring, place).some((number, index) => !Object.is(number, expected[index]))) {
            throw new Error(`place ${place} differs`);
          }
        }
      }
    }),
  );
});

t.test('a shifted entry can be read until the next push', async (t) => {
  const ring = new NumberRing(WIDTH, 2);
  ring.values.set([1, 2, 3], ring.push());
  const at = ring.at(0);
  ring.shift();
  t.same([...ring.values.subarray(at, at + WIDTH)], [1, 2, 3]);
  t.equal(ring.size, 0);
});

t.test('it takes no other memory while it does not get longer', async (t) => {
  const ring = new NumberRing(WIDTH, 4);
  const { values } = ring;
  for (let round = 0; round < 100; round++) {
    for (let held = 0; held < 4; held++) ring.push();
    for (let held = 0; held < 4; held++) ring.shift();
  }
  t.equal(ring.values, values);
});

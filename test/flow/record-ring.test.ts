import fc from 'fast-check';
import t from 'tap';
import { RecordRing } from '../../server/flow/record-ring.ts';

t.test('it gives back what an array would, through growth and wrap-around', async () => {
  const step = fc.oneof(fc.record({ push: fc.integer() }), fc.constant('shift' as const));
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      const ring = new RecordRing(() => ({ value: 0 }));
      const model: number[] = [];
      for (const action of steps) {
        if (action === 'shift') {
          if (ring.shift()?.value !== model.shift()) throw new Error('shift differs');
        } else {
          ring.push().value = action.push;
          model.push(action.push);
        }
        if (ring.size !== model.length || ring.newest?.value !== model.at(-1)) throw new Error('size or end differs');
        for (let place = -1; place <= model.length; place++) {
          const expected = place < 0 ? undefined : model[place];
          if (ring.at(place)?.value !== expected) throw new Error(`place ${place} differs`);
        }
      }
    }),
  );
});

t.test('no more records are made than were held at once', async (t) => {
  let made = 0;
  const ring = new RecordRing(() => ({ number: ++made }));
  for (let round = 0; round < 100; round++) {
    for (let held = 0; held < 3; held++) ring.push();
    for (let held = 0; held < 3; held++) ring.shift();
  }
  t.equal(made, 3);
  t.equal(ring.shift(), undefined);
  t.equal(ring.newest, undefined);
});

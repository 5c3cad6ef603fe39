import fc from 'fast-check';
import t from 'tap';
import { Fifo } from '../../server/flow/fifo.ts';

t.test('it gives back what an array would, through growth and wrap-around', async (t) => {
  const step = fc.oneof(fc.record({ push: fc.integer() }), fc.constant('shift' as const));
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 5 }), fc.array(step, { maxLength: 200 }), (capacity, steps) => {
      const fifo = new Fifo<number>(capacity);
      const model: number[] = [];
      for (const action of steps) {
        if (action === 'shift') {
          if (fifo.shift() !== model.shift()) throw new Error('shift differs');
        } else {
          fifo.push(action.push);
          model.push(action.push);
        }
        if (fifo.size !== model.length || fifo.peek() !== model[0]) throw new Error('size or front differs');
      }
    }),
  );
  t.equal(new Fifo().shift(), undefined);
});

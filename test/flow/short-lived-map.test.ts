import fc from 'fast-check';
import t from 'tap';
import { ShortLivedMap } from '../../server/flow/short-lived-map.ts';

type Step = { readonly set: number; readonly value: number } | { readonly take: number };

const key = fc.integer({ min: 0, max: 40 });
const step: fc.Arbitrary<Step> = fc.oneof(fc.record({ set: key, value: fc.nat() }), fc.record({ take: key }));

const HASHES: Readonly<Record<string, (key: number) => number>> = {
  itself: (key) => key,
  'one for all': () => 7,
  negative: (key) => -1 - key * 8,
  'the same low bits': (key) => key << 16,
};

for (const [name, hashOf] of Object.entries(HASHES)) {
  t.test(`it holds what a Map would, in the same order, by a hash that is ${name}`, async () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 300 }), (steps) => {
        const map = new ShortLivedMap<number, number>(hashOf);
        const model = new Map<number, number>();
        for (const done of steps) {
          if ('set' in done) {
            map.set(done.set, done.value);
            model.set(done.set, done.value);
          } else {
            const expected = model.get(done.take);
            model.delete(done.take);
            if (map.take(done.take) !== expected) throw new Error('another value was taken');
          }
          if (map.size !== model.size) throw new Error('the size differs');
        }
        if (JSON.stringify([...map.keys()]) !== JSON.stringify([...model.keys()])) throw new Error('the keys differ');
        if (JSON.stringify([...map.values()]) !== JSON.stringify([...model.values()]))
          throw new Error('the values differ');
        for (let key = 0; key <= 40; key++) if (map.get(key) !== model.get(key)) throw new Error(`${key} differs`);
      }),
    );
  });
}

t.test('the value that was given last may be taken out while the values are read', async (t) => {
  const map = new ShortLivedMap<string, string>((key) => key.charCodeAt(0));
  for (const key of ['a', 'b', 'c']) map.set(key, key);
  const read: string[] = [];
  for (const value of map.values()) {
    read.push(value);
    map.take(value);
  }
  t.same(read, ['a', 'b', 'c']);
  t.equal(map.size, 0);
});

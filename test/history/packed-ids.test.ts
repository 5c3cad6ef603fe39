import { LIMITS } from '@runcloud/protocol';
import t from 'tap';
import { packedIds, unpackedIds } from '../../server/history/packed-ids.ts';

const posted = (ids: readonly string[]): Buffer => Buffer.from(ids.map((id) => `${id}\n`).join(''), 'latin1');

const packedAll = (ids: readonly string[]): string => packedIds(posted(ids), 0, ids.length).text;

t.test('ids that differ in their last characters take a fraction of their bytes, and come back', async (t) => {
  const ids = Array.from({ length: 1_000 }, (_, index) => `client-7f3a.tap-${String(index).padStart(8, '0')}`);
  const text = packedAll(ids);
  t.ok(text.length < posted(ids).length / 6, `${text.length} of ${posted(ids).length}`);
  t.strictSame(unpackedIds(text), ids);
});

t.test('whatever the ids are, they come back', async (t) => {
  const characters = 'AZaz09._:-';
  const lengths = [1, 2, 3, 93, 94, 95, 96, LIMITS.requestIdCharacters.max];
  const pick = <T>(of: ArrayLike<T>): T => of[Math.floor(Math.random() * of.length)] as T;
  const fresh = (): string => Array.from({ length: pick(lengths) }, () => pick(characters)).join('');
  for (let round = 0; round < 300; round++) {
    const ids = [fresh()];
    while (ids.length < 40) {
      const before = ids.at(-1) as string;
      const changed = [
        before,
        before.slice(0, Math.ceil(Math.random() * before.length)),
        `${before}${pick(characters)}`.slice(0, LIMITS.requestIdCharacters.max),
        fresh(),
      ];
      ids.push(pick(changed));
    }
    t.strictSame(unpackedIds(packedAll(ids)), ids);
    const [from, count] = [Math.floor(Math.random() * 20), Math.floor(Math.random() * 20)];
    const before = posted(ids.slice(0, from)).length;
    const part = packedIds(posted(ids), before, count);
    t.strictSame(unpackedIds(part.text), ids.slice(from, from + count));
    t.equal(part.end, before + posted(ids.slice(from, from + count)).length);
  }
});

t.test('ids as an earlier version wrote them are read', async (t) => {
  t.strictSame(unpackedIds('\ntap-1\nb\n'), ['tap-1', 'b']);
});

t.test('of no ids nothing is left', async (t) => {
  t.equal(packedAll([]), '');
  t.strictSame(unpackedIds(''), []);
});

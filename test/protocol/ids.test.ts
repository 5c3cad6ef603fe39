import t from 'tap';
import { ID_PREFIXES, newId, randomBase62, toBase62 } from '../../protocol/terms.ts';

t.test('an id is its prefix and 22 base-62 characters', async (t) => {
  for (const prefix of ID_PREFIXES) t.match(newId(prefix), new RegExp(`^${prefix}_[0-9A-Za-z]{22}$`));
});

t.test('an id is a valid request id', async (t) => {
  t.match(newId('req'), /^[A-Za-z0-9._:-]{1,128}$/);
});

t.test('10,000 ids are all different', async (t) => {
  t.equal(new Set(Array.from({ length: 10_000 }, () => newId('ses'))).size, 10_000);
});

t.test('every base-62 character is drawn about as often as any other', async (t) => {
  const counts = new Map<string, number>();
  const secret = Array.from({ length: 62 }, () => randomBase62(500)).join('');
  const ids = Array.from({ length: 31_000 / 22 + 1 }, () => newId('req').slice(4)).join('');
  const text = secret + ids.slice(0, 31_000);
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  t.equal(counts.size, 62);
  // The standard deviation is 31.5: eight of them are never met by chance.
  for (const [character, count] of counts) t.ok(Math.abs(count - 1_000) < 252, `${character}: ${count}`);
});

t.test('a number is written in base 62, padded to its width', async (t) => {
  t.equal(toBase62(0, 3), '000');
  t.equal(toBase62(61, 1), 'z');
  t.equal(toBase62(62, 2), '10');
  t.equal(toBase62(0xffff_ffff, 6), '4gfFC3');
});

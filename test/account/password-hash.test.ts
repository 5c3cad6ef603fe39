import { scryptSync } from 'node:crypto';
import t from 'tap';
import { PasswordHasher, SCRYPT_COST } from '../../server/account/password-hash.ts';

/** Costs next to nothing: what is tested is not the cost. */
const CHEAP = { logN: 4, r: 8, p: 1 };

t.test('the cost is one that OWASP names', async (t) => {
  t.strictSame(SCRYPT_COST, { logN: 15, r: 8, p: 3 });
  const [, logN, r, p] = (await new PasswordHasher().hash('correct horse')).split('$');
  t.strictSame([logN, r, p], ['15', '8', '3']);
});

t.test('a hash is that of RFC 7914 over the salt that stands beside it, and never the same twice', async (t) => {
  const hasher = new PasswordHasher(CHEAP);
  const one = await hasher.hash('correct horse');
  const [name, logN, r, p, salt = '', hash] = one.split('$');
  t.strictSame([name, logN, r, p], ['scrypt', '4', '8', '1']);
  const expected = scryptSync('correct horse', Buffer.from(salt, 'base64url'), 32, { N: 16, r: 8, p: 1 });
  t.equal(hash, expected.toString('base64url'));
  t.equal(Buffer.from(salt, 'base64url').length, 16);
  t.not(await hasher.hash('correct horse'), one);
  t.notMatch(one, /horse/);
});

t.test('only the same password matches, however its letters were typed', async (t) => {
  const hasher = new PasswordHasher(CHEAP);
  const stored = await hasher.hash('Zoë is here');
  t.strictSame(await hasher.verify('Zoë is here', stored), { matches: true, outdated: false });
  t.ok((await hasher.verify('Zoe\u0308 is here', stored)).matches, 'with a combining mark');
  for (const wrong of ['', 'zoë is here', 'Zoë is here ', 'Zoe is here']) {
    t.notOk((await hasher.verify(wrong, stored)).matches, wrong);
  }
});

t.test('nothing matches where there is no hash, not even the hash that is compared instead', async (t) => {
  const hasher = new PasswordHasher(CHEAP);
  t.strictSame(await hasher.verify('', undefined), { matches: false, outdated: false });
});

t.test('without a stored hash the work is the same', async (t) => {
  const hasher = new PasswordHasher({ logN: 12, r: 8, p: 1 });
  const stored = await hasher.hash('correct horse');
  const times = async (given: string | undefined) => {
    const all: number[] = [];
    for (let round = 0; round < 15; round++) {
      const startMs = performance.now();
      await hasher.verify('wrong', given);
      all.push(performance.now() - startMs);
    }
    return Math.min(...all);
  };
  const [known, unknown] = [await times(stored), await times(undefined)];
  t.ok(Math.max(known, unknown) < 2 * Math.min(known, unknown), `${known} ms and ${unknown} ms`);
});

t.test('a hash of another cost still matches, and is said to be outdated', async (t) => {
  const stored = await new PasswordHasher(CHEAP).hash('correct horse');
  const dearer = new PasswordHasher({ logN: 5, r: 8, p: 1 });
  t.strictSame(await dearer.verify('correct horse', stored), { matches: true, outdated: true });
  t.strictSame(await dearer.verify('wrong horse', stored), { matches: false, outdated: true });
});

t.test('a stored text that is no hash is a fault, not a password that is wrong', async (t) => {
  const hasher = new PasswordHasher(CHEAP);
  for (const text of ['', 'correct horse', 'scrypt$4$8$1$x$y']) await t.rejects(hasher.verify('x', text), text);
});

t.test('two run at a time, and who comes when too many wait is told to come again', async (t) => {
  const hasher = new PasswordHasher({ logN: 10, r: 8, p: 1 });
  const outcomes = await Promise.allSettled(Array.from({ length: 80 }, () => hasher.hash('x')));
  const refused = outcomes.filter(({ status }) => status === 'rejected');
  t.equal(refused.length, 80 - 2 - 64);
  t.match(refused[0], { reason: { code: 'rate_limited', retryAfterSeconds: 10 } });
  t.ok(await hasher.hash('x'), 'there is room again');
});

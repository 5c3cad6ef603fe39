import { scryptSync } from 'node:crypto';
import t from 'tap';
import { PasswordHasher, SCRYPT_COST, WAITING_MAX } from '../../server/account/password-hash.ts';

const ASKER = { isKnown: true, source: 'ada', part: '' };
/** Costs next to nothing: what is tested is not the cost. */
const CHEAP = { logN: 4, r: 8, p: 1 };
const ROUNDS = 15;
const ROUNDS_MAX = 150;

t.test('the cost is one that OWASP names', async (t) => {
  t.strictSame(SCRYPT_COST, { logN: 15, r: 8, p: 3 });
  const [, logN, r, p] = (await new PasswordHasher().hash('correct horse', ASKER)).split('$');
  t.strictSame([logN, r, p], ['15', '8', '3']);
});

t.test('a hash is that of RFC 7914 over the salt that stands beside it, and never the same twice', async (t) => {
  const hasher = new PasswordHasher(CHEAP);
  const one = await hasher.hash('correct horse', ASKER);
  const [name, logN, r, p, salt = '', hash] = one.split('$');
  t.strictSame([name, logN, r, p], ['scrypt', '4', '8', '1']);
  const expected = scryptSync('correct horse', Buffer.from(salt, 'base64url'), 32, { N: 16, r: 8, p: 1 });
  t.equal(hash, expected.toString('base64url'));
  t.equal(Buffer.from(salt, 'base64url').length, 16);
  t.not(await hasher.hash('correct horse', ASKER), one);
  t.notMatch(one, /horse/);
});

t.test('only the same password matches, however its letters were typed', async (t) => {
  const hasher = new PasswordHasher(CHEAP);
  const stored = await hasher.hash('Zoë is here', ASKER);
  t.strictSame(await hasher.verify('Zoë is here', stored, ASKER), { matches: true, outdated: false });
  t.ok((await hasher.verify('Zoe\u0308 is here', stored, ASKER)).matches, 'with a combining mark');
  for (const wrong of ['', 'zoë is here', 'Zoë is here ', 'Zoe is here']) {
    t.notOk((await hasher.verify(wrong, stored, ASKER)).matches, wrong);
  }
});

t.test('nothing matches where there is no hash, not even the hash that is compared instead', async (t) => {
  const hasher = new PasswordHasher(CHEAP);
  t.strictSame(await hasher.verify('', undefined, ASKER), { matches: false, outdated: false });
});

t.test('without a stored hash the work is the same', async (t) => {
  const hasher = new PasswordHasher({ logN: 12, r: 8, p: 1 });
  const stored = await hasher.hash('correct horse', ASKER);
  let [known, unknown] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  const timeOf = async (given: string | undefined) => {
    const startMs = performance.now();
    await hasher.verify('wrong', given, ASKER);
    return performance.now() - startMs;
  };
  const isAlike = () => Math.max(known, unknown) < 2 * Math.min(known, unknown);
  // By turns: what else the machine does only makes either longer, so that the shortest ones come closer to what they take.
  for (let round = 0; round < ROUNDS_MAX && (round < ROUNDS || !isAlike()); round++) {
    known = Math.min(known, await timeOf(stored));
    unknown = Math.min(unknown, await timeOf(undefined));
  }
  t.ok(isAlike(), `${known} ms and ${unknown} ms`);
});

t.test('a hash of another cost still matches, and is said to be outdated', async (t) => {
  const stored = await new PasswordHasher(CHEAP).hash('correct horse', ASKER);
  const dearer = new PasswordHasher({ logN: 5, r: 8, p: 1 });
  t.strictSame(await dearer.verify('correct horse', stored, ASKER), { matches: true, outdated: true });
  t.strictSame(await dearer.verify('wrong horse', stored, ASKER), { matches: false, outdated: true });
});

t.test('a stored text that is no hash is a fault, not a password that is wrong', async (t) => {
  const hasher = new PasswordHasher(CHEAP);
  for (const text of ['', 'correct horse', 'scrypt$4$8$1$x$y']) await t.rejects(hasher.verify('x', text, ASKER), text);
});

t.test('strangers have one turn at a time, and wait behind one of each address at most', async (t) => {
  const hasher = new PasswordHasher({ logN: 10, r: 8, p: 1 });
  const ended: string[] = [];
  const stranger = (source: string, part = '') =>
    hasher.hash('x', { isKnown: false, source, part }).then(
      () => ended.push(source),
      ({ code }) => ended.push(code),
    );
  const all = [...Array.from({ length: 20 }, () => stranger('hostile')), stranger('other'), stranger('third')];
  await Promise.all(all);
  t.same(ended.slice(0, 4), ['hostile', 'hostile', 'other', 'third']);
});

t.test(
  'a known source does not wait for strangers, and waits for at most one hash of each other known source',
  async (t) => {
    const hasher = new PasswordHasher({ logN: 12, r: 8, p: 1 });
    const ended: string[] = [];
    const hash = (isKnown: boolean, source: string) =>
      hasher.hash('x', { isKnown, source, part: '' }).then(() => ended.push(source));
    const all = [];
    for (let n = 0; n < 6; n++) all.push(hash(false, `stranger ${n}`), hash(true, 'hostile'));
    all.push(hash(true, 'ada'));
    await Promise.all(all);
    const known = ended.filter((source) => !source.startsWith('stranger'));
    t.ok(known.indexOf('ada') <= 2, ended.join());
  },
);

t.test('a source with too many pending hashes is refused, and other sources are not', async (t) => {
  const hasher = new PasswordHasher({ logN: 10, r: 8, p: 1 });
  const hash = (source: string) => hasher.hash('x', { isKnown: false, source, part: '' });
  const hostile = Promise.allSettled(Array.from({ length: 60 }, () => hash('hostile')));
  t.ok(await hash('other'));
  const refused = (await hostile).filter(({ status }) => status === 'rejected');
  t.equal(refused.length, 60 - 1 - WAITING_MAX + 1);
  t.match(refused[0], { reason: { code: 'rate_limited', retryAfterSeconds: 10 } });
  t.ok(await hash('hostile'), 'there is room again');
});

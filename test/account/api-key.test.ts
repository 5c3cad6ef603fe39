import { createHash } from 'node:crypto';
import fc from 'fast-check';
import t from 'tap';
import { digestOf, hasValidChecksum, isGivenKey, looksMade, makeApiKey } from '../../server/account/api-key.ts';

const VISIBLE = Array.from({ length: 94 }, (_, index) => String.fromCharCode(0x21 + index));

t.test('a key that is made here has its form and a right checksum, and never comes twice', async (t) => {
  const keys = Array.from({ length: 2_000 }, makeApiKey);
  t.equal(new Set(keys).size, keys.length);
  for (const key of keys) {
    if (!/^rck_[0-9A-Za-z]{38}$/.test(key) || !looksMade(key) || !hasValidChecksum(key)) t.fail(key);
  }
});

t.test('a published key keeps its checksum for ever', async (t) => {
  t.equal(hasValidChecksum('rck_UBw5znOXtohxY8A32L1UuonFXAJZOUAJ3mwVT5'), true);
});

t.test('every change of a single character is refused', async (t) => {
  const key = makeApiKey();
  for (let at = 0; at < key.length; at += 1) {
    for (const character of VISIBLE) {
      if (character === key[at]) continue;
      const slip = key.slice(0, at) + character + key.slice(at + 1);
      if (hasValidChecksum(slip)) t.fail(`${character} at ${at}`);
    }
  }
  const place = fc.tuple(fc.nat(key.length - 1), fc.constantFrom(...VISIBLE));
  fc.assert(
    fc.property(place, ([at, character]) => {
      const made = makeApiKey();
      fc.pre(made[at] !== character);
      return !hasValidChecksum(made.slice(0, at) + character + made.slice(at + 1));
    }),
  );
});

t.test('two neighbours that change places are refused', async (t) => {
  const key = makeApiKey();
  for (let at = 0; at + 1 < key.length; at += 1) {
    if (key[at] === key[at + 1]) continue;
    const slip = key.slice(0, at) + key.charAt(at + 1) + key.charAt(at) + key.slice(at + 2);
    t.equal(hasValidChecksum(slip), false, `at ${at}`);
  }
});

t.test('a key with a character too few or too many does not look made', async (t) => {
  const key = makeApiKey();
  for (const other of [key.slice(1), key.slice(0, -1), `${key}0`, ` ${key}`, `${key}\n`, '', 'rck_']) {
    t.equal(looksMade(other), false, JSON.stringify(other));
    t.equal(hasValidChecksum(other), false);
  }
});

t.test('the digest is the SHA-256 of the whole key', async (t) => {
  t.equal(digestOf('abc'), 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  fc.assert(fc.property(fc.string(), (text) => digestOf(text) === createHash('sha256').update(text).digest('hex')));
});

t.test('a given key has 20 to 200 visible ASCII characters', async (t) => {
  for (const good of ['x'.repeat(20), 'x'.repeat(200), VISIBLE.join(''), `rck_${'x'.repeat(16)}`]) {
    t.equal(isGivenKey(good), true, good);
  }
  const twenty = 'x'.repeat(20);
  for (const bad of ['', 'x'.repeat(19), 'x'.repeat(201), `${twenty} `, `${twenty}\n`, `${twenty}é`, `a b${twenty}`]) {
    t.equal(isGivenKey(bad), false, JSON.stringify(bad));
  }
});

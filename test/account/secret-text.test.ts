import t from 'tap';
import { makeApiKey } from '../../server/account/api-key.ts';
import { isSecret, makeSecret, type SecretKind } from '../../server/account/secret-text.ts';

const KINDS: readonly SecretKind[] = ['access', 'refresh', 'device', 'cookie', 'link'];

t.test('a secret is of its own kind and of no other', async (t) => {
  for (const kind of KINDS) {
    const secret = makeSecret(kind);
    for (const other of KINDS) t.equal(isSecret(other, secret), other === kind, `${kind} as ${other}`);
  }
  t.notOk(KINDS.some((kind) => isSecret(kind, makeApiKey())));
});

t.test('one wrong character, one more or one less, and it is none', async (t) => {
  const secret = makeSecret('link');
  for (let index = 0; index < secret.length; index++) {
    const wrong = secret.slice(0, index) + (secret[index] === 'x' ? 'y' : 'x') + secret.slice(index + 1);
    t.notOk(isSecret('link', wrong), wrong);
  }
  for (const wrong of ['', `${secret}0`, secret.slice(0, -1), ` ${secret}`, secret.toUpperCase()]) {
    t.notOk(isSecret('link', wrong), wrong);
  }
});

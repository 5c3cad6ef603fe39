import t from 'tap';
import { AccessTokens } from '../../../../server/drivers/android/control/access-tokens.ts';

const NOW_MS = Date.UTC(2026, 10, 21, 6);
const claimsOf = (token: string) => JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());

t.test('only the public half of a key is shown, and no two keys are the same', (t) => {
  const [one, other] = [new AccessTokens([]), new AccessTokens([])];
  t.strictSame(Object.keys(one.publicKey).sort(), ['alg', 'crv', 'key_ops', 'kid', 'kty', 'use', 'x', 'y']);
  t.not(one.publicKey.kid, other.publicKey.kid);
  t.not(one.publicKey.x, other.publicKey.x);
  t.end();
});

t.test('a token names who, for what, since when and until when', (t) => {
  const claims = claimsOf(new AccessTokens(['/a', '/b']).token(NOW_MS + 999));
  const iat = NOW_MS / 1_000;
  t.strictSame(claims, { iss: 'gradle-utp-emulator-control', aud: ['/a', '/b'], iat, exp: iat + 600 });
  t.end();
});

t.test('a token is used for half of its life, and for no moment before it began', (t) => {
  const key = new AccessTokens(['/a']);
  const first = key.token(NOW_MS);
  t.equal(key.token(NOW_MS + 299_999), first);
  const second = key.token(NOW_MS + 300_000);
  t.equal(claimsOf(second).iat, NOW_MS / 1_000 + 300);
  t.equal(claimsOf(key.token(NOW_MS)).iat, NOW_MS / 1_000, 'the clock was set back');
  t.end();
});

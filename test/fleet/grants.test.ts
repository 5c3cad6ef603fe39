import { randomBytes } from 'node:crypto';
import t from 'tap';
import { FLEET_KEY, GrantSigner, GrantVerifier } from '../../server/fleet/grants.ts';

const signer = new GrantSigner(randomBytes(32));
const verifier = new GrantVerifier(signer.publicKey);
const claims = { edge: 'e1', channel: 7, host: 'mac-1', name: 'Zoë' };

t.test('what an edge has signed is read with its public key', async (t) => {
  t.match(signer.publicKey, FLEET_KEY);
  t.strictSame(verifier.verify(signer.sign(claims)), claims);
});

t.test('what was altered, or signed by another key, is nothing', async (t) => {
  const signed = signer.sign(claims);
  const [text = '', signature = ''] = signed.split('.');
  const other = new GrantSigner(randomBytes(32));
  const forged = Buffer.from(JSON.stringify({ ...claims, host: 'mac-2' })).toString('base64url');
  const bad: unknown[] = [
    other.sign(claims),
    `${forged}.${signature}`,
    `${text}.${'A'.repeat(signature.length)}`,
    `${text}.`,
    text,
    `${signed}.${signature}`,
    '',
    undefined,
    7,
  ];
  for (const each of bad) t.equal(verifier.verify(each), undefined, String(each).slice(0, 40));
});

t.test('a key of another length is refused', async (t) => {
  t.throws(() => new GrantSigner(randomBytes(31)), RangeError);
});

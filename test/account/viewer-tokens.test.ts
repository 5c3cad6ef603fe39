import { createHmac, randomBytes } from 'node:crypto';
import fc from 'fast-check';
import t from 'tap';
import { VIEWER_TOKEN_BYTES_MAX, type ViewerClaims, ViewerTokens } from '../../server/account/viewer-tokens.ts';
import { ManualClock } from './manual-clock.ts';

const clock = new ManualClock();
const secret = randomBytes(32);
const tokens = new ViewerTokens(() => secret, clock);

const claims: ViewerClaims = {
  sessionId: 'ses_0123456789abcdefghijkl',
  accountId: 'acc_0123456789abcdefghijkl',
  role: 'control',
  expiresAtMs: ManualClock.EPOCH_MS + 60_000,
};

const text = fc.string({ unit: 'binary', minLength: 1, maxLength: 20 });
const anyClaims: fc.Arbitrary<ViewerClaims> = fc.record(
  {
    sessionId: text,
    accountId: text,
    role: fc.constantFrom('control' as const, 'view' as const),
    expiresAtMs: fc.integer({ min: ManualClock.EPOCH_MS + 1, max: Number.MAX_SAFE_INTEGER }),
    linkId: text,
    embedOrigin: text,
  },
  { requiredKeys: ['sessionId', 'accountId', 'role', 'expiresAtMs'], noNullPrototype: true },
);

t.test('a token gives back the claims that were signed', async (t) => {
  fc.assert(
    fc.property(anyClaims, (given) => {
      const token = tokens.sign(given);
      t.strictSame(tokens.verify(token), given);
      return token.length <= VIEWER_TOKEN_BYTES_MAX && /^[\w.-]+$/.test(token);
    }),
    { numRuns: 200 },
  );
});

t.test('a token with any one character changed, dropped or added is refused', async (t) => {
  const token = tokens.sign({ ...claims, linkId: 'lnk_1', embedOrigin: 'https://example.com' });
  for (let at = 0; at <= token.length; at += 1) {
    const altered = [...'Aa0_-.=+/ \n'].flatMap((character) => [
      token.slice(0, at) + character + token.slice(at + 1),
      token.slice(0, at) + character + token.slice(at),
    ]);
    for (const other of [...altered, token.slice(0, at) + token.slice(at + 1)]) {
      if (other !== token && tokens.verify(other)) t.fail(other);
    }
  }
});

t.test('another spelling of the same signature bytes is refused', async (t) => {
  const token = tokens.sign(claims);
  const bytes = Buffer.from(token.slice(-43), 'base64url');
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  const spellings = [...alphabet].map((last) => token.slice(0, -1) + last);
  const same = spellings.filter((other) => Buffer.from(other.slice(-43), 'base64url').equals(bytes));
  t.equal(same.length, 4);
  t.strictSame(
    same.filter((other) => tokens.verify(other)),
    [token],
  );
});

t.test('claims cannot be exchanged under a signature', async (t) => {
  const [, viewPayload] = tokens.sign({ ...claims, role: 'view' }).split('.');
  const [version, , signature] = tokens.sign(claims).split('.');
  t.equal(tokens.verify(`${version}.${viewPayload}.${signature}`), undefined);
});

t.test('a token of another secret, version or purpose is refused', async (t) => {
  const [, payload = ''] = tokens.sign(claims).split('.');
  const signed = (purpose: string, version = 'v1') =>
    `${version}.${payload}.${createHmac('sha256', secret).update(`${purpose}${payload}`).digest('base64url')}`;
  t.strictSame(tokens.verify(signed('runcloud viewer-token v1.')), claims, 'the form under test is the right one');
  t.equal(tokens.verify(signed('runcloud download v1.')), undefined);
  t.equal(tokens.verify(signed('')), undefined);
  t.equal(tokens.verify(signed('runcloud viewer-token v2.', 'v2')), undefined);
  t.equal(tokens.verify(signed('runcloud viewer-token v1.', 'v2')), undefined);
  const otherSecret = randomBytes(32);
  t.equal(new ViewerTokens(() => otherSecret, clock).verify(tokens.sign(claims)), undefined);
});

t.test('a well signed payload that holds no claims is refused', async (t) => {
  const sign = (content: string) => {
    const payload = Buffer.from(content).toString('base64url');
    const mac = createHmac('sha256', secret).update(`runcloud viewer-token v1.${payload}`).digest('base64url');
    return `v1.${payload}.${mac}`;
  };
  const good = ['ses_1', 'acc_1', 'view', claims.expiresAtMs, null, null];
  t.ok(tokens.verify(sign(JSON.stringify(good))));
  const wrongAt = (at: number, value: unknown) => good.map((kept, index) => (index === at ? value : kept));
  const wrong = [good.slice(1), [...good, 1], {}, null, wrongAt(0, ''), wrongAt(1, 7), wrongAt(2, 'admin')];
  wrong.push(wrongAt(3, '9'), wrongAt(3, 1.5), wrongAt(3, null), wrongAt(4, 1), wrongAt(5, ''));
  for (const value of wrong) t.equal(tokens.verify(sign(JSON.stringify(value))), undefined, JSON.stringify(value));
  t.equal(tokens.verify(sign('not json')), undefined);
});

t.test('a token ends at its time', async (t) => {
  const turning = new ManualClock();
  const own = new ViewerTokens(() => secret, turning);
  const token = own.sign(claims);
  turning.advance(59_999);
  t.ok(own.verify(token));
  turning.advance(1);
  t.equal(own.verify(token), undefined);
});

t.test('a text that is no token is refused, whatever its size', async (t) => {
  for (const other of ['', '.', '..', 'v1..', 'v1.e30', `v1.${'A'.repeat(1e6)}.${'A'.repeat(43)}`, 'A'.repeat(1e6)]) {
    t.equal(tokens.verify(other), undefined);
  }
  fc.assert(fc.property(fc.string(), (other) => tokens.verify(other) === undefined));
});

t.test('claims that do not fit or have a wrong kind are not signed', async (t) => {
  const wrong = [{ embedOrigin: 'x'.repeat(1_000) }, { sessionId: '' }, { role: 'admin' as 'view' }, { linkId: '' }];
  for (const part of [...wrong, { expiresAtMs: Number.NaN }, { expiresAtMs: Number.POSITIVE_INFINITY }]) {
    t.throws(() => tokens.sign({ ...claims, ...part }), RangeError);
  }
});

t.test('a short or empty secret signs nothing', async (t) => {
  for (const length of [0, 31]) t.throws(() => new ViewerTokens(() => new Uint8Array(length), clock), RangeError);
});

t.test(
  'a token that was signed in one epoch of an account is invalid in the next, and those of other accounts stay valid',
  async (t) => {
    const epochs = new Map<string, number>();
    const own = new ViewerTokens(
      () => secret,
      clock,
      (accountId) => epochs.get(accountId) ?? 0,
    );
    t.equal(own.sign(claims), tokens.sign(claims), 'the first epoch is that of tokens without one');
    const [mine, others] = [own.sign(claims), own.sign({ ...claims, accountId: 'acc_other' })];
    epochs.set(claims.accountId, 1);
    t.equal(own.verify(mine), undefined);
    t.ok(own.verify(others));
    t.strictSame(own.verify(own.sign(claims)), claims);
    epochs.set(claims.accountId, 11);
    t.equal(own.verify(mine), undefined);
  },
);

import type { Test } from 'tap';
import type { NatsBystander, SeenChannel } from './nats-bystander.ts';
import { TEST_KEY } from './server.ts';
import { type Tenant, type Tenants, tokenOf } from './tenants.ts';

/** Judges what went over NATS while two accounts used a fleet. */

/** Less is none of a test's whole course. */
const CHANNELS_MIN = 300;
const SOCKETS_MIN = 10;

const sessionIn = ({ open }: SeenChannel): string | undefined => /ses_[0-9A-Za-z]{28}/.exec(open.path)?.[0];

const tokensOf = ({ session, sibling, watching, revokedLink, endedToken }: Tenant): readonly string[] => [
  tokenOf(session),
  tokenOf(sibling),
  tokenOf(watching),
  tokenOf(revokedLink),
  endedToken,
];

export function judgeNats(t: Test, bystander: NatsBystander, tenants: Tenants, passwords: readonly string[]): void {
  const { owner, stranger } = tenants;
  const channels = bystander.channels();
  const sockets = channels.filter(({ open }) => open.kind === 'socket');
  t.comment(`${bystander.count} messages, ${channels.length} channels, ${sockets.length} of sockets`);
  t.ok(channels.length >= CHANNELS_MIN && sockets.length >= SOCKETS_MIN, 'there was much to read');

  const accountOf = (channel: SeenChannel): string | undefined => channel.grant.caller?.principal.accountId;
  for (const [one, other] of [
    [owner, stranger],
    [stranger, owner],
  ] as const) {
    const own = channels.filter((channel) => accountOf(channel) === one.accountId);
    t.ok(
      own.length > 0 && own.some(({ answered }) => answered.includes(one.marks.label ?? '')),
      `${one.name} is told of its own`,
    );
    t.strictSame(
      own.flatMap((channel) => foreignIn(channel, other)),
      [],
      `${one.name}'s channels carry nothing of ${other.name}'s`,
    );
  }
  // Whoever has a token or nothing is nobody to the edge: what it is told is of the token's session.
  const nobodys = channels.filter((channel) => accountOf(channel) === undefined);
  t.ok(nobodys.length > 0);
  for (const [one, other] of [
    [owner, stranger],
    [stranger, owner],
  ] as const) {
    const tokens = tokensOf(one);
    const byToken = nobodys.filter(({ asked }) => tokens.some((token) => asked.includes(encodeURIComponent(token))));
    t.ok(byToken.length > 0, `${one.name}'s tokens are shown`);
    t.strictSame(
      byToken.flatMap((channel) => foreignIn(channel, other)),
      [],
      `with ${one.name}'s tokens nothing of ${other.name}'s is told`,
    );
  }
  t.strictSame(
    sockets.flatMap((channel) => {
      const told = new Set(channel.answered.toString('latin1').match(/ses_[0-9A-Za-z]{28}/g) ?? []);
      return [...told].filter((id) => id !== sessionIn(channel)).map((id) => `${channel.open.path} is told of ${id}`);
    }),
    [],
    "a socket's channel carries frames of its own session alone",
  );
  const numbers = new Set(channels.map(({ name }) => name));
  t.equal(numbers.size, channels.length, 'each channel is of one request or socket');

  const payloads = bystander.payloads();
  const secrets = [TEST_KEY, ...owner.secrets, ...stranger.secrets, ...passwords];
  t.ok(
    secrets.every((secret) => secret.length > 8),
    'each credential is known',
  );
  const shown = secrets.filter((secret) => payloads.some((payload) => payload.includes(secret)));
  t.strictSame(shown, [], 'no credential of an account goes over NATS');
  for (const [one, other] of [
    [owner, stranger],
    [stranger, owner],
  ] as const) {
    const token = tokenOf(one.session);
    const withToken = channels.filter(({ answered }) => answered.includes(token));
    t.ok(withToken.length > 0, "a session's own address is told by its host");
    t.notOk(
      withToken.some((channel) => accountOf(channel) !== one.accountId),
      `${one.name}'s is told to nobody but it, not to ${other.name}`,
    );
  }
}

/** What a host said of a tenant on a channel, but for what was said there before. */
const foreignIn = ({ open, asked, answered }: SeenChannel, { marks }: Tenant): readonly string[] =>
  Object.entries(marks).flatMap(([what, text]) =>
    answered.includes(text) && !asked.includes(text) ? [`${open.kind} ${open.method} ${open.path}: ${what}`] : [],
  );

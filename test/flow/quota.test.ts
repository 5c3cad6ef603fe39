import { LIMITS, ServiceError } from '@runcloud/protocol/terms';
import t from 'tap';
import { type Bearer, Quota } from '../../server/flow/quota.ts';
import { SOCKET_TERMS } from '../../server/session/live-session.ts';
import { ManualClock } from '../account/manual-clock.ts';
import { KEY, SESSION_LINK, viewerLink } from '../support/bearers.ts';

const { total, forKeys, perLink, kept } = SOCKET_TERMS;

/** Takes as many as there are; the refusal ends it. */
function fill(quota: Quota, bearer: Bearer, most = Number.POSITIVE_INFINITY): number {
  for (let count = 0; count < most; count++) {
    try {
      quota.take(bearer);
    } catch (error) {
      if (!(error instanceof ServiceError) || error.code !== 'rate_limited') throw error;
      return count;
    }
  }
  return most;
}

const open = () => new Quota(SOCKET_TERMS, new ManualClock());
const links = (count: number) => Array.from({ length: count }, (_, index) => viewerLink(`${index}`));

t.test('a link has as many as one link may have, and then its owner and other links still have theirs', async (t) => {
  const quota = open();
  t.equal(fill(quota, viewerLink('greedy')), perLink);
  t.equal(fill(quota, viewerLink('second')), perLink, 'the second is not disturbed by the first');
  t.equal(fill(quota, KEY), total - 2 * perLink);
});

t.test('many links leave what is kept for keys, for the link of the session and for each of them', async (t) => {
  const quota = open();
  const all = links(LIMITS.viewerLinksPerSession);
  const greedy = all.slice(0, 10).map((link) => fill(quota, link));
  t.ok(Math.min(...greedy) >= kept.viewerLink);
  t.same(
    all.slice(10).map((link) => fill(quota, link)),
    all.slice(10).map(() => kept.viewerLink),
  );
  t.equal(fill(quota, SESSION_LINK), kept.sessionLink);
  t.equal(fill(quota, KEY), forKeys);
  t.throws(() => quota.check(KEY), { message: `The session has the maximum number of sockets, ${total}.` });
});

t.test('whatever comes and goes, what is kept is there for those it is kept for', async (t) => {
  const quota = open();
  const all = [...links(LIMITS.viewerLinksPerSession), SESSION_LINK, SESSION_LINK, KEY];
  const held = new Map<string, number>();
  let asked = 0;
  let seed = 1;
  const random = (below: number) => {
    seed = (seed * 48_271) % 0x7fff_ffff;
    return seed % below;
  };
  for (let step = 0; step < 20_000; step++) {
    const bearer = all[random(all.length)] ?? KEY;
    const own = held.get(bearer.name) ?? 0;
    // Keys that take more than what is kept for them take it from the links.
    if (random(3) === 0) {
      for (let count = 0; count < own; count++) quota.giveBack(bearer);
      held.set(bearer.name, 0);
    } else {
      held.set(bearer.name, own + fill(quota, bearer, bearer.kind === 'key' ? forKeys - own : 1 + random(60)));
    }
    const waiting = all[random(all.length)] ?? KEY;
    const floor = { key: forKeys, 'session link': kept.sessionLink, 'viewer link': kept.viewerLink }[waiting.kind];
    if ((held.get(waiting.name) ?? 0) >= floor) continue;
    quota.check(waiting);
    asked++;
  }
  t.ok(asked > 1_000, `${asked} times somebody had a right to one more`);
  t.ok(Math.max(...held.values()) > kept.sessionLink);
});

t.test('each link begins only so many in a second, and all of them together only so many more', async (t) => {
  const clock = new ManualClock();
  const terms = { ...SOCKET_TERMS, rate: { perSecond: 5, things: 'things' } };
  const quota = new Quota(terms, clock);
  const begin = (bearer: Bearer) => {
    quota.take(bearer);
    quota.giveBack(bearer);
  };
  const untilRefused = (bearer: Bearer) => {
    for (let count = 0; ; count++) {
      try {
        begin(bearer);
      } catch {
        return count;
      }
    }
  };
  const all = links(4);
  t.same(all.map(untilRefused), [10, 10, 10, 10]);
  t.throws(() => begin(viewerLink('0')), {
    message: /^This link asks for more than 5 things a second/,
    retryAfterSeconds: 1,
  });
  t.throws(() => begin(viewerLink('fifth')), { message: /^The links of the session ask for too many things a second/ });
  for (let count = 0; count < 1_000; count++) begin(KEY);
  clock.advance(1_000);
  t.same([...all, viewerLink('fifth')].map(untilRefused), [5, 5, 5, 5, 0]);
});

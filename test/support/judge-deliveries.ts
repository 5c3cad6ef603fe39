import { setTimeout as sleep } from 'node:timers/promises';
import type { SessionRecord } from '@runcloud/protocol';
import type { Test } from 'tap';
import { TenantSocket } from './tenant-socket.ts';
import { type Tenant, type Tenants, tokenOf } from './tenants.ts';

/** Judges what sockets of two accounts are sent, while both are at work on one host. */

const ROUNDS = 8;
/** What is under way to sockets comes within this time. */
const QUIET_MS = 1_000;

/** A tenant's sockets: that of its key, and one that watches. */
interface Pair {
  readonly tenant: Tenant;
  readonly acting: TenantSocket;
  readonly watching: TenantSocket;
}

async function openPair(url: string, tenant: Tenant): Promise<Pair> {
  const { session, watching } = tenant;
  const pair = {
    tenant,
    acting: await TenantSocket.open(url, session, tenant),
    watching: await TenantSocket.open(url, session, { token: tokenOf(watching) }),
  };
  for (const socket of socketsOf(pair)) socket.send({ type: 'screen.start', encodings: ['jpeg'] });
  return pair;
}

const socketsOf = ({ acting, watching }: Pair): readonly TenantSocket[] => [acting, watching];

/** Everything of which a socket is told, each with the tenant's name in it. */
async function work({ tenant: { name, session, ids }, acting }: Pair, round: number): Promise<void> {
  const id = (what: string) => `${name}-${what}-${round}`;
  const interact = (requestId: string, fields: object) => acting.send({ type: 'interaction', requestId, ...fields });
  interact(id('tap'), { action: 'tapElement', target: { role: 'textfield' }, observe: true });
  interact(id('type'), { action: 'typeText', text: `${name} ${round} ` });
  acting.send({ type: 'pointer', requestId: id('drag'), phase: 'begin', points: [{ x: 0.5, y: 0.4 }] });
  acting.send({ type: 'pointer', requestId: id('drag'), phase: 'end', points: [{ x: 0.5, y: 0.4 }] });
  acting.send({ type: 'clipboard.set', requestId: id('copy'), text: id('copied') });
  acting.send({ type: 'ui', requestId: id('ui') });
  acting.send({ type: 'screenshot', requestId: id('picture') });
  acting.send({ type: 'history.list', requestId: id('history') });
  acting.send({ type: 'recording.get', requestId: id('recording'), recordingId: ids.recordingId });
  const asked = ['tap', 'type', 'drag', 'copy', 'ui', 'picture', 'history', 'recording'];
  for (const what of asked) {
    const { ok, sessionId } = await acting.result(id(what));
    if (!ok || sessionId !== session.id) throw new Error(`${id(what)} was answered otherwise`);
  }
}

export async function judgeDeliveries(t: Test, { server, owner, stranger }: Tenants): Promise<void> {
  const pairs = [await openPair(server.url, owner), await openPair(server.url, stranger)] as const;
  t.teardown(() => {
    for (const pair of pairs) for (const socket of socketsOf(pair)) socket.terminate();
  });
  for (let round = 0; round < ROUNDS; round++) {
    await Promise.all(pairs.map((pair) => work(pair, round)));
    // What is told of a whole session: of one at a time, so that nobody takes the other's for its own.
    await tellOfSession(pairs[round % 2] as Pair, round);
  }
  await sleep(QUIET_MS);

  for (const [one, other] of [pairs, [...pairs].reverse()] as readonly (readonly [Pair, Pair])[]) {
    const { name, session } = one.tenant;
    for (const [index, socket] of socketsOf(one).entries()) {
      const what = `${name}'s ${index === 0 ? 'key' : 'link to watch'}`;
      const { bytes } = socket;
      t.ok(bytes.includes(session.id) && bytes.includes(`${name}-`), `${what} is told of its own session`);
      const foreign = [`${other.tenant.name}-`, `${other.tenant.name} `, ...idsOf(other)];
      t.strictSame(
        foreign.filter((text) => bytes.includes(text)),
        [],
        `${what} is told nothing of the other's`,
      );
      t.strictSame([...sessionsIn(bytes)], [session.id], `${what} is told of no session but its own`);
      t.ok(socket.pictures.length >= ROUNDS / 2, `${what} sees pictures: ${socket.pictures.length}`);
      const seen = new Set(socketsOf(other).flatMap(({ pictures }) => pictures));
      t.strictSame(
        socket.pictures.filter((picture) => seen.has(picture)),
        [],
        `${what} sees no picture of the other's`,
      );
    }
    const [acting, watching] = socketsOf(one);
    t.ok(
      acting?.pictures.some((picture) => watching?.pictures.includes(picture)),
      `what ${name}'s sockets see is the same`,
    );
    const turned = one.acting.messages.filter((message) => message.type === 'event' && message.event === 'orientation');
    t.equal(turned.length, ROUNDS / 2, `${name} is told of as many turns as there were of its own device`);
  }
}

/** Turns the device, and tells its sockets of it. */
async function tellOfSession({ tenant: { name }, acting, watching }: Pair, round: number): Promise<void> {
  const from = [acting, watching].map(({ messages }) => messages.length);
  const orientation = (round >> 1) % 2 === 0 ? 'landscape_left' : 'portrait';
  const requestId = `${name}-turn-${round}`;
  acting.send({ type: 'interaction', requestId, action: 'rotate', orientation });
  for (const [index, socket] of [acting, watching].entries()) {
    await socket.next('event', (message) => message.event === 'orientation', from[index]);
  }
}

/** Ids of a tenant's own, of its sessions, its connections and its participants. */
function idsOf(pair: Pair): readonly string[] {
  const { session, sibling, accountId, ids } = pair.tenant;
  const ready = socketsOf(pair).flatMap(({ ready: { connection, participant } }) => [connection?.id, participant?.id]);
  const named: readonly (string | undefined)[] = [
    session.id,
    sibling.id,
    accountId,
    session.leaseId,
    ...ready,
    ids.recordingId,
  ];
  return named.filter((id): id is string => id !== undefined && id !== '');
}

const sessionsIn = (bytes: Buffer): Set<SessionRecord['id']> =>
  new Set(bytes.toString('latin1').match(/ses_[0-9A-Za-z]{22}(?:[0-9A-Za-z]{6})?/g) ?? []);

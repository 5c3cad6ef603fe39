import { CLOSE, LIMITS } from '@runcloud/protocol';
import t from 'tap';
import type { ControlConnection } from '../../server/control/control-connection.ts';
import { ResumableConnections, type ResumeClaim } from '../../server/control/resumable-connections.ts';
import type { Credential } from '../../server/control/upgrade.ts';
import type { LiveSession } from '../../server/session/live-session.ts';
import { FakeClock } from '../support/fake-clock.ts';

const SESSION = {} as LiveSession;
const credentialOf = (accountId: string) => ({ accountId, party: accountId }) as Credential;

function open() {
  const clock = new FakeClock();
  const connections = new ResumableConnections(clock);
  const ended: string[] = [];
  let count = 0;
  /** A connection that may be resumed at any time; with a socket, or without. */
  const add = (accountId = 'acc', isAway = true) => {
    const id = `con_${String(++count).padStart(22, '0')}`;
    const memory = connections.memoryOf(accountId);
    let held = 0;
    let ages = 0;
    const connection = {
      id,
      credential: credentialOf(accountId),
      mayBeResumed: ({ epoch }: ResumeClaim) => epoch === 1,
      ring: { age: () => ages++ },
      end: (reason: unknown) => {
        t.equal(reason, CLOSE.moved);
        ended.push(id);
        memory.give(held);
        held = 0;
        connections.remove(connection);
      },
    } as unknown as ControlConnection;
    const take = (bytes: number) => {
      const isTaken = memory.take(bytes);
      if (isTaken) held += bytes;
      return isTaken;
    };
    connections.add(connection);
    if (isAway) connections.left(connection);
    return { id, connection, take, ages: () => ages };
  };
  const finds = (id: string) => connections.find(`${id}.1.0`, SESSION, credentialOf('acc')) !== undefined;
  return { clock, connections, ended, add, finds };
}

t.test('a connection without a socket is kept for the window, and then given up', async (t) => {
  const { clock, add, finds, ended } = open();
  const { id } = add();
  const { id: other } = add('acc', false);
  await clock.advance(LIMITS.resumeWindowMs - 1);
  t.equal(finds(id), true);
  await clock.advance(2);
  t.equal(finds(id), false, 'even if it is not given up yet');
  await clock.advance(LIMITS.resumeWindowMs);
  t.same(ended, [id]);
  t.equal(finds(other), true, 'one with a socket stays');
});

t.test('a connection that returned waits anew when it leaves again', async (t) => {
  const { clock, connections, add, finds, ended } = open();
  const { id, connection } = add();
  await clock.advance(LIMITS.resumeWindowMs - 10);
  connections.returned(connection);
  await clock.advance(LIMITS.resumeWindowMs * 2);
  t.same(ended, []);
  connections.left(connection);
  await clock.advance(LIMITS.resumeWindowMs - 10);
  t.equal(finds(id), true);
});

t.test('one timer serves all connections, and none where there are none', async (t) => {
  const { clock, connections, add } = open();
  t.equal(clock.waiting, 0);
  const all = Array.from({ length: 50 }, () => add('acc', false));
  t.equal(clock.waiting, 1);
  await clock.advance(LIMITS.resumeWindowMs);
  t.ok(all.every(({ ages }) => ages() === 8));
  for (const { connection } of all) connections.remove(connection);
  await clock.advance(LIMITS.resumeWindowMs);
  t.equal(clock.waiting, 0);
});

t.test('of too many without a socket, the one that lost its socket first is given up', async (t) => {
  const { add, ended, connections } = open();
  const first = add();
  const second = add();
  for (let index = 2; index < LIMITS.resumableConnectionsPerAccount; index++) add();
  t.same(ended, []);
  connections.returned(first.connection);
  connections.left(first.connection);
  add();
  t.same(ended, [second.id]);
  add('another account');
  t.equal(ended.length, 1, 'each account has its own bound');
});

t.test(
  'kept messages of an account are bounded: connections without a socket make room, the oldest first',
  async (t) => {
    const { add, ended } = open();
    const half = LIMITS.resumeBytesPerAccount / 2;
    const [one, two] = [add(), add()];
    const live = add('acc', false);
    t.equal(one.take(half), true);
    t.equal(two.take(half), true);
    t.equal(live.take(half), true);
    t.same(ended, [one.id]);
    t.equal(live.take(half), true);
    t.same(ended, [one.id, two.id]);
    t.equal(live.take(1), false, 'one with a socket is not given up');
    t.equal(add('another account').take(half), true);
  },
);

t.test('kept messages of all accounts are bounded', async (t) => {
  const { add, ended } = open();
  const taken = Array.from({ length: 5 }, (_, index) => add(`account ${index}`)).map(({ take }) =>
    take(LIMITS.resumeBytesPerAccount),
  );
  t.same(taken, [true, true, true, true, true]);
  t.equal(ended.length, 1);
});

t.test('a value that is none is unknown', async (t) => {
  const { connections, add } = open();
  const { id } = add();
  const found = (value: string) => connections.find(value, SESSION, credentialOf('acc')) !== undefined;
  t.equal(found(`${id}.1.0`), true);
  for (const value of [
    '',
    id,
    `${id}.1`,
    `${id}.1.0.0`,
    `${id}.1.-1`,
    `${id}.1.1e3`,
    `${id} .1.0`,
    `x${id}.1.0`,
    '__proto__.1.0',
  ])
    t.equal(found(value), false, value);
});

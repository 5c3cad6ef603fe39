import type { ControlState } from '@runcloud/protocol';
import { LIMITS, ServiceError } from '@runcloud/protocol/terms';
import t, { type Test } from 'tap';
import { ControlLease } from '../../server/interaction/control-lease.ts';
import { Participant } from '../../server/interaction/participant.ts';
import { ManualClock } from '../account/manual-clock.ts';

const { controlLeaseMs: LEASE_MS, controlGraceMs: GRACE_MS, controlRequestMs: REQUEST_MS, controlRequests } = LIMITS;

const participant = (id: string, parts: Partial<Pick<Participant, 'isOwner' | 'isSocket'>> = {}) =>
  new Participant({ id, isOwner: false, isSocket: true, ...parts }, () => `name of ${id}`);
const [ANN, BEN, CAT] = ['ann', 'ben', 'cat'].map((id) => participant(id)) as [Participant, Participant, Participant];
const KEY = participant('key', { isOwner: true, isSocket: false });

function open() {
  const clock = new ManualClock();
  const connected = new Set(['ann', 'ben', 'cat']);
  const told: ControlState[] = [];
  const passedTo: string[] = [];
  const lease = new ControlLease({
    clock,
    isConnected: (id) => connected.has(id),
    onChange: (state) => void told.push(state),
    onPassed: ({ id }) => void passedTo.push(id),
  });
  const close = (who: Participant) => {
    connected.delete(who.id);
    lease.left(who);
  };
  /** Who has control, then who waits. */
  const places = () => [lease.state().holder?.id, ...lease.state().waiting.map(({ id }) => id)];
  return { clock, connected, told, passedTo, lease, close, places };
}

function refused(t: Test, code: string, act: () => void): ServiceError {
  const error = t.throws(act, { code }) as unknown;
  return error instanceof ServiceError ? error : new ServiceError('internal_error');
}

t.test('without a holder everybody may send input, and nothing is told', async (t) => {
  const { lease, told, clock } = open();
  for (const who of [ANN, BEN, KEY, undefined]) lease.admit(who);
  t.same([lease.isFree, told, clock.waiting], [true, [], 0]);
});

t.test('the input of others is refused by the name of the holder and its time', async (t) => {
  const { lease } = open();
  lease.request(ANN);
  lease.admit(ANN);
  for (const who of [BEN, KEY, undefined]) {
    const { message, retryable, retryAfterSeconds } = refused(t, 'not_in_control', () => lease.admit(who));
    t.equal(message, 'name of ann has control of this session since 2023-11-14T22:13:20.000Z.');
    t.same([retryable, retryAfterSeconds], [true, LEASE_MS / 1_000]);
  }
});

t.test('input keeps control; without any it ends, and everybody may send input again', async (t) => {
  const { lease, clock, told } = open();
  lease.request(ANN);
  for (let count = 0; count < 3; count++) {
    clock.advance(LEASE_MS - 1);
    lease.admit(ANN);
  }
  clock.advance(LEASE_MS - 1);
  refused(t, 'not_in_control', () => lease.admit(BEN));
  clock.advance(1);
  lease.admit(BEN);
  t.same(
    told.map(({ holder }) => holder?.id),
    ['ann', undefined],
    'renewals are not told',
  );
  t.equal(clock.waiting, 0, 'no timer is left');
});

t.test('a late timer gives nobody more time', async (t) => {
  const { lease, clock } = open();
  lease.request(ANN);
  // The clock has moved, and its timers have not run.
  const lateMs = LEASE_MS + 1;
  const { monotonicMs } = clock;
  clock.monotonicMs = () => monotonicMs.call(clock) + lateMs;
  lease.admit(BEN);
  t.ok(lease.isFree);
});

t.test('control passes to the first who asked', async (t) => {
  const { lease, clock, places, passedTo } = open();
  for (const who of [ANN, BEN, CAT, BEN]) lease.request(who);
  t.same(places(), ['ann', 'ben', 'cat'], 'asking again keeps the place');
  clock.advance(LEASE_MS);
  t.same(places(), ['ben', 'cat']);
  lease.release(BEN);
  t.same(places(), ['cat']);
  lease.release(CAT);
  t.same(places(), [undefined]);
  t.same(passedTo, ['ann', 'ben', 'cat']);
});

t.test('whoever has control, and the owner, grant and deny; nobody else', async (t) => {
  const { lease, places } = open();
  for (const who of [ANN, BEN, CAT]) lease.request(who);
  refused(t, 'not_in_control', () => lease.grant(BEN, 'cat'));
  refused(t, 'not_in_control', () => lease.deny(CAT, 'ben'));
  lease.grant(ANN, 'cat');
  t.same(places(), ['cat', 'ben']);
  refused(t, 'control_request_not_found', () => lease.grant(CAT, 'ann'));
  refused(t, 'not_in_control', () => lease.grant(ANN, 'ben'));
  lease.grant(KEY, 'ben');
  t.same(places(), ['ben']);
  lease.request(ANN);
  lease.deny(KEY, 'ann');
  t.same(places(), ['ben']);
  refused(t, 'control_request_not_found', () => lease.deny(BEN, 'ann'));
});

t.test('the owner takes control from anybody; a guest does not', async (t) => {
  const { lease, places, passedTo } = open();
  lease.request(ANN);
  lease.request(BEN);
  refused(t, 'owner_required', () => lease.take(BEN));
  lease.take(KEY);
  lease.take(KEY);
  t.same(places(), ['key', 'ben'], 'who had it does not wait for it, who waited still does');
  t.same(passedTo, ['ann', 'key']);
});

t.test('a release by one who waits withdraws the request; by others it does nothing', async (t) => {
  const { lease, places, told } = open();
  lease.request(ANN);
  lease.request(BEN);
  lease.release(BEN);
  lease.release(CAT);
  t.same(places(), ['ann']);
  t.equal(told.length, 3);
});

t.test('a lost socket keeps control for a moment, and for good when it is back', async (t) => {
  const { lease, clock, connected, close, places } = open();
  lease.request(ANN);
  lease.request(BEN);
  close(ANN);
  clock.advance(GRACE_MS - 1);
  t.same(places(), ['ann', 'ben']);
  connected.add('ann');
  lease.returned(ANN);
  clock.advance(LEASE_MS - 1);
  t.same(places(), ['ann', 'ben']);
  close(ANN);
  clock.advance(GRACE_MS);
  t.same(places(), ['ben']);
});

t.test(
  'one who waits loses its place a moment after its socket, and control never passes to who is gone',
  async (t) => {
    const { lease, clock, connected, close, places } = open();
    for (const who of [ANN, BEN, CAT]) lease.request(who);
    close(BEN);
    clock.advance(GRACE_MS - 1);
    t.same(places(), ['ann', 'ben', 'cat']);
    lease.release(ANN);
    t.same(places(), ['cat', 'ben'], 'ben may come back, and cat is here');
    connected.add('ben');
    lease.returned(BEN);
    clock.advance(GRACE_MS);
    t.same(places(), ['cat', 'ben']);
    close(BEN);
    clock.advance(GRACE_MS);
    t.same(places(), ['cat']);
  },
);

t.test('the request of a key without a socket lapses unless it asks again', async (t) => {
  const { lease, clock, places } = open();
  lease.request(ANN);
  lease.request(KEY);
  for (const step of [1, 2, 3, 4]) {
    clock.advance(REQUEST_MS / 3);
    lease.admit(ANN);
    if (step === 2) lease.request(KEY);
  }
  t.same(places(), ['ann', 'key']);
  clock.advance(REQUEST_MS / 3);
  t.same(places(), ['ann']);
});

t.test('the socket of a key says nothing of its other ones', async (t) => {
  const { lease, clock, close, places } = open();
  lease.take(KEY);
  close(KEY);
  clock.advance(LEASE_MS - 1);
  t.same(places(), ['key']);
  clock.advance(1);
  t.same(places(), [undefined]);
});

t.test('so many may wait, and the next is told when to ask again', async (t) => {
  const { lease } = open();
  lease.request(ANN);
  for (let count = 0; count < controlRequests; count++) lease.request(participant(`p${count}`, { isSocket: false }));
  const { retryAfterSeconds } = refused(t, 'rate_limited', () => lease.request(BEN));
  t.equal(retryAfterSeconds, LEASE_MS / 1_000);
  t.equal(lease.state().waiting.length, controlRequests);
});

t.test('the end of the session leaves no timer', async (t) => {
  const { lease, clock } = open();
  lease.request(ANN);
  t.equal(clock.waiting, 1);
  lease.close();
  t.equal(clock.waiting, 0);
  lease.admit(BEN);
});

t.test('a further step of an input keeps control, and gives none', async (t) => {
  const { lease, clock, places } = open();
  lease.renew(ANN);
  lease.request(ANN);
  clock.advance(LEASE_MS - 1);
  lease.renew(BEN);
  lease.renew(ANN);
  clock.advance(LEASE_MS - 1);
  t.same(places(), ['ann']);
});

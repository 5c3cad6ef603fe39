import { LIMITS } from '@runcloud/protocol/terms';
import t from 'tap';
import { type SocketHolder, SocketHolders } from '../../server/control/socket-holder.ts';
import { ManualClock } from '../account/manual-clock.ts';

const { overloadsPerMinute, floodWaitMs } = LIMITS;
const REFUSED = { code: 'rate_limited' };

/** Refuses messages of a holder until it floods. */
function flood(holder: SocketHolder): number {
  let refused = 1;
  while (!holder.floods()) refused++;
  return refused;
}

t.test(
  'a holder whose messages are refused again and again loses its sockets, and waits before it opens one',
  async (t) => {
    const clock = new ManualClock();
    const holders = new SocketHolders(clock);
    const holder = holders.of('key', 'key');
    holder.open();
    t.equal(flood(holder), overloadsPerMinute + 1);
    t.ok(holder.floods(), 'the next socket that sends is closed at once');
    t.throws(() => holders.of('key', 'key').open(), { ...REFUSED, retryAfterSeconds: floodWaitMs.min / 1_000 });
    t.doesNotThrow(() => holders.of('other', 'key').open());
    clock.advance(floodWaitMs.min - 1);
    t.throws(() => holder.open(), REFUSED);
    clock.advance(1);
    t.doesNotThrow(() => holder.open());
  },
);

t.test(
  'a holder that goes on waits twice as long each time, up to a minute; after a quiet minute it begins anew',
  async (t) => {
    const clock = new ManualClock();
    const holder = new SocketHolders(clock).of('key', 'key');
    const waits: number[] = [];
    for (let time = 0; time < 6; time++) {
      flood(holder);
      let waitMs = 0;
      for (; ; waitMs += 1_000) {
        try {
          holder.open();
          break;
        } catch {
          clock.advance(1_000);
        }
      }
      waits.push(waitMs);
    }
    t.same(waits, [10_000, 20_000, 40_000, 60_000, 60_000, 60_000]);
    clock.advance(60_000);
    flood(holder);
    t.throws(() => holder.open(), { ...REFUSED, retryAfterSeconds: 10 });
  },
);

t.test('a long message that is refused counts as several short ones', async (t) => {
  const holder = new SocketHolders(new ManualClock()).of('key', 'key');
  let refused = 1;
  while (!holder.floods(10)) refused++;
  t.equal(refused, overloadsPerMinute / 10 + 1);
});

t.test('a client that is refused now and then keeps its sockets', async (t) => {
  const clock = new ManualClock();
  const holder = new SocketHolders(clock).of('key', 'key');
  for (let index = 0; index < overloadsPerMinute * 3; index++) {
    clock.advance(100);
    if (holder.floods()) t.fail(`refusal ${index} was taken for a flood`);
  }
  t.doesNotThrow(() => holder.open());
});

t.test('a holder opens as many sockets as it may have at once, and after that one after the other', async (t) => {
  const kinds = [
    ['key', LIMITS.socketsPerSession, LIMITS.socketsOpenedPerSecond],
    ['link', LIMITS.socketsPerLink, LIMITS.linkSocketsOpenedPerSecond],
  ] as const;
  for (const [kind, atOnce, perSecond] of kinds) {
    const clock = new ManualClock();
    const holder = new SocketHolders(clock).of('holder', kind);
    for (let index = 0; index < atOnce + perSecond; index++) holder.open();
    t.throws(() => holder.open(), { ...REFUSED, retryAfterSeconds: 1 }, kind);
    clock.advance(1_000);
    for (let index = 0; index < perSecond; index++) holder.open();
    t.throws(() => holder.open(), REFUSED, kind);
  }
});

t.test('thousands of other holders later one is forgotten, and no more are kept', async (t) => {
  const holders = new SocketHolders(new ManualClock());
  const first = holders.of('first', 'key');
  for (let index = 0; index < 9_999; index++) holders.of(`other-${index}`, 'key');
  t.equal(holders.of('first', 'key'), first);
  for (let index = 0; index < 10_000; index++) holders.of(`another-${index}`, 'key');
  t.not(holders.of('first', 'key'), first);
});

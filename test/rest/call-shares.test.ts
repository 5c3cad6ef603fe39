import { LIMITS, ServiceError } from '@runcloud/protocol/terms';
import t from 'tap';
import { FairScheduler } from '../../server/flow/fair-scheduler.ts';
import { LateRefusals } from '../../server/flow/late-refusals.ts';
import { Exchange, type ExchangeOptions } from '../../server/rest/exchange.ts';
import type { HttpHead, HttpReply } from '../../server/socket/http.ts';
import { FakeClock } from '../support/fake-clock.ts';

const REPLY: HttpReply = { status: 200, body: '{}' };
/** Of one handler. */
const WORK_MS = 0.2;

/** Calls of accounts on a loop that goes round when the test says. */
function openCalls() {
  const clock = new FakeClock();
  let deferred: (() => void)[] = [];
  const defer = (task: () => void) => void deferred.push(task);
  const scheduler = new FairScheduler({
    nowMs: () => clock.monotonicMs(),
    defer,
    rest: (_, task) => defer(task),
    bytesMax: 1_000_000,
    onFault: (error) => t.fail(String(error)),
  });
  const options = {
    clock,
    scheduler,
    refusals: new LateRefusals<HttpReply>({ waitMs: LIMITS.refusedCallMs, clock }),
    commit: (task: () => unknown) => task(),
    onAnswered: () => undefined,
  } as unknown as ExchangeOptions;
  const done: string[] = [];
  const charged: [number, number | undefined][] = [];
  const rateLimiter = { chargeWork: (ms: number, paid?: number) => void charged.push([ms, paid]) };
  const call = (
    party: string,
    method: 'GET' | 'POST' = 'GET',
    act = (): HttpReply => REPLY,
    path = method === 'GET' ? '/service/account' : '/service/sessions',
  ) => {
    const exchange = new Exchange({ method, path, header: () => undefined } as unknown as HttpHead, options);
    const run = () => {
      clock.turn(WORK_MS);
      done.push(party);
      return act();
    };
    const payer = { party, rateLimiter } as never;
    return method === 'GET' ? exchange.carryOut(run, payer) : exchange.awaitBody(run, payer).receive(Buffer.from('{}'));
  };
  return {
    call,
    done,
    charged,
    /** Goes round once; tells how long that took. */
    round(): number {
      const startMs = clock.monotonicMs();
      const tasks = deferred;
      deferred = [];
      for (const task of tasks) task();
      return clock.monotonicMs() - startMs;
    },
    get idle() {
      return deferred.length === 0;
    },
  };
}

for (const method of ['GET', 'POST'] as const) {
  t.test(
    `of many ${method} calls that come in one turn of the loop, most wait for slices of their account`,
    async (t) => {
      const calls = openCalls();
      const replies = Array.from({ length: 50 }, () => calls.call('flood', method));
      t.ok(calls.done.length >= 1 && calls.done.length <= 5, `${calls.done.length} at once`);
      const before = calls.done.length;
      calls.call('other', method);
      t.same(calls.done.slice(before), ['other'], 'the call of another account does not wait for them');
      let longestMs = 0;
      while (!calls.idle) longestMs = Math.max(longestMs, calls.round());
      t.ok(longestMs <= 1.5, `${longestMs} ms in one turn`);
      t.match(await Promise.all(replies), Array(50).fill(REPLY), 'all are answered');
      t.equal(calls.charged.length, 51);
      t.ok(
        calls.charged.every(([ms, paid]) => Math.abs(ms - WORK_MS) < 1e-6 && paid === 1),
        'each pays for its work, less what it paid when it came',
      );
    },
  );
}

t.test('of interactions, which are short, more run in one turn of the loop, and not all', async (t) => {
  const calls = openCalls();
  const path = '/service/ios/ses_0123456789ABCDEFGHIJKL/interactions';
  const replies = Array.from({ length: 50 }, () => calls.call('flood', 'POST', undefined, path));
  t.ok(calls.done.length >= 10 && calls.done.length <= 20, `${calls.done.length} at once`);
  while (!calls.idle) calls.round();
  t.match(await Promise.all(replies), Array(50).fill(REPLY), 'all are answered');
});

t.test('who asks for a device where all are taken is told so late, as who asks too often', async (t) => {
  for (const code of ['simulator_capacity_unavailable', 'rate_limited'] as const) {
    const { call } = openCalls();
    const reply = call('flood', 'POST', () => {
      throw new ServiceError(code, undefined, { retryAfterSeconds: 5 });
    });
    t.type(reply, Promise, code);
  }
  const { call } = openCalls();
  const other = call('one', 'GET', () => {
    throw new ServiceError('session_not_found');
  });
  t.match(other, { status: 404 }, 'any other refusal comes at once');
});

t.test('a call without an account pays with its place in the rate of its network alone', async (t) => {
  const { call, done, charged } = openCalls();
  for (let index = 0; index < 20; index++) call('network', 'GET', undefined, '/openapi.json');
  t.equal(done.length, 20);
  t.same(charged, []);
});

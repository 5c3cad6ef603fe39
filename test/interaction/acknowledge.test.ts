import { Acknowledgement, errorBody } from '@runcloud/protocol';
import { Value } from '@sinclair/typebox/value';
import t from 'tap';
import { DeviceFault } from '../../server/device/fault.ts';
import { timestampNow } from '../../server/flow/timestamp.ts';
import { refuse } from '../../server/interaction/acknowledge.ts';
import { CANCELLED, completedWith, endingOfFault, TIMED_OUT, withSteps } from '../../server/interaction/ending.ts';
import { FakeClock } from '../support/fake-clock.ts';

t.test('a refusal is a whole envelope, whatever the request named of itself', async (t) => {
  const clock = new FakeClock();
  const received = timestampNow(clock);
  await clock.advance(12);
  const error = errorBody('invalid_interaction', '"x" must be a number from 0 to 1.');
  const bare = refuse({}, error, received, clock);
  t.equal(Value.Check(Acknowledgement, bare), true);
  t.match(bare, { ok: false, status: 'failed', requestId: /^req_[0-9A-Za-z]{22}$/, durationMs: 12, error });
  t.strictSame(
    Object.keys(bare).sort(),
    Object.keys(bare)
      .sort()
      .filter((key) => !/session|platform|action/.test(key)),
  );
  const named = { requestId: 'mine', sessionId: 'ses_1', platform: 'ios', action: 'tap' } as const;
  t.match(refuse(named, error, received, clock), named);
});

t.test('only a fault that the wish brought about ends as it was wished', async (t) => {
  const aborted = new DeviceFault('aborted', 'ended', 3);
  t.match(endingOfFault(aborted, CANCELLED), { status: 'cancelled', result: { dispatchedSteps: 3 } });
  t.match(endingOfFault(aborted, TIMED_OUT), { status: 'timed_out', result: { dispatchedSteps: 3 } });
  t.match(endingOfFault(aborted, undefined), { status: 'failed', error: { code: 'interaction_failed' } });
  t.match(endingOfFault(new DeviceFault('failed', 'no'), CANCELLED), { status: 'failed' });
});

t.test('an error that is our own is told in the words of the catalogue', async (t) => {
  const ending = endingOfFault(new Error('/secret/place'), undefined);
  t.match(ending, { status: 'failed', error: { code: 'internal_error' } });
  t.notMatch(JSON.stringify(ending), /secret/);
});

t.test('steps are added to an ending and to nothing that is shared', async (t) => {
  t.strictSame(withSteps(CANCELLED, undefined), CANCELLED);
  t.match(withSteps(CANCELLED, 0), { result: { dispatchedSteps: 0 } });
  t.notOk('result' in CANCELLED);
});

t.test('interactions that complete alike share one ending, and others never do', async (t) => {
  const tapped = completedWith({ pointCount: 1 });
  t.strictSame(tapped, { status: 'completed', result: { pointCount: 1 } });
  t.equal(completedWith({ pointCount: 1 }), tapped);
  const others = [
    { pointCount: 2 },
    { pointCount: 1, durationMs: 5 },
    {},
    { durationMs: 1 },
    { pointCount: '1' },
    { list: [1] },
  ];
  for (const result of others) {
    t.strictSame(completedWith(result), { status: 'completed', result });
    t.strictSame(completedWith({ pointCount: 1 }), { status: 'completed', result: { pointCount: 1 } });
  }
  t.strictSame(completedWith(undefined), { status: 'completed' });
  t.strictSame(completedWith({}), { status: 'completed', result: {} });
});

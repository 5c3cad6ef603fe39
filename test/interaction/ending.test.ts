import t from 'tap';
import { DeviceFault } from '../../server/device/fault.ts';
import { settled } from '../support/fake-clock.ts';
import { openArena, tap } from '../support/interaction-arena.ts';

t.test('a cancelled request that waits ends at once and never reaches the device', async (t) => {
  const { submit, interactions, scripted } = await openArena();
  scripted.patient = true;
  const running = await submit(tap('running'));
  const waiting = await submit(tap('waiting'));
  t.equal(interactions.cancel('waiting'), true);
  t.match(waiting.acknowledgement, {
    ok: false,
    status: 'cancelled',
    error: { code: 'interaction_cancelled', retryable: false },
  });
  scripted.lastPerform.answer({});
  await settled();
  t.equal(running.status, 'completed');
  t.strictSame(scripted.order, ['running']);
  t.notOk('result' in waiting.acknowledgement);
});

t.test('a cancelled request that runs ends when the device has let go, with its steps', async (t) => {
  const { submit, interactions, scripted } = await openArena();
  scripted.patient = true;
  scripted.stubborn = true;
  const witness = await submit(tap('one'));
  const next = await submit(tap('two'));
  t.equal(interactions.cancel('one'), true);
  t.equal(interactions.cancel('one'), true, 'asked again while it lets go');
  await settled();
  t.equal(scripted.lastPerform.context.signal.aborted, true);
  t.equal(witness.status, undefined);
  t.strictSame(scripted.order, ['one'], 'the next one waits for the end');
  scripted.lastPerform.fail(new DeviceFault('aborted', 'ended', 7));
  await settled();
  t.match(witness.acknowledgement, { status: 'cancelled', result: { dispatchedSteps: 7 } });
  t.strictSame(scripted.order, ['one', 'two']);
  t.equal(next.status, undefined);
});

t.test('a cancel that comes too late gets the true result', async (t) => {
  const { submit, interactions, scripted } = await openArena();
  scripted.patient = true;
  scripted.stubborn = true;
  const witness = await submit(tap('one'));
  interactions.cancel('one');
  scripted.lastPerform.answer({ pointCount: 1 });
  await settled();
  t.equal(witness.status, 'completed');
  t.equal(interactions.cancel('one'), false);
  t.equal(witness.acknowledgements.length, 1);
});

t.test('a device that breaks while it lets go is not reported as a clean cancel', async (t) => {
  const { submit, interactions, scripted } = await openArena();
  scripted.patient = true;
  scripted.stubborn = true;
  const witness = await submit(tap('one'));
  interactions.cancel('one');
  scripted.lastPerform.fail(new DeviceFault('unreachable', 'It is gone.'));
  await settled();
  t.match(witness.acknowledgement, { status: 'failed', error: { code: 'interaction_transport_error' } });
});

t.test('a cancel before its request ends it on arrival, once', async (t) => {
  const { submit, interactions, scripted } = await openArena();
  t.equal(interactions.cancel('early'), false);
  const witness = await submit(tap('early'));
  t.strictSame(witness.heard, ['accepted behind 0', 'cancelled']);
  t.strictSame(scripted.order, []);
  interactions.cancel('other');
  t.equal((await submit(tap('third'))).status, 'completed');
});

t.test('an early cancel is forgotten after ten seconds', async (t) => {
  const { submit, interactions, clock } = await openArena();
  interactions.cancel('kept');
  interactions.cancel('late');
  await clock.advance(9_999);
  t.equal((await submit(tap('kept'))).status, 'cancelled');
  await clock.advance(1);
  t.equal((await submit(tap('late'))).status, 'completed');
});

t.test('the newest 256 early cancels are remembered', async (t) => {
  const { submit, interactions } = await openArena();
  for (let index = 0; index <= 256; index++) interactions.cancel(`r${index}`);
  t.equal((await submit(tap('r0'))).status, 'completed');
  t.equal((await submit(tap('r1'))).status, 'cancelled');
  t.equal((await submit(tap('r256'))).status, 'cancelled');
});

t.test('the deadline runs from acceptance and covers the wait', async (t) => {
  const { submit, clock, scripted } = await openArena();
  scripted.patient = true;
  await submit(tap('running', 0.5, 60_000));
  const waiting = await submit(tap('waiting', 0.5, 500));
  await clock.advance(499);
  t.equal(waiting.status, undefined);
  await clock.advance(11);
  t.match(waiting.acknowledgement, {
    ok: false,
    status: 'timed_out',
    error: { code: 'interaction_timeout', retryable: true },
  });
  const { durationMs } = waiting.acknowledgement;
  t.ok(durationMs >= 500 && durationMs <= 510, `${durationMs}`);
  t.strictSame(scripted.order, ['running']);
});

t.test('a running request that is out of time ends when the device has let go', async (t) => {
  const { submit, clock, scripted } = await openArena();
  scripted.patient = true;
  scripted.stubborn = true;
  const witness = await submit(tap('one', 0.5, 100));
  await clock.advance(110);
  t.equal(scripted.lastPerform.context.signal.aborted, true);
  t.equal(witness.status, undefined);
  await clock.advance(300);
  scripted.lastPerform.fail(new DeviceFault('aborted', 'ended', 2));
  await settled();
  t.match(witness.acknowledgement, { status: 'timed_out', result: { dispatchedSteps: 2 } });
});

t.test('the first wish stands: a time-out after a cancel stays a cancel', async (t) => {
  const { submit, interactions, clock, scripted } = await openArena();
  scripted.patient = true;
  scripted.stubborn = true;
  const witness = await submit(tap('one', 0.5, 100));
  interactions.cancel('one');
  await clock.advance(200);
  scripted.lastPerform.fail(new DeviceFault('aborted', 'ended'));
  await settled();
  t.equal(witness.status, 'cancelled');
});

t.test(
  'the end of the session gives a request that is being cancelled neither another end nor more time',
  async (t) => {
    const { submit, interactions, clock, scripted } = await openArena();
    scripted.patient = true;
    scripted.stubborn = true;
    const witness = await submit(tap('one'));
    interactions.cancel('one');
    await clock.advance(4_000);
    const end = interactions.end();
    await clock.advance(1_020);
    await end;
    t.equal(witness.status, 'cancelled');
  },
);

t.test('a deadline does not move when the wall clock does', async (t) => {
  const { submit, clock, scripted } = await openArena();
  scripted.patient = true;
  await submit(tap('running', 0.5, 60_000));
  const witness = await submit(tap('one', 0.5, 1_000));
  clock.jumpWall(3_600_000);
  await clock.advance(990);
  t.equal(witness.status, undefined);
  clock.jumpWall(-7_200_000);
  await clock.advance(20);
  t.equal(witness.status, 'timed_out');
});

t.test('a device that does not let go in five seconds is given up, before anything else reaches it', async (t) => {
  const { submit, interactions, clock, scripted, unresponsive, endings } = await openArena((arena) => {
    void arena.interactions.end();
  });
  scripted.patient = true;
  scripted.stubborn = true;
  const witness = await submit(tap('one'));
  const waiting = await submit(tap('two'));
  interactions.cancel('one');
  await clock.advance(4_990);
  t.equal(witness.status, undefined);
  await clock.advance(30);
  t.equal(unresponsive.length, 1);
  t.equal(witness.status, 'cancelled');
  t.match(waiting.acknowledgement, { status: 'failed', error: { code: 'active_session_not_found' } });
  t.strictSame(scripted.order, ['one']);
  scripted.lastPerform.answer({});
  await settled();
  t.equal(witness.acknowledgements.length, 1, 'a late answer is ignored');
  t.strictSame(endings, ['two', 'one']);
});

t.test('the end of the session settles what waits in its order, then what runs, and refuses what comes', async (t) => {
  const { submit, interactions, scripted, endings } = await openArena();
  scripted.patient = true;
  scripted.stubborn = true;
  const running = await submit(tap('running'));
  const waiting = [await submit(tap('a')), await submit(tap('b')), await submit(tap('c'))];
  let ended = false;
  const end = interactions.end().then(() => {
    ended = true;
  });
  await settled();
  for (const { acknowledgement } of waiting) {
    t.match(acknowledgement, { status: 'failed', error: { code: 'active_session_not_found' } });
  }
  t.equal(ended, false, 'the device still holds on');
  t.throws(() => interactions.submit(tap('late'), running), { code: 'active_session_not_found' });
  scripted.lastPerform.fail(new DeviceFault('aborted', 'ended'));
  await end;
  t.equal(running.status, 'failed');
  t.strictSame(endings, ['a', 'b', 'c', 'running']);
  t.strictSame(scripted.order, ['running']);
});

t.test('the end of an idle session is immediate', async (t) => {
  const { interactions } = await openArena();
  await t.resolves(interactions.end());
});

t.test('everyone who ends the session hears when it is over', async (t) => {
  const { submit, interactions, scripted } = await openArena();
  scripted.patient = true;
  scripted.stubborn = true;
  await submit(tap('running'));
  const ends = [interactions.end(), interactions.end(), interactions.end()];
  scripted.lastPerform.answer({});
  await Promise.all(ends);
  await t.resolves(interactions.end());
});

t.test('when the host dies the running request and all that wait fail as unreachable, in their order', async (t) => {
  const { submit, pair, scripted, endings } = await openArena();
  scripted.patient = true;
  const witnesses = [await submit(tap('a')), await submit(tap('b')), await submit(tap('c'))];
  pair.breakHost('exit code 1');
  await settled();
  for (const { acknowledgement } of witnesses) {
    t.match(acknowledgement, { status: 'failed', error: { code: 'interaction_transport_error', retryable: true } });
  }
  t.strictSame(endings, ['a', 'b', 'c']);
});

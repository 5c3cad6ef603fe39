import { LIMITS } from '@runcloud/protocol/terms';
import t from 'tap';
import { DeviceFault } from '../../server/device/fault.ts';
import type { Bearer } from '../../server/flow/quota.ts';
import type { Caller, RequestObserver } from '../../server/interaction/request.ts';
import { KEY, viewerLink } from '../support/bearers.ts';
import { settled } from '../support/fake-clock.ts';
import { openArena, tap, Witness } from '../support/interaction-arena.ts';

t.test(
  'a request is accepted, dispatched and completed, in this order and with the answer of the device',
  async (t) => {
    const { submit, clock, scripted } = await openArena();
    scripted.patient = true;
    const witness = await submit(tap('one'));
    await clock.advance(40);
    scripted.lastPerform.answer({ pointCount: 1 });
    await settled();
    t.strictSame(witness.heard, ['accepted behind 0', 'dispatched 1', 'completed']);
    t.strictSame(witness.acknowledgement, {
      ok: true,
      requestId: 'one',
      sessionId: 'ses_test',
      platform: 'ios',
      action: 'tap',
      status: 'completed',
      acceptedAt: '2026-05-06T07:08:09.000Z',
      completedAt: '2026-05-06T07:08:09.040Z',
      durationMs: 40,
      result: { pointCount: 1 },
    });
  },
);

t.test('an action without a result is acknowledged without one', async (t) => {
  const { submit, scripted } = await openArena();
  scripted.patient = true;
  const witness = await submit({ action: 'reload', requestId: 'one', timeoutMs: 15_000 });
  scripted.lastPerform.answer(undefined);
  await settled();
  t.notOk('result' in witness.acknowledgement || 'error' in witness.acknowledgement);
});

t.test('the first accepted is the first dispatched, one at a time', async (t) => {
  const { submit, scripted, endings } = await openArena();
  scripted.patient = true;
  const names = Array.from({ length: 20 }, (_, index) => `r${index}`);
  const witnesses = [];
  for (const name of names) witnesses.push(await submit(tap(name)));
  t.strictSame(
    witnesses.map(({ heard }) => heard[0]),
    names.map((_, index) => `accepted behind ${index}`),
  );
  for (const [index, name] of names.entries()) {
    t.strictSame(scripted.order, names.slice(0, index + 1));
    t.equal(scripted.lastPerform.context.inputSeq, index + 1);
    t.equal(scripted.lastPerform.request.requestId, name);
    scripted.lastPerform.answer({});
    await settled();
  }
  t.strictSame(endings, names);
  for (const { status } of witnesses) t.equal(status, 'completed');
});

t.test('failures of the device have their own codes, and the next request starts after them', async (t) => {
  const cases = [
    [new DeviceFault('failed', 'The key is stuck.'), 'interaction_failed', 'The key is stuck.', false],
    [new DeviceFault('unreachable', 'Nobody answers.'), 'interaction_transport_error', 'Nobody answers.', true],
    [new DeviceFault('nonsense', 'It said moo.'), 'interaction_invalid_response', 'It said moo.', false],
    [new DeviceFault('aborted', 'It gave up.'), 'interaction_failed', 'It gave up.', false],
  ] as const;
  const { submit, scripted } = await openArena();
  scripted.patient = true;
  for (const [fault, code, message, retryable] of cases) {
    const witness = await submit(tap(code + fault.kind));
    const next = await submit(tap(`after ${code}${fault.kind}`));
    scripted.lastPerform.fail(fault);
    await settled();
    t.match(witness.acknowledgement, { ok: false, status: 'failed', error: { code, message, retryable } });
    scripted.lastPerform.answer({});
    await settled();
    t.equal(next.status, 'completed');
  }
});

t.test('steps of a gesture that failed are counted in its result', async (t) => {
  const { submit, scripted } = await openArena();
  scripted.patient = true;
  const witness = await submit(tap('one'));
  scripted.lastPerform.fail(new DeviceFault('failed', 'The screen went off.', 4));
  await settled();
  t.match(witness.acknowledgement, { status: 'failed', result: { dispatchedSteps: 4 } });
});

t.test('the steps of a running gesture are told as they are done', async (t) => {
  const { submit, scripted } = await openArena();
  scripted.patient = true;
  const points = [{ x: 0, y: 0 }];
  const steps = (['begin', 'end'] as const).map((phase) => ({ phase, points, delayMs: 0 }));
  const witness = await submit({ action: 'gesture', steps, requestId: 'g', timeoutMs: 15_000 });
  scripted.lastPerform.context.onStep?.(1);
  await settled();
  t.strictSame(witness.heard, ['accepted behind 0', 'dispatched 1', 'dispatched 1 step 1']);
});

t.test('a full queue refuses with the time to wait, and takes requests again as it empties', async (t) => {
  const { interactions, submit, scripted } = await openArena();
  scripted.patient = true;
  const witness = new Witness();
  for (let index = 0; index <= LIMITS.queuedInteractions; index++) interactions.submit(tap(`r${index}`), witness);
  t.throws(() => interactions.submit(tap('over'), witness), { code: 'rate_limited', retryAfterSeconds: 1 });
  t.equal(witness.heard.length, LIMITS.queuedInteractions + 2, 'the refused one was told nothing');
  await settled();
  scripted.lastPerform.answer({});
  await settled();
  t.strictSame((await submit(tap('over'))).heard, [`accepted behind ${LIMITS.queuedInteractions}`]);
});

t.test(
  'a link waits with as many interactions as one link may, and its owner and other links are not refused',
  async (t) => {
    const { interactions, scripted, clock } = await openArena();
    scripted.patient = true;
    const ask = (name: string, requestId: string) => {
      const caller = { bearer: name === 'key' ? KEY : viewerLink(name), gone: false };
      interactions.submit(tap(requestId), Object.assign(new Witness(), { caller }));
    };
    const { queuedInteractionsPerLink: each, interactionsPerSecond } = LIMITS;
    ask('key', 'running');
    for (let index = 0; index < each; index++) ask('greedy', `g${index}`);
    t.throws(() => ask('greedy', 'over'), {
      code: 'rate_limited',
      message: /^This link has 64 waiting interactions, as many as one link may have/,
    });
    t.doesNotThrow(() => ask('greedy', 'g0'), 'a repeated one is none more');
    for (let index = 0; index < each; index++) ask('other', `o${index}`);
    for (let index = 0; index < LIMITS.queuedInteractionsForKeys; index++) ask('key', `k${index}`);
    t.ok(interactions.cancel('g0'));
    t.doesNotThrow(() => ask('greedy', 'after'), 'one that has ended makes room');
    const pass = () => {
      for (let index = 0; ; index++) {
        ask('restless', `r${index}-${clock.monotonicMs()}`);
        interactions.cancel(`r${index}-${clock.monotonicMs()}`);
      }
    };
    t.throws(pass, {
      message: new RegExp(`^This link asks for more than ${interactionsPerSecond} interactions a second`),
    });
    await clock.advance(1_000);
    t.doesNotThrow(() => ask('restless', 'later'));
  },
);

t.test("a key's request waits for one of each link, however many of these wait", async (t) => {
  const { interactions, scripted, endings } = await openArena();
  scripted.patient = true;
  const heard = new Map<string, readonly string[]>();
  const ask = (bearer: Bearer, requestId: string) => {
    const witness = Object.assign(new Witness(), { caller: { bearer, gone: false } });
    interactions.submit(tap(requestId), witness);
    heard.set(requestId, witness.heard);
  };
  ask(KEY, 'running');
  for (let index = 0; index < 5; index++) for (const link of ['a', 'b']) ask(viewerLink(link), `${link}${index}`);
  for (let index = 0; index < 2; index++) ask(KEY, `k${index}`);
  t.same(heard.get('k1'), ['accepted behind 6'], 'the one that runs, two of each link, and one of its own');
  await settled();
  scripted.patient = false;
  scripted.lastPerform.answer({});
  await settled();
  t.same(endings.slice(0, 7), ['running', 'a0', 'b0', 'k0', 'a1', 'b1', 'k1']);
  t.equal(endings.length, 13);
});

t.test('a full queue still answers a repeated request', async (t) => {
  const { interactions, scripted } = await openArena();
  scripted.patient = true;
  const witness = new Witness();
  for (let index = 0; index <= LIMITS.queuedInteractions; index++) interactions.submit(tap(`r${index}`), witness);
  t.doesNotThrow(() => interactions.submit(tap('r1024'), new Witness()));
});

t.test('an action that the platform does not have is refused before it is accepted', async (t) => {
  const { interactions, scripted } = await openArena();
  const request = { action: 'pressButton', button: 'back', durationMs: 50, requestId: 'b', timeoutMs: 15_000 } as const;
  const witness = new Witness();
  t.throws(() => interactions.submit(request, witness), { code: 'unsupported_action', message: /supported buttons/ });
  t.strictSame(witness.heard, []);
  t.strictSame(scripted.order, []);
  interactions.submit(tap('b'), witness);
  t.equal(witness.heard[0], 'accepted behind 0', 'the refused id is still free');
});

t.test('durationMs is the difference of the two timestamps, also when the wall clock jumps', async (t) => {
  const { submit, clock, scripted } = await openArena();
  scripted.patient = true;
  for (const [index, jumpMs] of [3_600_000, -3_600_000, 0.3, -86_400_000].entries()) {
    const witness = await submit(tap(`r${index}`));
    await clock.advance(33.4);
    clock.jumpWall(jumpMs);
    await clock.advance(33.4);
    scripted.lastPerform.answer({});
    await settled();
    const { acceptedAt, completedAt, durationMs } = witness.acknowledgement;
    t.equal(durationMs, 67);
    t.equal(Date.parse(completedAt) - Date.parse(acceptedAt), 67);
  }
});

t.test('the same caller again counts once, and too many callers of one request are refused', async (t) => {
  const { interactions, scripted } = await openArena();
  scripted.patient = true;
  const caller = { bearer: KEY, gone: false };
  const told: string[] = [];
  const listener = (name: string, who?: Caller): RequestObserver => ({
    ...(who ? { caller: who } : {}),
    settled: () => void told.push(name),
  });
  for (let time = 0; time < 1_000; time++) interactions.submit(tap('one'), listener(`again ${time}`, caller));
  for (let call = 1; call < LIMITS.callersPerRequest; call++) interactions.submit(tap('one'), listener(`call ${call}`));
  t.throws(() => interactions.submit(tap('one'), listener('one too many')), { code: 'rate_limited', retryable: true });
  caller.gone = true;
  interactions.submit(tap('one'), listener('in the place of one that went'));
  await settled();
  scripted.lastPerform.answer({ pointCount: 1 });
  await settled();
  t.equal(told.length, LIMITS.callersPerRequest);
  t.notOk(told.some((name) => name.startsWith('again')));
});

t.test('at the end of a session those who wait are told in turns, and nothing begins any more', async (t) => {
  const waiting = 500;
  const { interactions, submit, scripted, clock, endings } = await openArena(
    undefined,
    (task) => void setImmediate(task),
  );
  scripted.patient = true;
  const witness = new Witness();
  await submit(tap('running'));
  for (let index = 0; index < waiting; index++) interactions.submit(tap(`r${index}`), witness);
  const settle = witness.settled;
  witness.settled = (acknowledgement) => {
    clock.turn(0.1);
    settle(acknowledgement);
  };
  const ended = interactions.end();
  t.ok(endings.length < waiting / 2, `${endings.length} were told at once`);
  await ended;
  t.equal(witness.acknowledgements.length, waiting);
  t.ok(witness.acknowledgements.every(({ error }) => error?.code === 'active_session_not_found'));
  t.same(scripted.order, ['running']);
});

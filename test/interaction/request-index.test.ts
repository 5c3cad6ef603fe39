import { LIMITS } from '@runcloud/protocol/terms';
import t from 'tap';
import { settled } from '../support/fake-clock.ts';
import { openArena, tap, Witness } from '../support/interaction-arena.ts';

t.test('the same request again has one effect and one and the same acknowledgement', async (t) => {
  const { submit, clock, scripted } = await openArena();
  const first = await submit(tap('one'));
  await clock.advance(60_000);
  const again = await submit(tap('one'));
  t.strictSame(again.heard, ['completed'], 'it is neither accepted nor dispatched again');
  t.strictSame(again.acknowledgement, first.acknowledgement);
  t.strictSame(scripted.order, ['one']);
});

t.test('a failure is replayed as well: the request is not tried again', async (t) => {
  const { submit, interactions, scripted } = await openArena();
  interactions.cancel('one');
  const first = await submit(tap('one'));
  const again = await submit(tap('one'));
  t.equal(again.status, 'cancelled');
  t.strictSame(again.acknowledgement, first.acknowledgement);
  t.strictSame(scripted.order, []);
});

t.test('a request that waits or runs is joined: both callers hear its end', async (t) => {
  const { submit, scripted } = await openArena();
  scripted.patient = true;
  const running = await submit(tap('running'));
  const runningToo = await submit(tap('running'));
  const waiting = await submit(tap('waiting'));
  const waitingToo = await submit(tap('waiting'));
  t.strictSame(runningToo.heard, ['accepted behind 0', 'dispatched 1']);
  t.strictSame(waitingToo.heard, ['accepted behind 1']);
  scripted.lastPerform.answer({});
  await settled();
  scripted.lastPerform.answer({});
  await settled();
  t.strictSame(runningToo.acknowledgement, running.acknowledgement);
  t.strictSame(waitingToo.heard, ['accepted behind 1', 'dispatched 2', 'completed']);
  t.strictSame(waitingToo.acknowledgement, waiting.acknowledgement);
  t.strictSame(scripted.order, ['running', 'waiting']);
});

t.test('the same id with another body or another action is refused, while it runs and afterwards', async (t) => {
  const { submit, interactions, pointer, scripted } = await openArena();
  scripted.patient = true;
  const first = await submit(tap('one'));
  const refuseAll = () => {
    const witness = new Witness();
    const common = { requestId: 'one', timeoutMs: 15_000 };
    const others = [tap('one', 0.6), tap('one', 0.5, 14_999), { ...common, action: 'reload' as const }];
    for (const other of others) t.throws(() => interactions.submit(other, witness), { code: 'duplicate_request' });
    t.strictSame(witness.heard, []);
  };
  refuseAll();
  await t.rejects(pointer('one', 'begin', [{ x: 0.5, y: 0.5 }]), { code: 'duplicate_request' });
  scripted.lastPerform.answer({});
  await settled();
  refuseAll();
  t.equal(first.status, 'completed');
  t.strictSame(scripted.order, ['one']);
});

t.test('long bodies are told apart to their last character', async (t) => {
  const { submit, interactions } = await openArena();
  const typed = (text: string) => ({ action: 'typeText' as const, text, requestId: 'long', timeoutMs: 15_000 });
  const first = await submit(typed(`${'a'.repeat(9_999)}b`));
  const again = await submit(typed(`${'a'.repeat(9_999)}b`));
  t.strictSame(again.acknowledgement, first.acknowledgement);
  t.throws(() => interactions.submit(typed(`${'a'.repeat(9_999)}c`), new Witness()), { code: 'duplicate_request' });
});

t.test('an outcome is kept for ten minutes from its end, and then its id is free', async (t) => {
  const { submit, clock, scripted } = await openArena();
  scripted.patient = true;
  const first = await submit(tap('one'));
  await clock.advance(10_000);
  scripted.lastPerform.answer({});
  await settled();
  scripted.patient = false;
  await clock.advance(LIMITS.outcomeKeptMs);
  t.strictSame((await submit(tap('one'))).acknowledgement, first.acknowledgement);
  await clock.advance(1);
  const other = await submit(tap('one', 0.7));
  t.strictSame(other.heard, ['accepted behind 0', 'dispatched 2', 'completed']);
});

t.test('the newest 10,000 outcomes are kept', async (t) => {
  const { interactions, scripted } = await openArena();
  for (let index = 0; index <= LIMITS.outcomesKept; index++) {
    interactions.submit(tap(`r${index}`), { settled: () => undefined });
    if (index % 500 === 0) await settled();
  }
  await settled();
  t.equal(scripted.performed.length, LIMITS.outcomesKept + 1);
  const ask = async (requestId: string) => {
    const witness = new Witness();
    interactions.submit(tap(requestId), witness);
    await settled();
    return witness.heard.length;
  };
  t.equal(await ask('r1'), 1, 'replayed');
  t.equal(await ask(`r${LIMITS.outcomesKept}`), 1, 'replayed');
  t.equal(await ask('r0'), 3, 'forgotten, so carried out');
});

t.test('a request that stays long does not make the session remember more than its bound', async (t) => {
  const { interactions, submit, pointer, scripted } = await openArena();
  await pointer('long', 'begin', [{ x: 0, y: 0 }], 60_000);
  for (let index = 0; index < LIMITS.outcomesKept + 2_000; index++) {
    interactions.submit(tap(`r${index}`), { settled: () => undefined });
    interactions.cancel(`r${index}`);
  }
  scripted.patient = true;
  const forgotten = await submit(tap('r0'));
  t.strictSame(forgotten.heard, ['accepted behind 1']);
  t.strictSame((await submit(tap(`r${LIMITS.outcomesKept}`))).heard, ['cancelled']);
  t.throws(() => interactions.submit(tap('long'), new Witness()), { code: 'duplicate_request' });
});

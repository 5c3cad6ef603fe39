import t from 'tap';
import { DeviceFault } from '../../server/device/fault.ts';
import { settled } from '../support/fake-clock.ts';
import { type Arena, openArena, tap, Witness } from '../support/interaction-arena.ts';

const at = (x: number) => [{ x, y: 0.5 }];

/** Lets the device answer the step that it has. */
async function answer({ scripted }: Arena): Promise<void> {
  scripted.lastPointer.answer();
  await settled();
}

const sentTo = ({ scripted }: Arena) => scripted.pointed.map(({ phase, points }) => `${phase} ${points[0]?.x ?? ''}`);

async function openPatient(): Promise<Arena> {
  const arena = await openArena();
  arena.scripted.patient = true;
  return arena;
}

t.test('a finger that begins, moves and ends is one request with one acknowledgement', async (t) => {
  const arena = await openArena();
  const witness = await arena.pointer('g', 'begin', at(0.1));
  await arena.pointer('g', 'move', at(0.2));
  await arena.pointer('g', 'end', at(0.3));
  t.strictSame(sentTo(arena), ['begin 0.1', 'move 0.2', 'end 0.3']);
  t.strictSame(witness.heard, [
    'accepted behind 0',
    'dispatched 1 step 1',
    'dispatched 2 step 2',
    'dispatched 3 step 3',
    'completed',
  ]);
  t.match(witness.acknowledgement, { ok: true, action: 'pointer', result: { pointCount: 1, dispatchedSteps: 3 } });
  t.strictSame(
    arena.scripted.pointed.map(({ inputSeq }) => inputSeq),
    [1, 2, 3],
  );
});

t.test('moves that wait for a busy device are replaced by the newest; begin and end are never dropped', async (t) => {
  const arena = await openPatient();
  const witness = await arena.pointer('g', 'begin', at(0));
  for (let step = 1; step <= 50; step++) await arena.pointer('g', 'move', at(step / 100));
  await answer(arena);
  for (let step = 51; step <= 99; step++) await arena.pointer('g', 'move', at(step / 100));
  await arena.pointer('g', 'end', at(1));
  t.equal(witness.status, undefined);
  while (arena.scripted.phases.at(-1) !== 'end') await answer(arena);
  t.equal(witness.status, undefined, 'not before the device has taken the end');
  await answer(arena);
  t.strictSame(sentTo(arena), ['begin 0', 'move 0.5', 'move 0.99', 'end 1']);
  t.match(witness.acknowledgement, { status: 'completed', result: { dispatchedSteps: 4 } });
});

t.test('once the end has come all that waits leaves at once, and the device takes it step by step', async (t) => {
  const arena = await openPatient();
  const witness = await arena.pointer('g', 'begin', at(0));
  for (const x of [0.4, 0.5]) await arena.pointer('g', 'move', at(x));
  t.strictSame(witness.heard, ['accepted behind 0', 'dispatched 1 step 1'], 'a move may still be replaced');
  await arena.pointer('g', 'end', at(1));
  t.strictSame(witness.heard.slice(2), ['dispatched 2 step 2', 'dispatched 3 step 3']);
  t.strictSame(sentTo(arena), ['begin 0'], 'each waits on the host for the one before');
  for (const taken of ['move 0.5', 'end 1']) {
    await answer(arena);
    t.equal(sentTo(arena).at(-1), taken);
  }
  t.equal(witness.status, undefined);
  await answer(arena);
  t.match(witness.acknowledgement, { status: 'completed', result: { dispatchedSteps: 3 } });
});

t.test(
  'when a step fails behind which the end has left, the fingers are lifted, and the end is not taken',
  async (t) => {
    const arena = await openPatient();
    const witness = await arena.pointer('g', 'begin', at(0));
    await arena.pointer('g', 'end', at(1));
    arena.scripted.lastPointer.fail(new DeviceFault('failed', 'The glass is wet.'));
    await settled();
    t.strictSame(arena.scripted.phases, ['begin', 'cancel']);
    t.equal(witness.status, undefined, 'not before they are up');
    await answer(arena);
    t.strictSame(arena.scripted.phases, ['begin', 'cancel']);
    t.match(witness.acknowledgement, { status: 'failed', error: { code: 'interaction_failed' } });
  },
);

t.test('a gesture that waits in the queue keeps its begin, its newest move and its end', async (t) => {
  const arena = await openPatient();
  await arena.submit(tap('first'));
  const witness = await arena.pointer('g', 'begin', at(0));
  for (const x of [0.1, 0.2, 0.3]) await arena.pointer('g', 'move', at(x));
  await arena.pointer('g', 'end', at(0.4));
  t.strictSame(sentTo(arena), []);
  arena.scripted.patient = false;
  arena.scripted.lastPerform.answer({});
  await settled();
  t.strictSame(sentTo(arena), ['begin 0', 'move 0.3', 'end 0.4']);
  t.equal(witness.status, 'completed');
});

t.test('an open gesture holds the queue', async (t) => {
  const arena = await openArena();
  await arena.pointer('g', 'begin', at(0));
  const waiting = await arena.submit(tap('next'));
  t.strictSame(waiting.heard, ['accepted behind 1']);
  await arena.pointer('g', 'end', at(0));
  t.equal(waiting.status, 'completed');
});

t.test('a step with another number of fingers is refused and changes nothing', async (t) => {
  const arena = await openArena();
  const witness = await arena.pointer('g', 'begin', [...at(0.1), ...at(0.9)]);
  for (const phase of ['move', 'end'] as const) {
    await t.rejects(arena.pointer('g', phase, at(0.2)), { code: 'invalid_interaction', message: /2 points/ });
  }
  await arena.pointer('g', 'end', [...at(0.1), ...at(0.9)]);
  t.strictSame(arena.scripted.phases, ['begin', 'end']);
  t.match(witness.acknowledgement, { result: { pointCount: 2, dispatchedSteps: 2 } });
});

t.test('a step without a begin, after the end that waits, or on another kind of request is refused', async (t) => {
  const arena = await openPatient();
  await t.rejects(arena.pointer('none', 'move', at(0)), { code: 'invalid_interaction' });
  await arena.pointer('g', 'begin', at(0));
  await arena.pointer('g', 'end', at(0));
  await t.rejects(arena.pointer('g', 'move', at(0)), { code: 'invalid_interaction' });
  await t.rejects(arena.pointer('g', 'end', at(0)), { code: 'invalid_interaction' });
  await arena.submit(tap('tap'));
  await t.rejects(arena.pointer('tap', 'move', at(0)), { code: 'invalid_interaction' });
});

t.test('a step that comes after the end of its gesture is ignored in silence', async (t) => {
  const arena = await openArena();
  await arena.pointer('g', 'begin', at(0));
  await arena.pointer('g', 'end', at(0));
  t.strictSame((await arena.pointer('g', 'move', at(0.5))).heard, []);
  t.strictSame((await arena.pointer('g', 'end', at(0.5))).heard, []);
  t.strictSame(arena.scripted.phases, ['begin', 'end']);
});

t.test('a repeated begin joins the gesture, whatever order its fields have and with the default named', async (t) => {
  const arena = await openArena();
  const first = await arena.pointer('g', 'begin', [{ x: 0.25, y: 0.75 }]);
  const again = await arena.pointer('g', 'begin', [{ y: 0.75, x: 0.25 }], 15_000);
  t.strictSame(again.heard, ['accepted behind 0', 'dispatched 1']);
  await t.rejects(arena.pointer('g', 'begin', at(0.9)), { code: 'duplicate_request' });
  await arena.pointer('g', 'end', at(0.5));
  t.strictSame(again.acknowledgement, first.acknowledgement);
  t.strictSame(arena.scripted.phases, ['begin', 'end']);
});

t.test('a gesture lives as long as its steps come, and is lifted a time-out after the last', async (t) => {
  const arena = await openArena();
  const witness = await arena.pointer('g', 'begin', at(0), 500);
  for (let step = 1; step <= 10; step++) {
    await arena.clock.advance(450);
    await arena.pointer('g', 'move', at(step / 10));
  }
  t.equal(witness.status, undefined);
  await arena.clock.advance(480);
  t.equal(witness.status, undefined);
  await arena.clock.advance(40);
  t.match(witness.acknowledgement, { status: 'timed_out', result: { dispatchedSteps: 11 } });
  t.strictSame(arena.scripted.phases.slice(-2), ['move', 'cancel']);
});

t.test('a cancel lifts the fingers after the step that is on its way, and then ends', async (t) => {
  const arena = await openPatient();
  const witness = await arena.pointer('g', 'begin', at(0));
  await arena.pointer('g', 'move', at(0.5));
  t.equal(arena.interactions.cancel('g'), true);
  await settled();
  t.strictSame(arena.scripted.phases, ['begin']);
  await answer(arena);
  t.strictSame(arena.scripted.phases, ['begin', 'cancel'], 'the move that waited is left out');
  t.equal(witness.status, undefined);
  await answer(arena);
  t.match(witness.acknowledgement, { status: 'cancelled', result: { dispatchedSteps: 1 } });
});

t.test('a cancel that comes after the end has left is too late', async (t) => {
  const arena = await openPatient();
  const witness = await arena.pointer('g', 'begin', at(0));
  await answer(arena);
  await arena.pointer('g', 'end', at(0));
  arena.interactions.cancel('g');
  await answer(arena);
  t.equal(witness.status, 'completed');
  t.strictSame(arena.scripted.phases, ['begin', 'end']);
});

t.test('a gesture that is cancelled in the queue never touches the device', async (t) => {
  const arena = await openPatient();
  await arena.submit(tap('first'));
  const witness = await arena.pointer('g', 'begin', at(0));
  arena.interactions.cancel('g');
  t.equal(witness.status, 'cancelled');
  arena.scripted.lastPerform.answer({});
  await settled();
  t.strictSame(arena.scripted.phases, []);
});

t.test('steps that still come do not give a device that holds on more time', async (t) => {
  const arena = await openPatient();
  const witness = await arena.pointer('g', 'begin', at(0), 60_000);
  arena.interactions.cancel('g');
  for (let second = 0; second < 4; second++) {
    await arena.clock.advance(1_000);
    await arena.pointer('g', 'move', at(second / 10));
  }
  t.equal(witness.status, undefined);
  await arena.clock.advance(1_020);
  t.equal(witness.status, 'cancelled');
  t.equal(arena.unresponsive.length, 1);
});

t.test('when the device refuses a step the gesture fails and its fingers are lifted', async (t) => {
  for (const failing of ['begin', 'move', 'end'] as const) {
    const arena = await openPatient();
    const witness = await arena.pointer('g', 'begin', at(0));
    if (failing !== 'begin') {
      await answer(arena);
      await arena.pointer('g', failing, at(0.5));
    }
    arena.scripted.lastPointer.fail(new DeviceFault('failed', 'The glass is wet.'));
    await settled();
    t.equal(arena.scripted.phases.at(-1), 'cancel');
    t.equal(witness.status, undefined, 'not before they are up');
    await answer(arena);
    t.match(witness.acknowledgement, { status: 'failed', error: { code: 'interaction_failed' } });
  }
});

t.test('when the host dies an open gesture ends as unreachable', async (t) => {
  const arena = await openPatient();
  const witness = await arena.pointer('g', 'begin', at(0));
  arena.pair.breakHost('exit code 1');
  await settled();
  t.match(witness.acknowledgement, { status: 'failed', error: { code: 'interaction_transport_error' } });
});

t.test('a host that dies between two steps is found out by the next', async (t) => {
  const arena = await openArena();
  const witness = await arena.pointer('g', 'begin', at(0));
  arena.pair.breakHost('exit code 1');
  await arena.pointer('g', 'move', at(0.1));
  t.match(witness.acknowledgement, { status: 'failed', error: { code: 'interaction_transport_error' } });
});

t.test('the end of the session lifts an open gesture', async (t) => {
  const arena = await openArena();
  const witness = await arena.pointer('g', 'begin', at(0));
  await arena.interactions.end();
  t.strictSame(arena.scripted.phases, ['begin', 'cancel']);
  t.match(witness.acknowledgement, { status: 'failed', error: { code: 'active_session_not_found' } });
  t.throws(
    () => arena.interactions.pointer({ type: 'pointer', requestId: 'h', phase: 'begin', points: at(0) }, new Witness()),
    { code: 'active_session_not_found' },
  );
});

import type { InteractionRequest } from '@runcloud/protocol';
import { LIMITS } from '@runcloud/protocol/terms';
import t from 'tap';
import { DeviceFault } from '../../server/device/fault.ts';
import type { ToHost } from '../../server/link/messages.ts';
import { settled } from '../support/fake-clock.ts';
import { type Arena, openArena, tap, Witness } from '../support/interaction-arena.ts';

function nameOf(message: ToHost): string[] {
  if (message.kind === 'perform') return [(message.request as InteractionRequest).requestId];
  return message.kind === 'pointer' ? [`${message.phase} ${message.points[0]?.x ?? ''}`.trim()] : [];
}

/** Batches of what left for the host: ids of requests, steps of live gestures. */
const batches = ({ pair }: Arena): string[][] =>
  pair.gateway.sent.map((batch: readonly ToHost[]) => batch.flatMap(nameOf)).filter((names) => names.length > 0);

/** A whole live touch at this place. */
async function touch(arena: Arena, id: string, x: number, timeoutMs?: number): Promise<Witness> {
  const witness = await arena.pointer(id, 'begin', [{ x, y: 0.5 }], timeoutMs);
  await arena.pointer(id, 'end', [{ x, y: 0.5 }]);
  return witness;
}

/** Lets the device answer what it has, until nothing is open. */
async function answerAll({ scripted }: Arena): Promise<void> {
  for (let call = scripted.openCalls[0]; call; call = scripted.openCalls[0]) {
    if ('phase' in call) call.answer();
    else call.answer({ pointCount: 1 });
    await settled();
  }
}

/** A first tap that the device is busy with, and `count` that wait behind it. */
async function crowded(count: number) {
  const arena = await openArena();
  arena.scripted.patient = true;
  const first = await arena.submit(tap('first'));
  const names = Array.from({ length: count }, (_, index) => `r${index}`);
  const witnesses: Witness[] = [];
  for (const name of names) witnesses.push(await arena.submit(tap(name)));
  const answer = async () => {
    arena.scripted.lastPerform.answer({ pointCount: 1 });
    await settled();
  };
  return { arena, first, names, witnesses, answer };
}

t.test('a lone tap leaves at once; those that gathered behind it cross together, and never more than 64', async (t) => {
  const { arena, names, answer } = await crowded(150);
  t.strictSame(batches(arena), [['first']]);
  for (let count = 0; count <= names.length; count++) await answer();
  t.strictSame(
    batches(arena).map(({ length }) => length),
    [1, LIMITS.interactionsAhead, LIMITS.interactionsAhead, 22],
  );
  t.strictSame(batches(arena).flat(), ['first', ...names]);
});

t.test('requests that crossed together reach the device one at a time, and each gets its own answer', async (t) => {
  const { arena, names, witnesses, answer } = await crowded(5);
  await answer();
  t.strictSame(
    witnesses.map(({ heard }) => heard.at(-1)),
    [2, 3, 4, 5, 6].map((inputSeq) => `dispatched ${inputSeq}`),
    'all have left',
  );
  for (const [index, witness] of witnesses.entries()) {
    t.strictSame(arena.scripted.order, ['first', ...names.slice(0, index + 1)]);
    t.equal(witness.status, undefined);
    await answer();
    t.equal(witness.status, 'completed');
  }
});

t.test('an action with a duration is never sent ahead, and no later request overtakes it', async (t) => {
  const arena = await openArena();
  const { scripted, submit } = arena;
  scripted.patient = true;
  await submit(tap('first'));
  await submit(tap('a'));
  await submit({ action: 'pressKey', key: 'a', modifiers: [], durationMs: 50, requestId: 'key', timeoutMs: 15_000 });
  await submit({ action: 'scroll', deltaX: 0, deltaY: 1, requestId: 'scroll', timeoutMs: 15_000 });
  await submit(tap('b'));
  for (let count = 0; count < 5; count++) {
    scripted.lastPerform.answer({});
    await settled();
  }
  t.strictSame(batches(arena), [['first'], ['a'], ['key'], ['scroll', 'b']]);
});

t.test(
  'a cancel of one that was sent ahead ends it while the one in front hangs; the device never sees it',
  async (t) => {
    const { arena, witnesses, answer } = await crowded(3);
    await answer();
    arena.scripted.stubborn = true;
    t.equal(arena.interactions.cancel('r1'), true);
    await settled();
    t.equal(witnesses[1]?.status, 'cancelled');
    t.equal(witnesses[0]?.status, undefined);
    t.equal(arena.interactions.cancel('r1'), false);
    await answer();
    await answer();
    t.strictSame(arena.scripted.order, ['first', 'r0', 'r2']);
    t.strictSame(
      witnesses.map(({ status }) => status),
      ['completed', 'cancelled', 'completed'],
    );
  },
);

t.test('a request that was sent ahead has a timeout of its own', async (t) => {
  const arena = await openArena();
  const { scripted, submit, clock } = arena;
  scripted.patient = true;
  await submit(tap('first'));
  const slow = await submit(tap('slow'));
  const hurried = await submit(tap('hurried', 0.5, 100));
  scripted.lastPerform.answer({});
  await clock.advance(120);
  t.equal(hurried.status, 'timed_out');
  t.equal(slow.status, undefined);
  scripted.lastPerform.answer({});
  await settled();
  t.equal(slow.status, 'completed');
  t.strictSame(scripted.order, ['first', 'slow']);
});

t.test('a failure concerns the one that failed; the others of its group go on', async (t) => {
  const { arena, witnesses, answer } = await crowded(3);
  await answer();
  arena.scripted.lastPerform.fail(new DeviceFault('failed', 'The glass is wet.'));
  await settled();
  await answer();
  await answer();
  t.strictSame(
    witnesses.map(({ status }) => status),
    ['failed', 'completed', 'completed'],
  );
});

t.test('the end of the session ends a group: those that had not begun never reach the device', async (t) => {
  const { arena, witnesses, answer } = await crowded(3);
  await answer();
  await arena.interactions.end();
  t.strictSame(
    witnesses.map(({ status }) => status),
    ['failed', 'failed', 'failed'],
  );
  t.strictSame(arena.scripted.order, ['first', 'r0']);
});

t.test('a caller is told how many are ahead, those that have left included', async (t) => {
  const { arena, answer } = await crowded(3);
  await answer();
  const again = new Witness();
  arena.interactions.submit(tap('r2'), again);
  t.equal(again.heard[0], 'accepted behind 2');
  t.strictSame((await arena.submit(tap('new'))).heard, ['accepted behind 3']);
});

t.test('when the host dies each of a group fails once, and in their order', async (t) => {
  const { arena, witnesses, answer } = await crowded(3);
  await answer();
  arena.pair.breakHost('gone');
  await settled();
  for (const { acknowledgement } of witnesses) {
    t.match(acknowledgement, { status: 'failed', error: { code: 'interaction_transport_error' } });
  }
  t.strictSame(arena.endings, ['first', 'r0', 'r1', 'r2']);
});

t.test(
  'live gestures whose end has come cross together with taps; the device takes all of it in its order',
  async (t) => {
    const arena = await openArena();
    arena.scripted.patient = true;
    await arena.submit(tap('first'));
    const touches = [await touch(arena, 'a', 0.1), await touch(arena, 'b', 0.2)];
    await arena.submit(tap('tap'));
    touches.push(await touch(arena, 'c', 0.3));
    await answerAll(arena);
    t.strictSame(batches(arena), [
      ['first'],
      ['begin 0.1', 'end 0.1', 'begin 0.2', 'end 0.2', 'tap', 'begin 0.3', 'end 0.3'],
    ]);
    t.strictSame(arena.scripted.arrivals, ['first', '@0.1', '@0.2', 'tap', '@0.3']);
    t.strictSame(arena.scripted.phases, ['begin', 'end', 'begin', 'end', 'begin', 'end']);
    t.strictSame(
      touches.map(({ status }) => status),
      ['completed', 'completed', 'completed'],
    );
    t.strictSame(arena.endings, ['first', 'a', 'b', 'tap', 'c']);
  },
);

t.test('a finger that is still down holds up what comes behind it', async (t) => {
  const arena = await openArena();
  arena.scripted.patient = true;
  await arena.submit(tap('first'));
  await arena.pointer('held', 'begin', [{ x: 0.1, y: 0.5 }]);
  await arena.submit(tap('tap'));
  await touch(arena, 'a', 0.2);
  await answerAll(arena);
  t.strictSame(batches(arena), [['first'], ['begin 0.1']]);
  await arena.pointer('held', 'end', [{ x: 0.4, y: 0.5 }]);
  await answerAll(arena);
  t.strictSame(batches(arena).slice(2), [['end 0.4'], ['tap', 'begin 0.2', 'end 0.2']]);
});

t.test('of a gesture that fails no finger is down when the next input of its group comes', async (t) => {
  const arena = await openArena();
  const { scripted } = arena;
  scripted.patient = true;
  await arena.submit(tap('first'));
  const failing = await touch(arena, 'a', 0.1);
  const next = await touch(arena, 'b', 0.2);
  const after = await arena.submit(tap('tap'));
  scripted.lastPerform.answer({ pointCount: 1 });
  await settled();
  scripted.lastPointer.answer();
  await settled();
  scripted.lastPointer.fail(new DeviceFault('failed', 'The glass is wet.'));
  await settled();
  t.strictSame(scripted.phases, ['begin', 'end', 'cancel'], 'lifted before the next begin');
  await answerAll(arena);
  t.strictSame(scripted.phases.slice(0, 5), ['begin', 'end', 'cancel', 'begin', 'end']);
  t.equal(failing.status, 'failed');
  t.equal(next.status, 'completed');
  t.equal(after.status, 'completed');
});

t.test('a tap behind a gesture that has failed finds no finger down either', async (t) => {
  const arena = await openArena();
  const { scripted } = arena;
  scripted.patient = true;
  await arena.submit(tap('first'));
  const touched = await touch(arena, 'a', 0.1);
  await arena.submit(tap('tap'));
  scripted.lastPerform.answer({ pointCount: 1 });
  await settled();
  scripted.lastPointer.fail(new DeviceFault('failed', 'The glass is wet.'));
  await settled();
  t.strictSame(scripted.phases, ['begin', 'cancel'], 'and what came behind the begin is not taken');
  t.strictSame(scripted.order, ['first']);
  // A device that cannot even lift them is not asked again.
  scripted.lastPointer.fail(new DeviceFault('failed', 'The glass is broken.'));
  await settled();
  t.match(touched.acknowledgement, { status: 'failed', error: { message: 'The glass is wet.' } });
  t.strictSame(scripted.phases, ['begin', 'cancel']);
  t.strictSame(scripted.order, ['first', 'tap']);
});

t.test('a gesture that was sent ahead and is cancelled ends while the input in front hangs', async (t) => {
  const arena = await openArena();
  arena.scripted.patient = true;
  await arena.submit(tap('first'));
  await arena.submit(tap('hangs'));
  const touched = await touch(arena, 'a', 0.1);
  const hurried = await touch(arena, 'b', 0.2, 100);
  const last = await touch(arena, 'c', 0.3);
  arena.scripted.lastPerform.answer({ pointCount: 1 });
  await settled();
  arena.interactions.cancel('a');
  await settled();
  t.equal(touched.status, 'cancelled');
  await arena.clock.advance(120);
  t.equal(hurried.status, 'timed_out');
  await answerAll(arena);
  t.equal(last.status, 'completed');
  t.strictSame(arena.scripted.phases, ['begin', 'end'], 'and nothing had to be lifted');
  t.strictSame(arena.scripted.arrivals, ['first', 'hangs', '@0.3'], 'the device has not seen the others begin');
  t.strictSame(arena.unresponsive, []);
});

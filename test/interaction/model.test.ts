import { ServiceError } from '@runcloud/protocol/terms';
import fc, { type AsyncCommand } from 'fast-check';
import t from 'tap';
import { DeviceFault } from '../../server/device/fault.ts';
import { settled } from '../support/fake-clock.ts';
import { type Arena, openArena, tap, Witness } from '../support/interaction-arena.ts';
import { InteractionModel } from '../support/interaction-model.ts';
import { PerformCall } from '../support/scripted-device.ts';

interface Real {
  readonly arena: Arena;
  readonly model: InteractionModel;
  /** When each cancel that came before its request is forgotten. */
  readonly earlyCancels: Map<string, number>;
  fresh: number;
}

let operations = 0;

/** A command: what it does, between two checks of everything that is promised. */
function command(name: string, act: (real: Real) => unknown): AsyncCommand<object, Real> {
  return {
    check: () => true,
    run: async (_, real) => {
      operations++;
      await act(real);
      await settled();
      real.model.check();
    },
    toString: () => name,
  };
}

/** The code of the refusal that `act` meets, if any. */
function refusalOf(act: () => void): string | undefined {
  try {
    act();
    return undefined;
  } catch (error) {
    if (error instanceof ServiceError) return error.code;
    throw error;
  }
}

function expectRefusal(refusal: string | undefined, expected: string | undefined): void {
  if (refusal !== expected) throw new Error(`refused as ${refusal}, not ${expected}`);
}

function takeEarlyCancel({ earlyCancels, arena }: Real, requestId: string): boolean {
  const untilMs = earlyCancels.get(requestId) ?? 0;
  earlyCancels.delete(requestId);
  return untilMs > arena.clock.monotonicMs();
}

/** Submits under an id that may be new, pending or over, with the same body or another. */
const submit = (name: string, place: number, timeoutMs: number) =>
  command(`submit ${name} ${place} ${timeoutMs}`, (real) => {
    const { arena, model } = real;
    const request = tap(name, place / 10, timeoutMs);
    const body = JSON.stringify(request);
    const known = model.accepted.get(name);
    const witness = known || model.sessionEnded ? new Witness() : undefined;
    const listener = witness ?? model.accept(name, name, body, timeoutMs, takeEarlyCancel(real, name));
    const refusal = refusalOf(() => arena.interactions.submit(request, listener));
    if (model.sessionEnded) return expectRefusal(refusal, 'active_session_not_found');
    expectRefusal(refusal, known && known.body !== body ? 'duplicate_request' : undefined);
    if (known && witness && refusal === undefined) known.witnesses.push(witness);
  });

const begin = (timeoutMs: number) =>
  command(`begin ${timeoutMs}`, (real) => {
    const { arena, model } = real;
    if (model.sessionEnded) return;
    const x = ++real.fresh / 1_000;
    const requestId = `g${real.fresh}`;
    const witness = model.accept(requestId, `@${x}`, '', timeoutMs, false);
    const points = [{ x, y: 0 }];
    arena.interactions.pointer({ type: 'pointer', requestId, phase: 'begin', points, timeoutMs }, witness);
  });

const step = (phase: 'move' | 'end') =>
  command(phase, ({ arena, model, fresh }) => {
    const requestId = `g${fresh}`;
    const message = { type: 'pointer' as const, requestId, phase, points: [{ x: fresh / 1_000, y: 0.5 }] };
    const refusal = refusalOf(() => arena.interactions.pointer(message, new Witness()));
    if (refusal === undefined) model.renew(requestId);
  });

const cancel = (name: string) =>
  command(`cancel ${name}`, (real) => {
    const { arena, model, earlyCancels, fresh } = real;
    const requestId = name === 'g' ? `g${fresh}` : name;
    const known = model.accepted.get(requestId);
    const pending = known !== undefined && !model.isOver(known);
    if (arena.interactions.cancel(requestId) !== pending) throw new Error('a cancel was answered wrongly');
    if (pending) known.cancelled = true;
    if (!known) earlyCancels.set(requestId, arena.clock.monotonicMs() + 10_000);
  });

/** The device answers what it has, one way or the other. */
const deviceSays = (name: string, act: (call: PerformCall | Arena['scripted']['lastPointer']) => void, good: boolean) =>
  command(name, ({ arena, model }) => {
    const [call] = arena.scripted.openCalls;
    if (!call) return;
    const gesture = arena.scripted.arrivals.findLast((arrival) => arrival.startsWith('@')) ?? '';
    (good ? model.answered : model.failed).add(call instanceof PerformCall ? call.request.requestId : gesture);
    act(call);
  });

const names = fc.constantFrom(...Array.from({ length: 12 }, (_, index) => `r${index}`));
const timeouts = fc.constantFrom(100, 1_000, 5_000);

const commands = [
  fc.tuple(names, fc.constantFrom(5, 5, 5, 6), timeouts).map((parts) => submit(...parts)),
  fc.tuple(names, fc.constant(5), fc.constant(5_000)).map((parts) => submit(...parts)),
  timeouts.map(begin),
  fc.constantFrom('move' as const, 'end' as const).map(step),
  fc.oneof(names, fc.constant('g')).map(cancel),
  fc.constant(deviceSays('answer', (call) => (call instanceof PerformCall ? call.answer({}) : call.answer()), true)),
  fc.constant(deviceSays('answer', (call) => (call instanceof PerformCall ? call.answer({}) : call.answer()), true)),
  fc.constant(deviceSays('fault', (call) => call.fail(new DeviceFault('failed', 'It could not.')), false)),
  fc.constantFrom(5, 90, 1_000, 6_000).map((ms) => command(`advance ${ms}`, ({ arena }) => arena.clock.advance(ms))),
  fc
    .integer({ min: -9_999, max: 9_999 })
    .map((ms) => command(`wall clock ${ms}`, ({ arena }) => arena.clock.jumpWall(ms))),
  fc.boolean().map((stubborn) =>
    command(`stubborn ${stubborn}`, ({ arena }) => {
      arena.scripted.stubborn = stubborn;
    }),
  ),
];

/** Ends the session while the device lets go, and sees that everything came to its end. */
async function endSession({ arena, model }: Real): Promise<void> {
  model.sessionEnded = true;
  const end = arena.interactions.end();
  await arena.clock.advance(6_000);
  await end;
  model.check();
  for (const known of model.accepted.values())
    if (!model.isOver(known)) throw new Error(`${known.requestId} never ended`);
}

t.test('every promise of the queue is kept for any order of calls, timers and answers of the device', async (t) => {
  const property = fc.asyncProperty(fc.commands(commands, { maxCommands: 150, size: 'max' }), async (run) => {
    const arena = await openArena((self) => {
      real.model.sessionEnded = true;
      void self.interactions.end();
    });
    arena.scripted.patient = true;
    const real: Real = { arena, model: new InteractionModel(arena), earlyCancels: new Map(), fresh: 0 };
    await fc.asyncModelRun(() => ({ model: {}, real }), run);
    await endSession(real);
  });
  await t.resolves(fc.assert(property, { numRuns: 400, interruptAfterTimeLimit: 10_000 }));
  t.ok(operations >= 2_000, `${operations} operations`);
});

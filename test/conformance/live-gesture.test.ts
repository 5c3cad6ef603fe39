import { ControlClient } from '../support/control-client.ts';
import { findColour } from '../support/marks.ts';
import { conformOnStages, type StageCase } from './conform.ts';
import type { Point } from './drivers.ts';
import { newRequestId, type Stage, Subject } from './subject.ts';
import { TRANSPORTS } from './transport.ts';

/** Of one gesture, sent without a pause. */
const MOVES = 300;
/** Longer than a busy machine needs to tell of a step. */
const SILENCE_MS = 3_000;

interface Hand {
  readonly client: ControlClient;
  readonly requestId: string;
  step(phase: 'begin' | 'move' | 'end', points: readonly Point[], more?: Readonly<Record<string, unknown>>): void;
  /** Waits until so many steps have left for the device. */
  dispatched(steps: number): Promise<unknown>;
}

function takeHand(client: ControlClient): Hand {
  const requestId = newRequestId();
  return {
    client,
    requestId,
    step: (phase, points, more = {}) => client.send({ type: 'pointer', requestId, phase, points, ...more }),
    dispatched: (steps) =>
      client.next('dispatched', (message) => message.requestId === requestId && (message.steps ?? 0) >= steps),
  };
}

/** A case with Touch Lab open and a socket of its own. */
function live(title: string, prove: (...parts: Parts) => Promise<void>): StageCase {
  return {
    title,
    async prove(t, stage) {
      const [kind] = TRANSPORTS;
      if (!kind) throw new Error('no transport');
      const subject = await Subject.open(stage, kind);
      await subject.open('touch-lab');
      const client = await connect(stage);
      await prove(t, takeHand(client), subject);
      await client.close();
      await subject.transport.close();
    },
  };
}

type Parts = [t: Parameters<StageCase['prove']>[0], hand: Hand, subject: Subject];

const connect = ({ server, session }: Stage) => ControlClient.connect(server.url, session, server.rest.authorization);

const POINTS: readonly Point[] = [0.2, 0.35, 0.5, 0.65, 0.8].map((x) => ({ x, y: 0.3 + x / 2 }));
const MIDDLE = { x: 0.5, y: 0.5 };

conformOnStages([
  live(
    'a finger on the socket is followed step by step, and its trail is in the picture',
    async (t, backend, subject) => {
      const [first = MIDDLE, ...rest] = POINTS;
      backend.step('begin', [first]);
      for (const [index, point] of rest.entries()) {
        await backend.dispatched(index + 1);
        backend.step('move', [point]);
      }
      await backend.dispatched(POINTS.length);
      const { width, height, places } = await findColour(await subject.transport.screenshot(), 0xff00ff);
      const pixels = POINTS.map(({ x, y }) => `${Math.floor(x * width + 1e-6)},${Math.floor(y * height + 1e-6)}`);
      t.same([...places].sort(), [...pixels].sort(), 'each step is marked while the finger is still down');
      t.equal((await subject.inspect()).pointers.length, 1);
      backend.step('end', [POINTS.at(-1) ?? MIDDLE]);
      const { type: _, ...acknowledgement } = await backend.client.result(backend.requestId);
      t.match(acknowledgement, { ok: true, action: 'pointer', status: 'completed' });
      t.same(acknowledgement.result, { pointCount: 1, dispatchedSteps: 6 });
      const { pointers, app } = await subject.inspect();
      t.same(pointers, []);
      t.match(app, { lastGesture: { pointerCount: 1 } });
      const types = backend.client.answers.map(({ type }) => type);
      t.same([types.indexOf('accepted'), types.lastIndexOf('accepted'), types.at(-1)], [1, 1, 'result']);
      const seqs = backend.client.messages.flatMap((message) =>
        message.type === 'dispatched' ? [message.inputSeq] : [],
      );
      t.ok(
        seqs.every((seq, index) => index === 0 || seq > (seqs[index - 1] ?? 0)),
        'each step has an input number of its own',
      );
    },
  ),

  {
    ...live('two fingers on the socket pinch', async (t, backend, subject) => {
      const apart = (distance: number) => [
        { x: 0.5 - distance, y: 0.4 },
        { x: 0.5 + distance, y: 0.6 },
      ];
      backend.step('begin', apart(0.1));
      await backend.dispatched(1);
      backend.step('move', apart(0.3));
      await backend.dispatched(2);
      t.equal((await subject.inspect()).pointers.length, 2);
      backend.step('end', apart(0.4));
      const { result } = await backend.client.result(backend.requestId);
      t.same(result, { pointCount: 2, dispatchedSteps: 3 });
      t.match(await subject.app(), { lastGesture: { kind: 'pinch', pointerCount: 2 } });
    }),
    needs: ({ fingers }) => fingers === 2,
  },

  live('of many moves at once the newest counts, and neither begin nor end is lost', async (t, backend, subject) => {
    backend.step('begin', [{ x: 0.1, y: 0.5 }]);
    // Each is more than a pixel from the one before, on the narrowest screen as well.
    for (let count = 1; count <= MOVES; count++) backend.step('move', [{ x: 0.1 + (count / MOVES) * 0.8, y: 0.5 }]);
    backend.step('end', [{ x: 0.95, y: 0.5 }]);
    const { result } = await backend.client.result(backend.requestId);
    const seen = (await subject.app()).touches as readonly { phase: string; points: readonly Point[] }[];
    // An end that is seen as a move and an end is one step.
    const touches = subject.stage.driver.endsInPlace ? [...seen.slice(0, -2), ...seen.slice(-1)] : seen;
    t.equal(result?.dispatchedSteps, touches.length, 'what is counted is what the device got');
    t.same([touches[0]?.phase, touches.at(-1)?.phase], ['begin', 'end']);
    t.ok(touches.slice(1, -1).every(({ phase }) => phase === 'move'));
    const xs = touches.map(({ points: [point] }) => point?.x ?? 0);
    t.ok(
      xs.every((x, index) => index === 0 || x > (xs[index - 1] ?? 0)),
      'no move comes late',
    );
    const { width } = await subject.pixels();
    t.equal(xs.at(-1), Math.floor(0.95 * width + 1e-6));
    t.ok(Math.abs((xs.at(-2) ?? 0) - 0.9 * width) <= 1, 'the last move arrived');
  }),

  live('a live finger holds the queue until it is lifted', async (t, backend, subject) => {
    backend.step('begin', [MIDDLE]);
    await backend.dispatched(1);
    const typed = subject.do({ action: 'typeText', text: 'after' });
    backend.step('move', [{ x: 0.6, y: 0.6 }]);
    await backend.dispatched(2);
    t.equal((await subject.app()).text, '');
    backend.step('end', [{ x: 0.6, y: 0.6 }]);
    await backend.client.result(backend.requestId);
    await typed;
    t.equal((await subject.app()).text, 'after');
  }),

  live('a step that does not fit is told so, and the gesture goes on', async (t, backend, subject) => {
    const { client, requestId } = backend;
    backend.step('begin', [MIDDLE]);
    await backend.dispatched(1);
    backend.step('move', [MIDDLE, MIDDLE]);
    t.match(await client.next('error'), { code: 'invalid_interaction', requestId });
    client.send({ type: 'pointer', requestId: 'never-begun', phase: 'move', points: [MIDDLE] });
    t.match(await client.next('error', (message) => message.requestId === 'never-begun'), {
      code: 'invalid_interaction',
    });
    backend.step('end', [MIDDLE]);
    t.same((await client.result(requestId)).result, { pointCount: 1, dispatchedSteps: 2 });
    backend.step('move', [MIDDLE]);
    t.equal((await client.interact({ requestId: newRequestId(), action: 'reload' })).status, 'completed');
    t.equal(client.messages.filter(({ type }) => type === 'error').length, 2, 'a late step is ignored');
    t.same((await subject.inspect()).pointers, []);
  }),

  live('a live finger that is cancelled is lifted without an effect', async (t, backend, subject) => {
    backend.step('begin', [MIDDLE]);
    await backend.dispatched(1);
    backend.client.send({ type: 'cancel', requestId: backend.requestId });
    const acknowledgement = await backend.client.result(backend.requestId);
    t.match(acknowledgement, { ok: false, status: 'cancelled', error: { code: 'interaction_cancelled' } });
    t.same(acknowledgement.result, { dispatchedSteps: 1 });
    const { pointers, app } = await subject.inspect();
    t.same(pointers, []);
    if (subject.stage.driver.takesBack) t.match(app, { taps: 0, lastGesture: undefined });
  }),

  live('a live finger that says nothing more is lifted after its time-out', async (t, backend, subject) => {
    backend.step('begin', [MIDDLE], { timeoutMs: SILENCE_MS });
    await backend.dispatched(1);
    backend.step('move', [{ x: 0.4, y: 0.4 }], { timeoutMs: SILENCE_MS });
    const acknowledgement = await backend.client.result(backend.requestId);
    t.match(acknowledgement, { ok: false, status: 'timed_out', error: { code: 'interaction_timeout' } });
    t.same(acknowledgement.result, { dispatchedSteps: 2 });
    t.ok(acknowledgement.durationMs >= SILENCE_MS - 5, `after ${acknowledgement.durationMs} ms`);
    t.same((await subject.inspect()).pointers, []);
    await subject.do({ action: 'tap', ...MIDDLE });
    t.match(await subject.app(), { taps: 1 });
  }),
]);

import { ControlClient } from '../support/control-client.ts';
import { conformOnStages, type StageCase } from './conform.ts';
import { newRequestId, Subject } from './subject.ts';
import { type Answer, TRANSPORTS } from './transport.ts';

/** A request and its cancellation may use different transports. */
const PAIRS = TRANSPORTS.flatMap((asking) => TRANSPORTS.map((cancelling) => [asking, cancelling] as const));

type Test = Parameters<StageCase['prove']>[0];
type Prove = (t: Test, asker: Subject, canceller: Subject) => Promise<void>;

const overPairs = (title: string, prove: Prove): readonly StageCase[] =>
  PAIRS.map(([asking, cancelling]) => ({
    title: `asked over ${asking.name}, cancelled over ${cancelling.name}: ${title}`,
    async prove(t, stage) {
      const [asker, canceller] = [await Subject.open(stage, asking), await Subject.open(stage, cancelling)];
      await asker.open('touch-lab');
      await prove(t, asker, canceller);
      t.match(await asker.inspect(), { pointers: { length: 0 }, heldKeys: { length: 0 }, heldButtons: { length: 0 } });
      await asker.transport.close();
      await canceller.transport.close();
    },
  }));

const STEPS = 51;

/** A finger that goes to and fro for five seconds. */
const longGesture = () => ({
  requestId: newRequestId(),
  action: 'gesture',
  steps: Array.from({ length: STEPS }, (_, index) => ({
    phase: index === 0 ? 'begin' : index === STEPS - 1 ? 'end' : 'move',
    points: [{ x: 0.3 + 0.4 * (index % 2), y: 0.5 }],
    ...(index === STEPS - 1 ? {} : { delayMs: 100 }),
  })),
});

function isCancelled(t: Test, { acknowledgement, httpStatus = 409 }: Answer): void {
  const { status, error } = acknowledgement;
  t.match({ status, httpStatus, ...error }, { status: 'cancelled', httpStatus: 409, code: 'interaction_cancelled' });
}

/** A transport that answers cancels says whether it met something. */
const told = (t: Test, answer: boolean | undefined, expected: boolean): void => {
  if (answer !== undefined) t.equal(answer, expected);
};

conformOnStages([
  ...overPairs(
    'a running gesture ends early, its finger is lifted, and the next is served',
    async (t, asker, other) => {
      const request = longGesture();
      const asked = asker.ask(request);
      await asker.until('the finger has moved', ({ app }) => (app.touches as readonly unknown[]).length >= 3);
      told(t, await other.transport.cancel(request.requestId), true);
      const answer = await asked;
      isCancelled(t, answer);
      const { pointers, app } = await asker.inspect();
      t.same(pointers, []);
      const phases = (app.touches as readonly { phase: string }[]).map(({ phase }) => phase);
      const { dispatchedSteps } = answer.acknowledgement.result ?? {};
      t.equal(dispatchedSteps, phases.length - 1, 'the steps that are counted are those that arrived');
      t.ok(phases.length - 1 >= 3 && phases.length - 1 < STEPS);
      const { takesBack } = asker.stage.driver;
      t.same([phases[0], phases.at(-1)], ['begin', takesBack ? 'cancel' : 'end']);
      if (takesBack) t.equal(app.lastGesture, undefined);
      await asker.do({ action: 'tap', x: 0.5, y: 0.5 });
      t.match(await asker.app(), { taps: 1 });
    },
  ),

  ...overPairs('a waiting request ends at once and never reaches the device', async (t, asker, other) => {
    const gesture = longGesture();
    const running = asker.ask(gesture);
    await asker.until('the finger is down', ({ pointers }) => pointers.length > 0);
    const waiting = { requestId: newRequestId(), action: 'typeText', text: 'never' };
    const behind = { requestId: newRequestId(), action: 'typeText', text: 'later' };
    const [asked, askedNext] = [asker.ask(waiting), asker.ask(behind)];
    // A cancel that overtakes its request is remembered for it, so the order of arrival does not matter here.
    await other.transport.cancel(waiting.requestId);
    const answer = await asked;
    isCancelled(t, answer);
    t.equal(answer.acknowledgement.result, undefined);
    t.equal((await asker.inspect()).pointers.length, 1, 'what runs is not touched');
    await other.transport.cancel(gesture.requestId);
    isCancelled(t, await running);
    t.equal((await askedNext).acknowledgement.status, 'completed');
    t.equal((await asker.app()).text, 'later');
  }),

  ...overPairs('a held key comes up', async (t, asker, other) => {
    const request = { requestId: newRequestId(), action: 'pressKey', key: 'g', durationMs: 5_000 };
    const asked = asker.ask(request);
    await asker.until('the key is down', ({ heldKeys }) => heldKeys.includes('g'));
    await other.transport.cancel(request.requestId);
    isCancelled(t, await asked);
    t.same((await asker.inspect()).heldKeys, []);
  }),

  ...overPairs('a held button comes up without the effect of a press', async (t, asker, other) => {
    const request = { requestId: newRequestId(), action: 'pressButton', button: 'power', durationMs: 5_000 };
    const asked = asker.ask(request);
    await asker.until('the button is down', ({ heldButtons }) => heldButtons.includes('power'));
    await other.transport.cancel(request.requestId);
    isCancelled(t, await asked);
    t.match(await asker.inspect(), { heldButtons: { length: 0 }, foreground: 'touch-lab' });
    // Where a button can only be let go, that is a press.
    t.equal((await asker.inspect()).screen, asker.stage.driver.takesBack ? 'on' : 'off');
  }),

  ...overPairs('a swipe ends early', async (t, asker, other) => {
    const [from, to] = [
      { x: 0.2, y: 0.5 },
      { x: 0.8, y: 0.5 },
    ];
    const request = { requestId: newRequestId(), action: 'swipe', from, to, durationMs: 5_000 };
    const asked = asker.ask(request);
    await asker.until('the finger is down', ({ pointers }) => pointers.length > 0);
    await other.transport.cancel(request.requestId);
    isCancelled(t, await asked);
    const { pointers, app } = await asker.inspect();
    t.same(pointers, []);
    if (asker.stage.driver.takesBack) t.equal(app.lastGesture, undefined, 'it was no swipe');
    else t.ok((app.lastGesture as { durationMs: number }).durationMs < 5_000, 'it was a shorter one');
  }),

  ...overPairs('after the end a cancel meets nothing and the answer stands', async (t, asker, other) => {
    const request = { requestId: newRequestId(), action: 'typeText', text: 'done' };
    const { acknowledgement } = await asker.ask(request);
    told(t, await other.transport.cancel(request.requestId), false);
    told(t, await other.transport.cancel(newRequestId()), false);
    t.same((await asker.ask(request)).acknowledgement, acknowledgement);
    t.equal((await asker.app()).text, 'done');
  }),

  ...overPairs('a cancel that comes before its request ends it on arrival', async (t, asker, other) => {
    const request = { requestId: newRequestId(), action: 'typeText', text: 'never' };
    told(t, await other.transport.cancel(request.requestId), false);
    // Once the cancelling side has been served something else, its cancel has arrived.
    await other.do({ action: 'scroll', deltaX: 0, deltaY: 0.1 });
    isCancelled(t, await asker.ask(request));
    t.equal((await asker.app()).text, '');
  }),

  {
    title: 'on the socket a cancel of what has ended is ignored in silence',
    async prove(t, { server, session }) {
      const client = await ControlClient.connect(server.url, session, server.rest.authorization);
      const requestId = newRequestId();
      await client.interact({ requestId, action: 'reload' });
      client.send({ type: 'cancel', requestId });
      client.send({ type: 'ping', id: 7 });
      await client.next('pong');
      t.same(
        client.answers.map(({ type }) => type),
        ['ready', 'accepted', 'dispatched', 'result', 'pong'],
      );
      await client.close();
    },
  },
]);

import { ControlClient } from '../support/control-client.ts';
import { conformOnStages } from './conform.ts';
import { newRequestId, type Stage, Subject } from './subject.ts';
import { TRANSPORTS } from './transport.ts';

const connect = ({ server, session }: Stage) => ControlClient.connect(server.url, session, server.rest.authorization);

/** One subject for each transport: whoever is still there is served. */
const survivors = (stage: Stage) => Promise.all(TRANSPORTS.map((kind) => Subject.open(stage, kind)));

const MIDDLE = { x: 0.5, y: 0.5 };

conformOnStages([
  {
    title: 'a socket that dies in the middle of a drag lifts its finger, and everybody else is served',
    async prove(t, stage) {
      const others = await survivors(stage);
      const { width } = stage.session.device;
      for (const [index, other] of others.entries()) {
        await other.open('touch-lab');
        const client = await connect(stage);
        const requestId = newRequestId();
        const step = (phase: string, x: number) =>
          client.send({ type: 'pointer', requestId, phase, points: [{ x, y: 0.5 }] });
        step('begin', 0.2);
        for (const x of [0.3, 0.4, 0.5]) step('move', x);
        // A finger that is lifted before it has moved is a tap, for a device that cannot take a touch back.
        await other.until('the finger has moved', ({ pointers: [finger] }) => (finger?.x ?? 0) > 0.4 * width);
        const waiting = other.do({ action: 'typeText', text: `served ${index}` });
        client.terminate();
        await waiting;
        const { pointers, app } = await other.inspect();
        t.same(pointers, []);
        const { takesBack } = stage.driver;
        t.match(app, { text: `served ${index}`, taps: 0, ...(takesBack ? { lastGesture: undefined } : {}) });
        t.equal((app.touches as readonly { phase: string }[]).at(-1)?.phase, takesBack ? 'cancel' : 'end');
        await other.do({ action: 'tap', ...MIDDLE });
        t.match(await other.app(), { taps: 1 });
      }
      for (const { transport } of others) await transport.close();
    },
  },
  {
    title: 'a live finger that still waits for its turn dies with its socket',
    async prove(t, stage) {
      const [other, ...rest] = await survivors(stage);
      if (!other) throw new Error('no transport');
      await other.open('touch-lab');
      const [client, witness] = [await connect(stage), await connect(stage)];
      const held = { requestId: newRequestId(), action: 'pressKey', key: 'j', durationMs: 20_000, timeoutMs: 30_000 };
      const running = other.ask(held);
      await other.until('the key is down', ({ heldKeys }) => heldKeys.length > 0);
      const requestId = newRequestId();
      client.send({ type: 'pointer', requestId, phase: 'begin', points: [MIDDLE] });
      await client.next('accepted');
      const { length } = witness.messages;
      client.terminate();
      await witness.next('event', (event) => event.event === 'viewers' && witness.messages.indexOf(event) >= length);
      await other.transport.cancel(held.requestId);
      await running;
      await witness.close();
      await other.do({ action: 'typeText', text: 'next' });
      t.match(await other.inspect(), { pointers: { length: 0 }, app: { text: 'next', touches: { length: 0 } } });
      for (const { transport } of [other, ...rest]) await transport.close();
    },
  },
  {
    title: 'what a dead socket had asked for goes on to its end, and its answers wait to be asked for again',
    async prove(t, stage) {
      const others = await survivors(stage);
      for (const other of others) {
        await other.open('touch-lab');
        const client = await connect(stage);
        const steps = [
          { phase: 'begin', points: [{ x: 0.3, y: 0.3 }], delayMs: 400 },
          { phase: 'end', points: [{ x: 0.7, y: 0.7 }] },
        ];
        const gesture = { requestId: newRequestId(), action: 'gesture', steps };
        const text = { requestId: newRequestId(), action: 'typeText', text: 'left behind' };
        for (const request of [gesture, text]) client.send({ type: 'interaction', ...request });
        await client.next('accepted', ({ requestId }) => requestId === text.requestId);
        client.terminate();
        const answers = await Promise.all([other.ask(gesture), other.ask(text)]);
        t.same(
          answers.map(({ acknowledgement: { status } }) => status),
          ['completed', 'completed'],
        );
        t.same(answers[0]?.acknowledgement.result, { pointCount: 1, dispatchedSteps: 2 });
        const { text: typed, touches } = await other.app();
        t.equal(typed, 'left behind', 'once');
        t.equal((touches as readonly unknown[]).length, stage.driver.endsInPlace ? 3 : 2);
      }
      for (const { transport } of others) await transport.close();
    },
  },
]);

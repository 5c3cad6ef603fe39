import type { Test } from 'tap';
import { ControlClient } from '../support/control-client.ts';
import { conform } from './conform.ts';
import { newRequestId } from './subject.ts';
import type { Answer } from './transport.ts';

/** Longer than a busy machine needs to begin. */
const TIMEOUT_MS = 2_000;

function isTimedOut(t: Test, { acknowledgement, httpStatus = 504 }: Answer): void {
  const { status, error, durationMs } = acknowledgement;
  t.match(
    { status, httpStatus, ...error },
    { status: 'timed_out', httpStatus: 504, code: 'interaction_timeout', retryable: true },
  );
  t.ok(durationMs >= TIMEOUT_MS - 5, `timed out after ${durationMs} ms`);
}

conform([
  {
    title: 'a request that runs longer than its time-out ends, and what it held is let go',
    async prove(t, subject) {
      await subject.open('touch-lab');
      const key = { action: 'pressKey', key: 'h', durationMs: 10_000, timeoutMs: TIMEOUT_MS };
      isTimedOut(t, await subject.ask({ requestId: newRequestId(), ...key }));
      const { heldKeys, app } = await subject.inspect();
      t.same(heldKeys, []);
      const { heldMs } = app.lastKey as { heldMs: number };
      t.ok(heldMs > 0 && heldMs < 10_000, `the key was held for ${heldMs} ms`);
      const button = subject.can.buttons.includes('volumeDown') ? 'volumeDown' : 'sideButton';
      const press = { action: 'pressButton', button, durationMs: 10_000, timeoutMs: TIMEOUT_MS };
      isTimedOut(t, await subject.ask({ requestId: newRequestId(), ...press }));
      t.same((await subject.inspect()).heldButtons, []);
    },
  },
  {
    title: 'a swipe that runs longer than its time-out is lifted and says how far it came',
    async prove(t, subject) {
      await subject.open('touch-lab');
      const [from, to] = [
        { x: 0.1, y: 0.6 },
        { x: 0.9, y: 0.6 },
      ];
      const swipe = { action: 'swipe', from, to, durationMs: 10_000, timeoutMs: TIMEOUT_MS };
      const answer = await subject.ask({ requestId: newRequestId(), ...swipe });
      isTimedOut(t, answer);
      const { pointers, app } = await subject.inspect();
      t.same(pointers, []);
      const touches = app.touches as readonly { phase: string }[];
      t.equal(touches.at(-1)?.phase, subject.stage.driver.takesBack ? 'cancel' : 'end');
      t.equal(answer.acknowledgement.result?.dispatchedSteps, touches.length - 1);
      await subject.do({ action: 'tap', x: 0.5, y: 0.5 });
      t.match(await subject.app(), { taps: 1 });
    },
  },
  {
    title: 'the wait in the queue counts: a request times out there without reaching the device',
    async prove(t, subject) {
      await subject.open('touch-lab');
      const { server, session } = subject.stage;
      const backend = await ControlClient.connect(server.url, session, server.rest.authorization);
      const [requestId, points] = [newRequestId(), [{ x: 0.5, y: 0.5 }]];
      backend.send({ type: 'pointer', requestId, phase: 'begin', points });
      await backend.next('dispatched');
      const waiting = { requestId: newRequestId(), action: 'typeText', text: 'late', timeoutMs: TIMEOUT_MS };
      const patient = subject.do({ action: 'typeText', text: 'patient' });
      const answer = await subject.ask(waiting);
      isTimedOut(t, answer);
      t.equal(answer.acknowledgement.result, undefined);
      backend.send({ type: 'pointer', requestId, phase: 'end', points });
      t.equal((await backend.result(requestId)).status, 'completed', 'what ran was not touched');
      await backend.close();
      await patient;
      t.equal((await subject.app()).text, 'patient');
      t.same((await subject.ask(waiting)).acknowledgement, answer.acknowledgement, 'asked again, the answer stands');
    },
  },
  {
    title: 'delays that sum up to more than the time-out are refused at once',
    async prove(t, subject) {
      const point = { x: 0.5, y: 0.5 };
      const steps = [
        { phase: 'begin', points: [point], delayMs: TIMEOUT_MS + 1 },
        { phase: 'end', points: [point] },
      ];
      const { acknowledgement } = await subject.ask({
        requestId: newRequestId(),
        action: 'gesture',
        steps,
        timeoutMs: TIMEOUT_MS,
      });
      t.equal(acknowledgement.error?.code, 'invalid_interaction');
    },
  },
]);

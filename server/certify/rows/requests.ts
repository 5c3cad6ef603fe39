import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { LIMITS } from '@runcloud/protocol/terms';
import { RunCloudError } from '../../../client/sdk/index.ts';
import { readCard } from '../../test-card/read-card.ts';
import { onCard, type Row } from './row.ts';
import { QUIET } from './touches.ts';
import { watch } from './watch.ts';

/** A second effect of a repeated request would have come by then. */
const SECOND_EFFECT_MS = 400;
/** Nobody waits for it: the gesture is cancelled long before. */
const NEVER_MS = LIMITS.gestureDelayMs.max;
const WATCHED_MS = 3_000;
/** Pixels. */
const NEAR = 8;

export const REQUEST_ROWS: readonly Row[] = [
  {
    id: 'cancel',
    title: 'A gesture that is cancelled lifts its finger, and goes no further',
    needs: onCard(({ actions, freeGestures, screenEncodings }) => {
      return actions.includes('gesture') && freeGestures && screenEncodings.includes('jpeg');
    }),
    async prove(subject) {
      const { session, ground } = subject;
      const requestId = `certify-${randomUUID()}`;
      const point = (x: number, y: number) => [subject.share(subject.pixel(x, y))];
      const outcome = session
        .gesture(
          [
            { phase: 'begin', points: point(0.2, 0.6), delayMs: 60 },
            { phase: 'move', points: point(0.5, 0.65), delayMs: NEVER_MS },
            { phase: 'end', points: point(0.8, 0.85) },
          ],
          { requestId, signal: ground.signal },
        )
        .then(
          () => 'completed',
          (error: unknown) => (error instanceof RunCloudError ? error.code : String(error)),
        );
      // A screenshot would wait for the end of the gesture.
      const isDown = watch(subject, 'a finger on the display', WATCHED_MS, (picture) => {
        return readCard(picture, subject.card.area)?.readings.fingersDown === 1;
      });
      const early = outcome.then((code) => Promise.reject(new Error(`the gesture ended early, with ${code}`)));
      // The one that loses may still fail, and nobody waits for it.
      for (const one of [isDown, early]) one.catch(() => undefined);
      await Promise.race([isDown, early]);
      await session.cancel(requestId);
      const code = await outcome;
      if (code !== 'interaction_cancelled') throw new Error(`the gesture ended with ${code}`);
      const last = subject.pixel(0.8, 0.85);
      const { readings } = await subject.see('the finger lifted, short of its end', (card) => {
        return (
          card.readings.fingersDown === 0 && !card.marks.some(({ x, y }) => Math.hypot(x - last.x, y - last.y) < NEAR)
        );
      });
      return readings.cancels > 0 ? 'the app was told of the cancellation' : 'the finger was lifted where it was';
    },
  },
  {
    id: 'retry',
    title: 'A request that is sent again with its id is performed once',
    needs: onCard(({ actions }) => actions.includes('tap')),
    async prove(subject) {
      const at = subject.pixel(...QUIET);
      const requestId = `certify-${randomUUID()}`;
      await subject.tap(at, requestId);
      await subject.see('one tap', ({ readings }) => readings.taps === 1);
      await subject.session.tap(subject.share(at).x, subject.share(at).y, { requestId });
      await sleep(SECOND_EFFECT_MS, undefined, { signal: subject.ground.signal });
      await subject.see('still one tap', ({ readings }) => readings.taps === 1);
      await subject.tap(at);
      await subject.see('a second tap, by another request', ({ readings }) => readings.taps === 2);
      return 'three requests, two of them with one id: two taps';
    },
  },
];

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readCard } from '../../test-card/read-card.ts';
import { NotSeen, type Subject } from '../subject.ts';
import { readVideo } from '../video.ts';
import { onCard, type Row } from './row.ts';
import { QUIET } from './touches.ts';

const RECORDED_MS = 2_000;
const FINALIZED_MS = 60_000;
/** How much longer or shorter a recording may be: its pictures have the device's times. */
const SLACK_MS = 500;

async function untilReady(subject: Subject, id: string): Promise<void> {
  const { session, ground } = subject;
  const endMs = performance.now() + FINALIZED_MS;
  for (;;) {
    const { status } = await session.recordings.get(id, { signal: ground.signal });
    if (status === 'ready') return;
    if (status === 'failed' || performance.now() > endMs) throw new Error(`the recording is ${status}`);
    await sleep(200, undefined, { signal: ground.signal });
  }
}

export const RECORDING_ROWS: readonly Row[] = [
  {
    id: 'recording',
    title: 'A recording can be played, and shows what happened in its time',
    needs: onCard(({ recording }) => recording),
    async prove(subject) {
      const { session, ground } = subject;
      const startMs = performance.now();
      const { id } = await session.recordings.start({ signal: ground.signal });
      const startedMs = performance.now();
      await sleep(RECORDED_MS / 2, undefined, { signal: ground.signal });
      await subject.tap(subject.pixel(...QUIET));
      // A slow device shows it when it can; from then on it is to be in the recording, too.
      await subject.see('the tap', ({ readings }) => readings.taps === 1);
      await sleep(RECORDED_MS / 2, undefined, { signal: ground.signal });
      const stopMs = performance.now();
      await session.recordings.stop(id, { signal: ground.signal });
      const stoppedMs = performance.now();
      await untilReady(subject, id);
      const file = join(ground.folder, `${id}.mp4`);
      await writeFile(file, await session.recordings.download(id, { signal: ground.signal }));
      const video = await readVideo(file);
      // It begins before the start is answered, and ends before the stop is.
      const [leastMs, mostMs] = [stopMs - startedMs - SLACK_MS, stoppedMs - startMs + SLACK_MS];
      if (video.durationMs < leastMs || video.durationMs > mostMs) {
        const [least, lasted, most] = [leastMs, video.durationMs, mostMs].map(Math.round);
        throw new Error(`it lasts ${lasted} ms, and was made in ${least} to ${most} ms`);
      }
      const [first, last] = [video.first, video.last].map((picture) => readCard(picture, subject.card.area));
      if (first?.readings.nonce !== subject.nonce || first.readings.taps !== 0) {
        throw new NotSeen('its first picture does not show the display as it was at the start');
      }
      if (last?.readings.nonce !== subject.nonce || last.readings.taps !== 1) {
        throw new NotSeen('its last picture does not show the tap');
      }
      return `${(video.durationMs / 1_000).toFixed(2)} s, ${video.pictures} pictures, ${video.last.width} × ${video.last.height}; the tap is seen in it`;
    },
  },
];

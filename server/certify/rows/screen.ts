import { readCard } from '../../test-card/read-card.ts';
import { meanDifference, resized } from '../picture.ts';
import { NotSeen } from '../subject.ts';
import { onCard, type Row } from './row.ts';
import { QUIET } from './touches.ts';
import { watch } from './watch.ts';

const FIRST_PICTURE_MS = 5_000;
const FOLLOW_MS = 1_500;
const TAPS = 3;
/** Of 255: an encoding loses some of each pixel, and never this much of all. */
const DIFFERENCE_MAX = 8;
/** A device that encodes its own video may round its edges up or down to a multiple of this. */
const BLOCK = 16;

const isRounded = (edge: number, ofDisplay: number): boolean => Math.abs(edge - ofDisplay) < BLOCK;

export const SCREEN_ROWS: readonly Row[] = [
  {
    id: 'screenshot',
    title: 'A screenshot shows what the screen stream shows',
    needs: onCard(({ screenEncodings }) => screenEncodings.includes('jpeg')),
    async prove(subject) {
      const startedMs = performance.now();
      let difference = Number.POSITIVE_INFINITY;
      const picture = await watch(subject, 'a picture like the screenshot', FIRST_PICTURE_MS, async (picture) => {
        const still = await subject.look();
        if (!isRounded(picture.width, still.width) || !isRounded(picture.height, still.height)) return false;
        difference = meanDifference(await resized(picture, still), still);
        return difference <= DIFFERENCE_MAX && readCard(picture)?.readings.nonce === subject.nonce;
      });
      const ms = Math.round(performance.now() - startedMs);
      return `${picture.width} × ${picture.height}, ${difference.toFixed(2)} of 255 apart, after ${ms} ms`;
    },
  },
  {
    id: 'stream',
    title: 'The screen stream follows the input',
    needs: onCard(({ screenEncodings }) => screenEncodings.includes('jpeg')),
    async prove(subject) {
      const times: number[] = [];
      let tapped = 0;
      let sentMs = 0;
      let late = false;
      let done = Promise.resolve();
      const next = () => {
        tapped++;
        sentMs = performance.now();
        done = subject.tap(subject.pixel(...QUIET));
      };
      const within = FIRST_PICTURE_MS + TAPS * FOLLOW_MS;
      try {
        await watch(subject, `the picture after tap ${TAPS}`, within, async (picture, arrivedMs) => {
          const card = readCard(picture, subject.card.area);
          if (card?.readings.nonce !== subject.nonce || card.readings.taps !== tapped) return false;
          if (tapped > 0) {
            const ms = arrivedMs - sentMs;
            late ||= ms > FOLLOW_MS;
            times.push(ms);
            subject.measured.inputToPicture(ms);
            await done;
          }
          if (tapped === TAPS || late) return true;
          next();
          return false;
        });
      } finally {
        await done;
      }
      const told = times.map((ms) => `${ms.toFixed(0)} ms`).join(', ');
      if (late) throw new NotSeen(`the picture of a tap came too late: ${told}`);
      return `each of ${TAPS} taps was seen in the stream, after ${told}`;
    },
  },
];

import type { Pixel, Subject } from '../subject.ts';
import { isMarked, marksOnly, words } from './places.ts';
import { onCard, type Row } from './row.ts';

/** Shares of the card: the corners themselves, and the lower edge above all, may belong to the system. */
const REGIONS = [
  [0.1, 0.1],
  [0.9, 0.1],
  [0.1, 0.9],
  [0.9, 0.9],
  [0.5, 0.5],
] as const;

/** A place that no row but this file's minds, off the cells that the card is read by. */
export const QUIET = [0.5, 0.75] as const;

/** Taps each region, and sees each tap at its pixel. */
export async function tapRegions(subject: Subject): Promise<readonly Pixel[]> {
  const tapped: Pixel[] = [];
  for (const [x, y] of REGIONS) {
    const at = subject.pixel(x, y);
    const { taps } = subject.card.readings;
    await subject.tap(at);
    await subject.see(`a tap at the pixel ${words(at)}, and there alone`, (card) => {
      return card.readings.taps === ((taps + 1) & 0xffff) && marksOnly(card, [at]);
    });
    tapped.push(at);
  }
  return tapped;
}

const step = (subject: Subject, phase: 'begin' | 'move' | 'end', points: readonly Pixel[], delayMs = 0) => ({
  phase,
  points: points.map((at) => subject.share(at)),
  delayMs,
});

export const TOUCH_ROWS: readonly Row[] = [
  {
    id: 'tap',
    title: 'A tap hits the pixel asked for, in each corner region and in the middle',
    needs: onCard(({ actions }) => actions.includes('tap')),
    async prove(subject) {
      const tapped = await tapRegions(subject);
      const { grain } = subject.card.readings;
      return `seen at ${tapped.map(words).join('  ')}${grain > 1 ? `, as exactly as the browser tells: ${grain} pixels` : ''}`;
    },
  },
  {
    id: 'double-tap',
    title: 'Two quick taps are a double tap',
    needs: onCard(({ freeGestures }) => freeGestures),
    async prove(subject) {
      const at = subject.pixel(...QUIET);
      await Promise.all([subject.tap(at), subject.tap(at)]);
      await subject.see('a double tap', ({ readings }) => readings.doubleTaps === 1 && readings.taps === 2);
      return 'the card counts two taps and one double tap';
    },
  },
  {
    id: 'long-press',
    title: 'A finger that rests is a long press',
    needs: onCard(({ actions }) => actions.includes('swipe')),
    async prove(subject) {
      const at = subject.share(subject.pixel(...QUIET));
      await subject.do({ action: 'swipe', from: at, to: at, durationMs: 900 });
      await subject.see('a long press', ({ readings }) => readings.longPresses === 1 && readings.taps === 0);
      return 'the card counts one long press and no tap';
    },
  },
  {
    id: 'swipe',
    title: 'A swipe begins and ends at the pixels asked for',
    needs: onCard(({ actions }) => actions.includes('swipe')),
    async prove(subject) {
      const [from, to] = [subject.pixel(0.2, 0.6), subject.pixel(0.8, 0.85)];
      await subject.do({ action: 'swipe', from: subject.share(from), to: subject.share(to), durationMs: 300 });
      await subject.see(`a swipe from ${words(from)} to ${words(to)}`, (card) => {
        return card.readings.swipes === 1 && isMarked(card, from) && isMarked(card, to);
      });
      return `seen from ${words(from)} to ${words(to)}, with ${subject.card.marks.length} pixels on its way`;
    },
  },
  {
    id: 'gesture',
    title: 'A gesture of several steps goes where each step says',
    needs: onCard(({ actions, freeGestures }) => actions.includes('gesture') && freeGestures),
    async prove(subject) {
      const path = [
        subject.pixel(0.2, 0.6),
        subject.pixel(0.8, 0.65),
        subject.pixel(0.3, 0.8),
        subject.pixel(0.7, 0.9),
      ];
      const steps = path.map((at, index) => {
        const phase = index === 0 ? 'begin' : index === path.length - 1 ? 'end' : 'move';
        return step(subject, phase, [at], phase === 'end' ? 0 : 120);
      });
      await subject.do({ action: 'gesture', steps });
      await subject.see(`a drag over ${path.map(words).join(' ')}`, (card) => {
        return card.readings.swipes === 1 && path.every((at) => isMarked(card, at));
      });
      return `seen at ${path.map(words).join('  ')}`;
    },
  },
  {
    id: 'two-fingers',
    title: 'Two fingers move on paths of their own',
    needs: onCard(({ actions, fingers }) => actions.includes('gesture') && fingers === 2),
    async prove(subject) {
      const first = [subject.pixel(0.4, 0.7), subject.pixel(0.2, 0.6)];
      const second = [subject.pixel(0.6, 0.75), subject.pixel(0.8, 0.9)];
      const both = (index: number) => [first[index], second[index]].flatMap((at) => (at ? [at] : []));
      const steps = [
        step(subject, 'begin', both(0), 150),
        step(subject, 'move', both(1), 150),
        step(subject, 'end', both(1)),
      ];
      await subject.do({ action: 'gesture', steps });
      await subject.see('two fingers on their pixels', (card) => {
        const areThere = [0, 1].every((index) => {
          const [one, other] = both(index);
          return one && other && isMarked(card, one, 0) && isMarked(card, other, 1);
        });
        return card.readings.pairs === 1 && areThere;
      });
      return `seen from ${both(0).map(words).join(' and ')} to ${both(1).map(words).join(' and ')}`;
    },
  },
];

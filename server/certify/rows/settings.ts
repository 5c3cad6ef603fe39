import type { DeviceSettings } from '@runcloud/protocol';
import { changedShare } from '../picture.ts';
import { NotSeen, type Subject } from '../subject.ts';
import { launchKnown } from './known-app.ts';
import { NotOffered, onCard, type Row } from './row.ts';

const LARGE = 1.5;
/** Of the picture of a page that has much text; a clock that goes on is less. */
const LARGER_SHARE = 0.01;
const REDRAWN_MS = 4_000;

const DELAY_MS = 2_000;
/** By how much a page has to come later: loads of one page differ by themselves. */
const LATER_MS = 1_500;

async function configure({ session, ground: { signal } }: Subject, settings: DeviceSettings): Promise<DeviceSettings> {
  return (await session.configureDevice({ ...settings, signal })).result;
}

/** Milliseconds until a new card is seen. */
async function loadMs(subject: Subject): Promise<number> {
  const beganMs = performance.now();
  await subject.openCard();
  return Math.round(performance.now() - beganMs);
}

/** Puts settings back also where what came of a change was not seen. */
async function andBack(subject: Subject, before: DeviceSettings, prove: () => Promise<string>): Promise<string> {
  try {
    return await prove();
  } finally {
    await configure(subject, before);
  }
}

async function proveTextSize(subject: Subject): Promise<string> {
  const { textScale: before } = await configure(subject, {});
  if (before === undefined) throw new NotOffered('the device tells no size of text');
  const app = await launchKnown(subject, 'settings');
  const usual = await subject.still('the settings of the device');
  return andBack(subject, { textScale: before }, async () => {
    const { textScale: told = 0 } = await configure(subject, { textScale: LARGE });
    if (told <= before) throw new NotSeen(`the device says that its text has ${told} times the usual size`);
    await subject.until('larger text', REDRAWN_MS, (picture) => changedShare(usual, picture) > LARGER_SHARE);
    const large = await subject.still('larger text');
    await configure(subject, { textScale: before });
    await subject.until('the text as it was', REDRAWN_MS, (picture) => {
      return changedShare(usual, picture) < changedShare(large, picture) / 2;
    });
    return `${app} drew its text ${told} times as large, and then as before`;
  });
}

async function proveSlowNetwork(subject: Subject): Promise<string> {
  const { networkDelayMs: before } = await configure(subject, {});
  if (before === undefined) throw new NotOffered('the device has no slow network');
  const usualMs = await loadMs(subject);
  return andBack(subject, { networkDelayMs: before }, async () => {
    const { networkDelayMs: told } = await configure(subject, { networkDelayMs: DELAY_MS });
    if (told !== DELAY_MS) throw new NotSeen(`the device says that its network has a delay of ${told} ms`);
    const slowMs = await loadMs(subject);
    const words = `the card came after ${slowMs} ms with a delay of ${DELAY_MS} ms, and after ${usualMs} ms without`;
    if (slowMs - usualMs < LATER_MS) throw new NotSeen(words);
    return words;
  });
}

export const SETTING_ROWS: readonly Row[] = [
  {
    id: 'text-size',
    title: 'Text is drawn larger, and as before again',
    needs: ({ actions }) => ['configureDevice', 'listApps', 'launchApp'].every((name) => actions.includes(name)),
    prove: proveTextSize,
  },
  {
    id: 'slow-network',
    title: 'Over a slow network a page comes later',
    needs: onCard(({ actions }) => actions.includes('configureDevice')),
    prove: proveSlowNetwork,
  },
];

import type { Button, Orientation } from '@runcloud/protocol';
import type { Subject } from '../subject.ts';
import { onCard, type Row } from './row.ts';
import { tapRegions } from './touches.ts';

/** They take the card away. */
const LEAVING: readonly Button[] = ['home', 'back', 'appSwitcher', 'recents'];
/** They turn the display off, and on again. */
const POWER: readonly Button[] = ['power', 'sideButton'];
/** They show something over the card; the second takes back what the first did. */
const VOLUME: readonly Button[] = ['volumeUp', 'volumeDown'];
const GONE_MS = 1_500;
const WAKE_MS = 5_000;

const press = (subject: Subject, button: Button) => subject.do({ action: 'pressButton', button });

const isGone = (subject: Subject, button: Button) =>
  subject.until(`${button} takes the card away`, GONE_MS, (_picture, card) => card?.readings.nonce !== subject.nonce);

async function tryButton(subject: Subject, button: Button): Promise<void> {
  await subject.openCard();
  if (VOLUME.includes(button)) {
    return subject.changes(`${button} shows the volume`, () => press(subject, button));
  }
  await press(subject, button);
  await isGone(subject, button);
  if (!POWER.includes(button)) return;
  await press(subject, button);
  const isLit = (picture: { readonly pixels: Uint8Array }) => picture.pixels.some((part) => part > 96);
  await subject.until(`${button} turns the display on again`, WAKE_MS, isLit);
  // Past a lock screen, which a device without a code leaves by one of these.
  await press(subject, 'home');
  const [from, to] = [
    { x: 0.5, y: 0.8 },
    { x: 0.5, y: 0.2 },
  ];
  await subject.do({ action: 'swipe', from, to, durationMs: 200 });
}

const needsTurn = (orientation: Orientation): boolean => orientation.startsWith('landscape');

export const SYSTEM_ROWS: readonly Row[] = [
  {
    id: 'buttons',
    title: 'Hardware buttons do what they are for',
    needs: onCard(({ actions, buttons }) => actions.includes('pressButton') && buttons.length > 0),
    async prove(subject) {
      const tried = subject.can.buttons.filter((button) => [...LEAVING, ...POWER, ...VOLUME].includes(button));
      for (const button of tried) await tryButton(subject, button);
      return `seen: ${tried.join(', ')}`;
    },
  },
  {
    id: 'rotation',
    title: 'The display turns, its pictures lie as it does, and taps hit in each orientation',
    needs: onCard(({ actions, orientations }) => actions.includes('rotate') && orientations.length > 1),
    async prove(subject) {
      const { orientations } = subject.can;
      const turned = [...orientations.filter((one) => one !== 'portrait'), 'portrait' as const];
      const sizes: string[] = [];
      for (const orientation of turned) {
        const { width: before } = await subject.look();
        await subject.do({ action: 'rotate', orientation });
        await subject.until(`a readable card in ${orientation}`, WAKE_MS, ({ width, height }, card) => {
          return width > height === needsTurn(orientation) && card?.readings.nonce === subject.nonce;
        });
        const { width, height } = await subject.look();
        if (width !== before) await subject.openCard();
        await tapRegions(subject);
        sizes.push(`${orientation} ${width} × ${height}`);
      }
      return `taps hit in ${sizes.join(', ')}`;
    },
  },
];

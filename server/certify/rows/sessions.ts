import { isCapacityError } from '../../../client/sdk/index.ts';
import { NotSeen, type Subject } from '../subject.ts';
import { onCard, type Row } from './row.ts';

/** In which a restored device shows what it was. */
const CARD_MS = 5_000;

/** Drivers whose snapshots have what is on the disk, and nothing that ran: the card that was open is not there, the browser's memory is. */
const ENDS_APPS: ReadonlySet<string> = new Set(['ios-simulator']);

/** Refused with the one code that says that no device is free. */
async function isRefused(subject: Subject): Promise<boolean> {
  const { cloud, platform, signal } = subject.ground;
  try {
    await (await cloud.sessions.create({ platform }, { signal })).delete();
    return false;
  } catch (error) {
    if (isCapacityError(error)) return true;
    throw error;
  }
}

/** Come first. */
export const FIRST_ROWS: readonly Row[] = [
  {
    id: 'session',
    title: 'A session gets the device, and its picture is as large as the device',
    async prove(subject) {
      const { device, status } = subject.session.record;
      if (status !== 'active') throw new Error(`the session is ${status}`);
      const { width, height } = await subject.look();
      const sides = (one: number, other: number) => [one, other].sort((a, b) => a - b).join(' × ');
      if (sides(width, height) !== sides(device.width, device.height)) {
        throw new NotSeen(`the picture has ${width} × ${height} pixels, the device ${device.width} × ${device.height}`);
      }
      return `${device.model}, ${device.osVersion}, ${width} × ${height}`;
    },
  },
  {
    id: 'ready',
    title: 'The control socket is ready, and tells what the device can do',
    async prove(subject) {
      const { session, capabilities } = subject.control.ready;
      if (session.id !== subject.session.id) throw new Error(`it is about ${session.id}`);
      await subject.control.ping();
      return `${capabilities.actions.length} actions, ${capabilities.fingers} fingers, buttons: ${capabilities.buttons.join(', ')}`;
    },
  },
  {
    id: 'open-url',
    title: 'A URL opens in the browser',
    needs: ({ openUrl }) => openUrl,
    async prove(subject) {
      const { readings, area } = await subject.openCard();
      return `the card ${readings.nonce} at ${area.x},${area.y}, ${area.width} × ${area.height}`;
    },
  },
];

/** Come last: they end the session. */
export const LAST_ROWS: readonly Row[] = [
  {
    id: 'snapshot',
    title: 'A session from a snapshot finds what the device had when it was kept',
    needs: onCard(({ snapshots }) => snapshots === true),
    async prove(subject) {
      const { cloud, signal } = subject.ground;
      const { readings: kept } = subject.card;
      const name = `certify-${Date.now()}`;
      const { byteSize } = await subject.session.snapshot(name, { signal });
      try {
        // Another card, which the snapshot knows nothing of.
        await subject.openCard();
        await subject.beginAgain(name);
        if (ENDS_APPS.has(subject.session.record.device.driver)) {
          const { readings } = await subject.openCard();
          if (readings.visits !== kept.visits + 1) {
            throw new NotSeen(`the browser remembers ${readings.visits - 1} cards of before, not ${kept.visits}`);
          }
          return `the browser remembered the ${kept.visits} cards of before it, and not the one after it`;
        }
        await subject.until('the card of the snapshot', CARD_MS, (_picture, card) => {
          return card?.readings.nonce === kept.nonce && card.readings.visits === kept.visits;
        });
      } finally {
        await cloud.snapshots.delete(name);
      }
      return `the card ${kept.nonce} was there again, out of ${byteSize} bytes`;
    },
  },
  {
    id: 'reset',
    title: 'The next session finds nothing of the last one',
    needs: onCard(),
    async prove(subject) {
      const again = await subject.openCard();
      if (again.readings.visits < 2) throw new NotSeen('the browser remembers nothing within one session');
      await subject.beginAgain();
      const { readings } = await subject.openCard();
      if (readings.visits !== 1) throw new NotSeen(`the browser remembers ${readings.visits - 1} cards of before`);
      return `the browser had seen ${again.readings.visits} cards, and none of them in the next session`;
    },
  },
  {
    id: 'release',
    title: 'A release gives the device back',
    async prove(subject) {
      const { ground, session } = subject;
      if (ground.exclusive && !(await isRefused(subject))) throw new Error('a second session got the same device');
      await subject.beginAgain();
      const { status } = (await ground.cloud.sessions.get(session.id)).record;
      if (status !== 'released') throw new Error(`the session is ${status}`);
      const { width, height } = await subject.look();
      return `${ground.exclusive ? 'nobody else had it, then' : 'then'} a new session got it, and a picture of ${width} × ${height}`;
    },
  },
];

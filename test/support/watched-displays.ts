import type { SessionRecord } from '@runcloud/protocol';
import sharp from 'sharp';
import type { Packet, ScreenWatcher } from './screen-watcher.ts';

/** What a viewer was told of its streams, by their ids. */

/** Starts a stream and waits for its first picture; answers its id. */
export async function startStream(watcher: ScreenWatcher, fields: object): Promise<number> {
  const before = watcher.messages.length;
  const started = () => watcher.messages.slice(before).find(({ type }) => type === 'screen.started');
  watcher.send({ type: 'screen.start', ...fields });
  await watcher.until('it began', () => started() !== undefined);
  const streamId = Number(started()?.streamId);
  await watcher.until('a picture came', () => packetsOf(watcher, streamId).length > 0);
  return streamId;
}

export const packetsOf = ({ packets }: ScreenWatcher, streamId: number): Packet[] =>
  packets.filter(({ header }) => header.streamId === streamId);

export const newestOf = (watcher: ScreenWatcher, streamId: number): Packet =>
  packetsOf(watcher, streamId).at(-1) as Packet;

export const startsOf = ({ messages }: ScreenWatcher, streamId: number) =>
  messages.filter((message) => message.type === 'screen.started' && message.streamId === streamId);

/** Of a PNG: whether all of it is black. */
export const isDark = async ({ payload }: Packet): Promise<boolean> =>
  (await sharp(payload).removeAlpha().raw().toBuffer()).every((value) => value === 0);

/** Waits until the newest picture of a stream is black, or until it is not. */
export async function untilDark(watcher: ScreenWatcher, streamId: number, dark = true): Promise<void> {
  let seen = newestOf(watcher, streamId);
  while ((await isDark(seen)) !== dark) {
    await watcher.until('a newer picture came', () => newestOf(watcher, streamId) !== seen);
    seen = newestOf(watcher, streamId);
  }
}

/** The device as `ready` describes it. */
export const readyDevice = (watcher: ScreenWatcher) =>
  (watcher.message('ready') as { readonly session: SessionRecord } | undefined)?.session.device;

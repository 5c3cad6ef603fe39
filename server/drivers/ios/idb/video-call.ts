import { AnnexBReader, type ReadPicture } from '../../../h264/annex-b-reader.ts';
import type { StreamHead } from '../../../h264/stream-head.ts';
import { plainLine } from '../../process/plain-line.ts';
import { isWholeKeyPicture } from '../../video/picture-decoder.ts';
import type { VideoListener } from '../../video/video-source.ts';
import type { CompanionClient } from './companion-client.ts';

/** Messages that come without a pause are read first. Then the last picture is looked at. */
const QUIET_MS = 4;
/** A video whose last picture stays incomplete is begun anew after this. */
const STUCK_MS = 2_000;
const FIRST_PICTURE_MS = 10_000;
/** A companion that does not stop by itself is cut off after this. */
const STOP_MS = 500;

/** Properties of one companion's stream, learnt from all of its videos. */
export interface VideoHabits {
  /** Length of the longest message so far. */
  messageBytesMax: number;
  /** Slices of a whole picture; 0 before the first. */
  slices: number;
}

export const unknownHabits = (): VideoHabits => ({ messageBytesMax: 0, slices: 0 });

/**
 * Listens to a companion's video, which encodes for each listener, and so begins with a key picture.
 *
 * A picture has ended where the next one begins, but on a screen that stands still none follows. A pause proves nothing: on a
 * busy machine the pieces of one picture are any time apart. So the last picture is told ahead of the next one only if it is
 * known to be whole. A companion sends a unit in one message, or cuts it into pieces of one length, of which the last is
 * shorter: a message that is shorter than the longest one so far ends its unit, and the picture has ended with as many slices
 * as the pictures before it had. Where that does not hold, a decoder looks whether anything of a key picture is missing.
 */
export function videoCall(client: CompanionClient, habits: VideoHabits, listener: VideoListener): () => void {
  const reader = new AnnexBReader();
  const call = client.video_stream();
  let head: StreamHead | undefined;
  let quiet: NodeJS.Timeout | undefined;
  let afterQuiet: NodeJS.Immediate | undefined;
  let messageBytes = 0;
  let ended = false;
  const endQuiet = () => {
    clearTimeout(quiet);
    clearImmediate(afterQuiet);
  };
  // Timers run before what has arrived is read: after a pause of this thread's it is read first.
  const flushLater = () => {
    quiet = setTimeout(() => {
      afterQuiet = setImmediate(() => guarded(takeLast));
    }, QUIET_MS);
  };
  const takeLast = (): readonly ReadPicture[] => {
    const { last } = reader;
    if (!last) return [];
    const endsUnit = messageBytes < habits.messageBytesMax;
    const isWhole = endsUnit && habits.slices > 0 && last.slices >= habits.slices;
    if (isWhole || (last.unit.key && isWholeKeyPicture(last.unit.payload))) return reader.flush();
    quiet = setTimeout(() => end('its last picture has no end'), STUCK_MS);
    return [];
  };
  const end = (reason?: string) => {
    if (ended) return;
    ended = true;
    endQuiet();
    clearTimeout(deadline);
    call.on('error', () => undefined);
    // Its end alone does not stop it.
    call.write({ stop: {} });
    call.end();
    setTimeout(() => call.cancel(), STOP_MS).unref();
    if (reason !== undefined) listener.ended(reason);
  };
  const tell = (pictures: readonly ReadPicture[]) => {
    for (const picture of pictures) {
      if (ended) return;
      habits.slices = Math.max(habits.slices, picture.slices);
      if (!head && !picture.unit.key) continue;
      clearTimeout(deadline);
      if (picture.head !== head) listener.head(picture.head);
      head = picture.head;
      listener.picture(picture.unit);
    }
  };
  const guarded = (read: () => readonly ReadPicture[]) => {
    try {
      tell(read());
    } catch (error) {
      end(`the video is garbled: ${error instanceof Error ? error.message : 'unreadable'}`);
    }
  };
  call.on('data', ({ payload }: { readonly payload?: { readonly data?: Buffer } }) => {
    const data = payload?.data;
    if (!data?.length || ended) return;
    endQuiet();
    messageBytes = data.length;
    habits.messageBytesMax = Math.max(habits.messageBytesMax, messageBytes);
    guarded(() => reader.push(data));
    if (!ended) flushLater();
  });
  call.on('error', (error: Error) => end(`the video broke off: ${plainLine(error.message)}`));
  call.on('end', () => end('the helper ended its video'));
  const deadline = setTimeout(() => end('the helper gives no video'), FIRST_PICTURE_MS);
  call.write({ start: { format: 'H264', compression_quality: 0.8, scale_factor: 1 } });
  return () => end();
}

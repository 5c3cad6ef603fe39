import { plainLine } from '../../process/plain-line.ts';
import type { VideoListener } from '../helper.ts';
import type { StreamHead } from '../video/avc-configuration.ts';
import { AnnexBReader, type ReadPicture } from './annex-b-reader.ts';
import type { CompanionClient } from './companion-client.ts';

/** The pieces of a picture follow each other at once. */
const QUIET_MS = 4;
const FIRST_PICTURE_MS = 10_000;
/** A companion that does not stop by itself is cut off after this. */
const STOP_MS = 500;

/** Listens to a companion's video, which encodes for each listener, and so begins with a key picture. */
export function videoCall(client: CompanionClient, listener: VideoListener): () => void {
  const reader = new AnnexBReader();
  const call = client.video_stream();
  let head: StreamHead | undefined;
  let quiet: NodeJS.Timeout | undefined;
  let ended = false;
  const end = (reason?: string) => {
    if (ended) return;
    ended = true;
    clearTimeout(quiet);
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
    if (!data || ended) return;
    clearTimeout(quiet);
    guarded(() => reader.push(data));
    quiet = setTimeout(() => guarded(() => reader.flush()), QUIET_MS);
  });
  call.on('error', (error: Error) => end(`the video broke off: ${plainLine(error.message)}`));
  call.on('end', () => end('the helper ended its video'));
  const deadline = setTimeout(() => end('the helper gives no video'), FIRST_PICTURE_MS);
  call.write({ start: { format: 'H264', compression_quality: 0.8, scale_factor: 1 } });
  return () => end();
}

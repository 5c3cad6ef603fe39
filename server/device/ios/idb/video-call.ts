import { plainLine } from '../../process/plain-line.ts';
import type { StreamHead } from '../../video/stream-head.ts';
import type { VideoListener } from '../../video/video-source.ts';
import { AnnexBReader, beginsUnit, type ReadPicture } from './annex-b-reader.ts';
import type { CompanionClient } from './companion-client.ts';

/** A picture is over when nothing follows for so long. */
const QUIET_MS = 4;
/** The same with a companion that cuts its units: on a busy Mac the pieces of one are some time apart. */
const QUIET_BETWEEN_PIECES_MS = 50;
const FIRST_PICTURE_MS = 10_000;
/** A companion that does not stop by itself is cut off after this. */
const STOP_MS = 500;

/** Properties of one companion's stream, learnt from all of its videos. */
export interface VideoHabits {
  /** Messages that begin inside a unit were seen. */
  cutsUnits: boolean;
}

/** Listens to a companion's video, which encodes for each listener, and so begins with a key picture. */
export function videoCall(client: CompanionClient, habits: VideoHabits, listener: VideoListener): () => void {
  const reader = new AnnexBReader();
  const call = client.video_stream();
  let head: StreamHead | undefined;
  let quiet: NodeJS.Timeout | undefined;
  let afterQuiet: NodeJS.Immediate | undefined;
  let ended = false;
  const endQuiet = () => {
    clearTimeout(quiet);
    clearImmediate(afterQuiet);
  };
  // Timers run before what has arrived is read: after a pause of this thread's it is read first.
  const flushLater = () => {
    const quietMs = habits.cutsUnits ? QUIET_BETWEEN_PIECES_MS : QUIET_MS;
    quiet = setTimeout(() => {
      afterQuiet = setImmediate(() => guarded(() => reader.flush()));
    }, quietMs);
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
    habits.cutsUnits ||= !beginsUnit(data);
    guarded(() => reader.push(data));
    if (!ended) flushLater();
  });
  call.on('error', (error: Error) => end(`the video broke off: ${plainLine(error.message)}`));
  call.on('end', () => end('the helper ended its video'));
  const deadline = setTimeout(() => end('the helper gives no video'), FIRST_PICTURE_MS);
  call.write({ start: { format: 'H264', compression_quality: 0.8, scale_factor: 1 } });
  return () => end();
}

import { startThread } from '../processes/thread.ts';
import { BARE_PAGE } from './bare-page.ts';
import {
  BARE_ENCODING,
  BARE_ENCODINGS,
  type BareEncoding,
  type BarePicture,
  type BareTap,
} from './bare-screen-messages.ts';
import { NumberedSockets } from './numbered-sockets.ts';

/**
 * The floor under a tap that is seen: a tap of four bytes crosses to a worker thread, which paints, encodes, and hands the bytes back to be
 * sent. Nothing else is done: no queue, no acknowledgement, no numbering, no pacing. Its page decodes tiles and draws them.
 */
const WORKERS: Readonly<Record<BareEncoding, string>> = {
  tiles: './bare-tiles-worker.ts',
  jpeg: './bare-jpeg-worker.ts',
  h264: './bare-video-worker.ts',
};
const encoding = BARE_ENCODINGS.find((each) => each === process.env[BARE_ENCODING]) ?? 'tiles';
const worker = startThread(new URL(WORKERS[encoding], import.meta.url));
const sockets = new NumberedSockets(BARE_PAGE);

worker.on('message', ({ socketId, bytes }: BarePicture) => void sockets.get(socketId)?.send(bytes, true));

// The thread's first message says that it is ready.
worker.once('message', () =>
  sockets.listen(`bare ${encoding}`, (socketId, message) => {
    const [x = 0, y = 0] = new Uint16Array(message);
    worker.postMessage({ socketId, x, y } satisfies BareTap);
  }),
);

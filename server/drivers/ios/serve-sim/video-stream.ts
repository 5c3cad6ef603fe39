import { get, type IncomingMessage } from 'node:http';
import { fromLengths } from '../../../h264/access-unit.ts';
import { readStreamHead, type StreamHead } from '../../../h264/stream-head.ts';
import { plainLine } from '../../process/plain-line.ts';
import type { VideoListener } from '../../video/video-source.ts';
import type { Door } from './door.ts';
import { EnvelopeReader } from './envelope-reader.ts';

/** A new listener is given a key picture at once; without one in this time there is no video. */
const FIRST_PICTURE_MS = 5_000;

/**
 * Reads serve-sim's video. A new reader gets the stream's configuration and then a key picture, which the other readers
 * get as well.
 */
export function videoStream({ port, headers }: Pick<Door, 'port' | 'headers'>, listener: VideoListener): () => void {
  const reader = new EnvelopeReader();
  let head: StreamHead | undefined;
  let ended = false;
  let begun = false;
  const end = (reason?: string) => {
    if (ended) return;
    ended = true;
    clearTimeout(deadline);
    request.destroy();
    if (reason !== undefined) listener.ended(reason);
  };
  const take = (piece: Buffer) => {
    for (const { kind, payload } of reader.push(piece)) {
      if (ended) return;
      if (kind === 'configuration') {
        head = readStreamHead(Buffer.from(payload));
        listener.head(head);
      }
      if ((kind !== 'key' && kind !== 'delta') || !head) continue;
      const unit = fromLengths(payload, head);
      if (!begun && !unit.key) continue;
      begun = true;
      clearTimeout(deadline);
      listener.picture(unit);
    }
  };
  const request = get({ host: '127.0.0.1', port, path: '/stream.avcc', headers, agent: false });
  request.on('response', (response: IncomingMessage) => {
    if (response.statusCode !== 200) return end(`the helper answers ${response.statusCode} for its video`);
    response.on('data', (piece: Buffer) => {
      try {
        take(piece);
      } catch (error) {
        end(`the video is garbled: ${error instanceof Error ? error.message : 'unreadable'}`);
      }
    });
    response.on('end', () => end('the helper ended its video'));
    response.on('error', () => end('the video broke off'));
  });
  request.on('error', (error) => end(`the video broke off: ${plainLine(error.message)}`));
  const deadline = setTimeout(() => end('the helper gives no video'), FIRST_PICTURE_MS);
  return () => end();
}

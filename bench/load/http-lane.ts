import { once } from 'node:events';
import { connect } from 'node:net';
import { readHttpAnswer } from './http-answer.ts';
import type { LoadTarget, RequestTemplate } from './job.ts';
import type { Lane, LaneEvents, OpenLane } from './lane.ts';
import { RequestSource } from './request-source.ts';

type HttpTarget = Extract<LoadTarget, { kind: 'http' }>;

const CONNECT_MS_MAX = 5_000;
const NOTHING = Buffer.alloc(0);

/**
 * Opens persistent HTTP connections on plain sockets: an HTTP client would cost several times as much as the answers that it
 * measures. Each carries one request at a time, so the single buffer of its source is free again when the answer arrives.
 */
export function httpLanes({ host, port }: HttpTarget, template: RequestTemplate): OpenLane {
  return async (laneNumber: number, events: LaneEvents): Promise<Lane> => {
    const socket = connect({ host, port, noDelay: true });
    await once(socket, 'connect', { signal: AbortSignal.timeout(CONNECT_MS_MAX) });

    let received: Buffer = NOTHING;
    socket.on('data', (chunk) => {
      received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
      const answer = readHttpAnswer(received);
      if (!answer) return;
      if (answer.status === 200) {
        received = received.subarray(answer.length);
        events.answered();
      } else {
        events.failed(new Error(`the server refused a request: ${received.toString()}`));
      }
    });
    socket.on('error', events.failed);
    const closed = () => events.failed(new Error('the connection closed'));
    socket.on('close', closed);

    const source = new RequestSource(template, laneNumber);
    return {
      send: () => void socket.write(source.next()),
      close() {
        socket.off('close', closed);
        socket.destroy();
      },
    };
  };
}

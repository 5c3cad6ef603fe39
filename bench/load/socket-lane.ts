import { AnswerReader } from './answer-kind.ts';
import type { LoadTarget, RequestTemplate } from './job.ts';
import type { Lane, LaneEvents, OpenLane } from './lane.ts';
import { openSocket } from './open-socket.ts';
import { RequestSource } from './request-source.ts';
import { WriteBatch } from './write-batch.ts';

type SocketTarget = Extract<LoadTarget, { kind: 'socket' }>;

/** Opens WebSocket connections that do as little work as possible for each message. */
export function socketLanes(target: SocketTarget, template: RequestTemplate, inFlight: number): OpenLane {
  return async (laneNumber: number, events: LaneEvents): Promise<Lane> => {
    const urls = [target.url, ...(target.moreUrls ?? [])];
    const url = urls[laneNumber % urls.length] ?? target.url;
    const { socket, tcp } = await openSocket(url, target);

    const answers = new AnswerReader();
    socket.on('message', (bytes) => {
      try {
        if (answers.read(bytes as Buffer) === 'completed') events.answered();
      } catch (error) {
        events.failed(error as Error);
      }
    });
    socket.on('error', events.failed);
    const closed = (code: number) => events.failed(new Error(`the socket closed with ${code}`));
    socket.on('close', closed);

    const source = new RequestSource(template, laneNumber);
    const second = template.second && new RequestSource(template.second, laneNumber);
    const batch = inFlight > 1 || second ? new WriteBatch(tcp) : undefined;
    return {
      // `ws` masks a copy before `send` returns, so the single buffer of the source can be reused.
      send() {
        batch?.begin();
        socket.send(source.next());
        if (second) socket.send(second.next());
      },
      close() {
        socket.off('close', closed);
        socket.close();
      },
    };
  };
}

import { once } from 'node:events';
import { connect } from 'node:net';
import WebSocket from 'ws';
import type { LoadTarget, RequestTemplate } from './job.ts';
import type { Lane, LaneEvents, OpenLane } from './lane.ts';
import { CONNECT_MS_MAX } from './open-socket.ts';
import { RequestSource } from './request-source.ts';
import { WriteBatch } from './write-batch.ts';

type SocketIoTarget = Extract<LoadTarget, { kind: 'socket.io' }>;

/** Packets of Engine.IO 4 and Socket.IO 5 as text: https://socket.io/docs/v4/socket-io-protocol/ */
const ENGINE_OPEN = '0';
const ENGINE_PING = '2';
const ENGINE_PONG = '3';
const SOCKET_CONNECT = '40';
const SOCKET_ACK = '43';
const SUCCESS = '"ok":true';

/**
 * A socket.io client without its client library, which would cost several times as much as the other lanes. It sends
 * prepared packets and distinguishes answers by their first characters.
 */
export function socketIoLanes({ host, port }: SocketIoTarget, template: RequestTemplate, inFlight: number): OpenLane {
  return async (laneNumber: number, events: LaneEvents): Promise<Lane> => {
    const tcp = connect({ host, port, noDelay: true });
    const socket = new WebSocket(`ws://${host}:${port}/socket.io/?EIO=4&transport=websocket`, {
      perMessageDeflate: false,
      handshakeTimeout: CONNECT_MS_MAX,
      createConnection: () => tcp,
    });
    const signal = AbortSignal.timeout(CONNECT_MS_MAX);
    await expectPacket(socket, ENGINE_OPEN, signal);
    socket.send(SOCKET_CONNECT);
    await expectPacket(socket, SOCKET_CONNECT, signal);

    socket.on('message', (bytes: Buffer) => {
      const packet = bytes.toString('latin1');
      if (packet.startsWith(SOCKET_ACK) && packet.includes(SUCCESS)) events.answered();
      else if (packet === ENGINE_PING) socket.send(ENGINE_PONG);
      else events.failed(new Error(`socket.io answered ${packet}`));
    });
    socket.on('error', events.failed);
    const closed = (code: number) => events.failed(new Error(`the socket closed with ${code}`));
    socket.on('close', closed);

    const source = new RequestSource(template, laneNumber);
    const batch = inFlight > 1 ? new WriteBatch(tcp) : undefined;
    return {
      send() {
        batch?.begin();
        socket.send(source.next(), { binary: false });
      },
      close() {
        socket.off('close', closed);
        socket.close();
      },
    };
  };
}

async function expectPacket(socket: WebSocket, start: string, signal: AbortSignal): Promise<void> {
  const [bytes] = (await once(socket, 'message', { signal })) as [Buffer];
  const packet = bytes.toString('latin1');
  if (!packet.startsWith(start)) throw new Error(`socket.io opened with ${packet}`);
}

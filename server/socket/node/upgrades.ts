import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { WebSocketServer } from 'ws';
import type { WantedSocket } from '../connection.ts';
import type { OpenSockets } from '../open-sockets.ts';
import { CONTROL_PATH, type Kind, PAYLOAD_BYTES_MAX, SUBPROTOCOL } from '../socket-limits.ts';
import { Watch } from './watch.ts';
import { LOOK_MS, WsSocket } from './ws-socket.ts';

const CONTROL = new RegExp(`^${CONTROL_PATH.replaceAll(/\{\w+\}/g, '[^/]+')}(\\?|$)`);
/** Base64 of 16 bytes. */
const KEY_CHARACTERS = 24;

/** Whether a request is for a control socket, as far as its form tells; the application decides. */
export const isForSocket = ({ method, url = '', headers }: IncomingMessage): boolean =>
  method === 'GET' && CONTROL.test(url) && headers['sec-websocket-key']?.length === KEY_CHARACTERS;

/** Opens the sockets of upgrades that the application has accepted. */
export class Upgrades {
  readonly #servers: Readonly<Record<Kind, WebSocketServer>>;
  readonly #watch = new Watch(LOOK_MS);
  readonly #sockets: OpenSockets;
  readonly #onFault: (error: unknown) => void;

  constructor(sockets: OpenSockets, onFault: (error: unknown) => void) {
    this.#sockets = sockets;
    this.#onFault = onFault;
    this.#servers = { brief: serverFor('brief'), long: serverFor('long') };
  }

  /** @param head what came behind the request */
  open(request: IncomingMessage, socket: Socket, head: Buffer, wanted: WantedSocket): void {
    // The application has judged both; the library takes only this one, and a list of sub-protocols only without repetitions.
    request.headers.upgrade = 'websocket';
    delete request.headers['sec-websocket-protocol'];
    this.#servers[wanted.brief ? 'brief' : 'long'].handleUpgrade(request, socket, head, (ws) => {
      // Messages that came with the request are read after the application's first message was sent.
      if (head.byteLength > 0) {
        ws.pause();
        setImmediate(() => ws.resume());
      }
      new WsSocket(ws, socket, wanted, { sockets: this.#sockets, watch: this.#watch, onFault: this.#onFault });
    });
  }
}

function serverFor(kind: Kind): WebSocketServer {
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: PAYLOAD_BYTES_MAX[kind],
    // It answers without a bound.
    autoPong: false,
  });
  server.on('headers', (lines) => lines.push(`Sec-WebSocket-Protocol: ${SUBPROTOCOL}`));
  return server;
}

import uws, { type WebSocket } from 'uWebSockets.js';
import { controlReady } from './control-process.ts';
import { listenOnFreePort } from './uws-listen.ts';

interface SocketData {
  readonly number: number;
}

/** The sockets of a control that answers from another thread, by numbers, since sockets cannot cross threads. */
export class NumberedSockets {
  readonly #open = new Map<number, WebSocket<SocketData>>();
  readonly #page: string | undefined;
  #last = 0;

  /** @param page what a browser gets that opens the address */
  constructor(page?: string) {
    this.#page = page;
  }

  /** `undefined` for one that is closed. */
  get(number: number): WebSocket<SocketData> | undefined {
    return this.#open.get(number);
  }

  /** Listens, and says so under the control's name. @param onMessage gets memory that is gone when it returns */
  listen(name: string, onMessage: (number: number, message: ArrayBuffer) => void): void {
    const app = uws.App().ws<SocketData>('/*', {
      upgrade: (response, request, context) => {
        response.upgrade<SocketData>(
          { number: ++this.#last },
          request.getHeader('sec-websocket-key'),
          request.getHeader('sec-websocket-protocol'),
          request.getHeader('sec-websocket-extensions'),
          context,
        );
      },
      open: (socket) => void this.#open.set(socket.getUserData().number, socket),
      close: (socket) => void this.#open.delete(socket.getUserData().number),
      message: (socket, message) => onMessage(socket.getUserData().number, message),
    });
    const page = this.#page;
    if (page !== undefined)
      app.get('/', (response) => void response.writeHeader('content-type', 'text/html').end(page));
    listenOnFreePort(app, (port) => controlReady(name, port));
  }
}

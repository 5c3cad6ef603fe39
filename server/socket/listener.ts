import type { HttpResponse, us_listen_socket, us_socket } from 'uWebSockets.js';
import type { HttpApplication } from './http.ts';
import { nativeSockets } from './native.ts';
import { OpenSockets } from './open-sockets.ts';
import { RequestHead } from './request-head.ts';
import { Responder } from './responder.ts';
import { serveHttp } from './serve-http.ts';
import { type Accept, addSocketRoutes, type Guard, type SocketApplication } from './socket-routes.ts';

export interface ListenerOptions {
  readonly host: string;
  /** 0 picks a free port. */
  readonly port: number;
  readonly http: HttpApplication;
  readonly sockets: SocketApplication;
  /** Called with an exception of a handler; the connection is closed. */
  readonly onFault: (error: unknown) => void;
}

export interface ListeningSocket {
  readonly port: number;
  /**
   * Stops listening. Resolves when every socket has closed (each must have been told to close before): if the process ended
   * earlier, clients would miss unread data and their close code.
   */
  close(): Promise<void>;
}

/** Time for clients to read the remaining data before their sockets are cut. */
const CLOSING_MS_MAX = 2_000;

/** Exclusive port: otherwise a second process could share it and get half of the connections. */
const LISTEN_EXCLUSIVE_PORT = 1;

/** Listens for HTTP and WebSocket. Rejects if the address is not available. */
export function listen({ host, port, http, sockets, onFault }: ListenerOptions): Promise<ListeningSocket> {
  const uws = nativeSockets();
  /** Guards a callback: an exception that escapes a native callback would end the process. */
  const guard: Guard = (handler, onError) => {
    try {
      handler();
    } catch (error) {
      onFault(error);
      onError();
    }
  };
  /** Entry of every request; the abort handler is registered before the request is read. */
  const accept: Accept = (res, req, serve) => {
    guard(
      () => {
        const head = new RequestHead(res, req);
        serve(head, new Responder(res, head));
      },
      () => closeResponse(res),
    );
  };
  const app = uws.App();
  const open = new OpenSockets();
  addSocketRoutes(app, { sockets, open, accept, guard, onFault });
  app.any('/*', (res, req) => accept(res, req, (head, responder) => serveHttp(head, responder, http)));
  return new Promise((resolve, reject) => {
    const onListening = (token: us_listen_socket | false) => {
      if (!token) return reject(new Error(`cannot listen on ${host}:${port}: the address is taken or not ours`));
      resolve({
        port: uws.us_socket_local_port(token as unknown as us_socket),
        close: () => {
          uws.us_listen_socket_close(token);
          return open.closed(CLOSING_MS_MAX);
        },
      });
    };
    // The typings lack the overload with host and options.
    const form = app.listen as (...parts: unknown[]) => unknown;
    form.call(app, host, port, LISTEN_EXCLUSIVE_PORT, onListening);
  });
}

function closeResponse(res: HttpResponse): void {
  try {
    res.close();
  } catch {
    // The request was answered, or the client has disconnected.
  }
}

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
  /** Told of exceptions that came out of a handler; the connection concerned is closed. */
  readonly onFault: (error: unknown) => void;
}

export interface ListeningSocket {
  readonly port: number;
  /**
   * Takes no more connections. Resolves when every socket, each of which was told to close before, has closed: a process
   * that ended earlier would take with it what clients have not read yet, their close code above all.
   */
  close(): Promise<void>;
}

/** What clients are given to read what was sent to them before they were told to close. */
const CLOSING_MS_MAX = 2_000;

/** Otherwise a second process could share the port and take half of the connections. */
const LISTEN_EXCLUSIVE_PORT = 1;

/** Listens for HTTP and WebSocket. Rejects when the address cannot be had. */
export function listen({ host, port, http, sockets, onFault }: ListenerOptions): Promise<ListeningSocket> {
  const uws = nativeSockets();
  /** An exception that leaves a native callback ends the process. */
  const guard: Guard = (handler, onError) => {
    try {
      handler();
    } catch (error) {
      onFault(error);
      onError();
    }
  };
  /** Every request comes in here: nothing is asked of it before somebody hears that its caller leaves. */
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
    // The typings know no form with both a host and options; the library does.
    const form = app.listen as (...parts: unknown[]) => unknown;
    form.call(app, host, port, LISTEN_EXCLUSIVE_PORT, onListening);
  });
}

function closeResponse(res: HttpResponse): void {
  try {
    res.close();
  } catch {
    // It was answered, or its caller has gone.
  }
}

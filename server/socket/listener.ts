import type { HttpRequest, HttpResponse, us_listen_socket, us_socket, us_socket_context_t } from 'uWebSockets.js';
import { CLOSE, CONTROL_SUBPROTOCOL, LIMITS, ROUTES } from '@runcloud/protocol';
import { Connection, type Outlet, type SocketData, type SocketHandler } from './connection.ts';
import type { HttpApplication, HttpHead, HttpReply } from './http.ts';
import { nativeSockets } from './native.ts';
import { RequestHead } from './request-head.ts';
import { Responder } from './responder.ts';
import { serveHttp } from './serve-http.ts';

export interface SocketApplication {
  /** Decides on an upgrade: an answer that refuses it, or what happens on the open socket. */
  upgrade(head: HttpHead): HttpReply | { readonly open: (outlet: Outlet) => SocketHandler };
}

export interface ListenerOptions {
  readonly host: string;
  /** 0 picks a free port. */
  readonly port: number;
  readonly http: HttpApplication;
  readonly sockets: SocketApplication;
  /** Told of exceptions that came out of a handler; the connection concerned is closed. */
  readonly onFault: (error: unknown) => void;
}

export interface Listener {
  readonly port: number;
  close(): void;
}

/** Twice our own limit: a message above that one still gets its close code. */
const PAYLOAD_BYTES_MAX = LIMITS.clientMessageBytes * 2;
/** Above our own limit, which closes the socket with its code before the library drops anything. */
const BACKPRESSURE_BYTES_MAX = LIMITS.unsentBytes * 4;

/** Otherwise a second process could share the port and take half of the connections. */
const LISTEN_EXCLUSIVE_PORT = 1;

/** Listens for HTTP and WebSocket. Rejects when the address cannot be had. */
export function listen({ host, port, http, sockets, onFault }: ListenerOptions): Promise<Listener> {
  const uws = nativeSockets();
  let lastTopic = 0;
  /** An exception that leaves a native callback ends the process. */
  const guard = (handler: () => void, onError: () => void): void => {
    try {
      handler();
    } catch (error) {
      onFault(error);
      onError();
    }
  };
  /** Every request comes in here: nothing is asked of it before somebody hears that its caller leaves. */
  const accept = (res: HttpResponse, req: HttpRequest, serve: (head: RequestHead, responder: Responder) => void) => {
    guard(
      () => {
        const head = new RequestHead(res, req);
        serve(head, new Responder(res, head));
      },
      () => closeResponse(res),
    );
  };
  const app = uws.App();
  app.ws<SocketData>(ROUTES.control.path.replaceAll(/\{(\w+)\}/g, ':$1'), {
    compression: uws.DISABLED,
    idleTimeout: LIMITS.socketIdleSeconds,
    sendPingsAutomatically: true,
    maxPayloadLength: PAYLOAD_BYTES_MAX,
    maxBackpressure: BACKPRESSURE_BYTES_MAX,
    upgrade: (res, req, context) => {
      const key = req.getHeader('sec-websocket-key');
      accept(res, req, (head, responder) => upgrade(head, responder, { key, context }, sockets));
    },
    open: (socket) => {
      guard(
        () => {
          // A socket with a subscription takes the library's safe path for large messages under back-pressure.
          socket.subscribe(`own/${++lastTopic}`);
          const data = socket.getUserData();
          data.connection = new Connection(socket);
          data.handler = data.open(data.connection);
        },
        () => socket.end(CLOSE.fault.code, CLOSE.fault.reason),
      );
    },
    message: (socket, message, isBinary) => {
      const { connection, handler } = socket.getUserData();
      // What comes most often is guarded without closures.
      try {
        if (isBinary) handler?.receive(new Uint8Array(message));
        else handler?.receiveText();
      } catch (error) {
        onFault(error);
        connection?.close(CLOSE.fault);
      }
    },
    drain: (socket) => {
      const { connection, handler } = socket.getUserData();
      guard(
        () => handler?.drained(),
        () => connection?.close(CLOSE.fault),
      );
    },
    close: (socket) => {
      const { connection, handler } = socket.getUserData();
      connection?.forget();
      guard(
        () => handler?.closed(),
        () => undefined,
      );
    },
  });
  app.any('/*', (res, req) => accept(res, req, (head, responder) => serveHttp(head, responder, http)));
  return new Promise((resolve, reject) => {
    const onListening = (token: us_listen_socket | false) => {
      if (!token) return reject(new Error(`cannot listen on ${host}:${port}: the address is taken or not ours`));
      resolve({
        port: uws.us_socket_local_port(token as unknown as us_socket),
        close: () => uws.us_listen_socket_close(token),
      });
    };
    // The typings know no form with both a host and options; the library does.
    const form = app.listen as (...parts: unknown[]) => unknown;
    form.call(app, host, port, LISTEN_EXCLUSIVE_PORT, onListening);
  });
}

interface Handshake {
  readonly key: string;
  readonly context: us_socket_context_t;
}

function upgrade(
  head: RequestHead,
  responder: Responder,
  { key, context }: Handshake,
  sockets: SocketApplication,
): void {
  const outcome = sockets.upgrade(head);
  if ('status' in outcome) return responder.write(outcome);
  head.end();
  const data: SocketData = { open: outcome.open, handler: undefined, connection: undefined };
  // Only the chosen name goes back, never the client's list; no extension is taken up.
  responder.res.upgrade<SocketData>(data, key, CONTROL_SUBPROTOCOL, '', context);
}

function closeResponse(res: HttpResponse): void {
  try {
    res.close();
  } catch {
    // It was answered, or its caller has gone.
  }
}

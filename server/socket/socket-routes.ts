import type {
  HttpRequest,
  HttpResponse,
  TemplatedApp,
  us_socket_context_t,
  WebSocket,
  WebSocketBehavior,
} from 'uWebSockets.js';
import { CLOSE, CONTROL_SUBPROTOCOL, LIMITS, ROUTES } from '@runcloud/protocol';
import { SocketConnection, type SocketData, type SocketHandler, type SocketSender } from './connection.ts';
import type { HttpHead, HttpReply } from './http.ts';
import { nativeSockets } from './native.ts';
import type { OpenSockets } from './open-sockets.ts';
import type { RequestHead } from './request-head.ts';
import type { Responder } from './responder.ts';

/** A socket that is granted. */
export interface WantedSocket {
  /** Whether its messages are brief: what it has not finished is held, and those who may only look are many. */
  readonly brief: boolean;
  readonly open: (outlet: SocketSender) => SocketHandler;
}

export interface SocketApplication {
  /** Decides on an upgrade: an answer that refuses it, or what happens on the open socket. */
  upgrade(head: HttpHead): HttpReply | WantedSocket;
}

/** Runs what must throw nothing into the library. */
export type Guard = (handler: () => void, onError: () => void) => void;
/** Takes a request over from the library. */
export type Accept = (
  res: HttpResponse,
  req: HttpRequest,
  serve: (head: RequestHead, responder: Responder) => void,
) => void;

export interface SocketRoutesOptions {
  readonly sockets: SocketApplication;
  readonly open: OpenSockets;
  readonly accept: Accept;
  readonly guard: Guard;
  readonly onFault: (error: unknown) => void;
}

/**
 * Twice our own limits: a message above one of these still gets its close code. The library takes a limit by route, not
 * by socket, so there are two routes for one path.
 */
const PAYLOAD_BYTES_MAX = { brief: LIMITS.viewMessageBytes * 2, long: LIMITS.clientMessageBytes * 2 } as const;
type Kind = keyof typeof PAYLOAD_BYTES_MAX;

/** Above our own limit, which closes the socket with its code before the library drops anything. */
const BACKPRESSURE_BYTES_MAX = LIMITS.unsentBytes * 4;

/** The control socket's address. To the library, paths are the same route only if their parameters have the same names. */
const patternOf = (kind: Kind): string => ROUTES.control.path.replaceAll(/\{(\w+)\}/g, `:${kind}-$1`);

/** Adds the control socket to what the library serves. */
export function addSocketRoutes(app: TemplatedApp, options: SocketRoutesOptions): void {
  const { sockets, accept } = options;
  const behavior = behaviorOf(options);
  /** Decided on by the route that the library asked first, and left to the other one, which it asks next. */
  let passedOn: { readonly wanted: WantedSocket; readonly request: string } | undefined;
  for (const kind of ['brief', 'long'] as const) {
    const upgrade = (res: HttpResponse, req: HttpRequest, context: us_socket_context_t) => {
      const key = req.getHeader('sec-websocket-key');
      // Only the chosen name goes back, never the client's list; no extension is taken up.
      const open = ({ open }: WantedSocket) => {
        const data: SocketData = { open, handler: undefined, connection: undefined };
        res.upgrade<SocketData>(data, key, CONTROL_SUBPROTOCOL, '', context);
      };
      const passed = passedOn;
      passedOn = undefined;
      if (passed?.request === identityOf(req)) return open(passed.wanted);
      accept(res, req, (head, responder) => {
        const outcome = sockets.upgrade(head);
        if ('status' in outcome) return responder.write(outcome);
        head.end();
        if (kind === (outcome.brief ? 'brief' : 'long')) return open(outcome);
        passedOn = { wanted: outcome, request: identityOf(req) };
        req.setYield(true);
      });
    };
    app.ws(patternOf(kind), { ...behavior, maxPayloadLength: PAYLOAD_BYTES_MAX[kind], upgrade });
  }
}

/** All that a decision rests on: no request is ever given what another one was granted. */
const identityOf = (req: HttpRequest): string =>
  ['authorization', 'origin', 'sec-websocket-key'].reduce(
    (text, name) => `${text}\n${req.getHeader(name)}`,
    `${req.getUrl()}?${req.getQuery() ?? ''}`,
  );

/** What happens on open sockets. */
function behaviorOf({ open, guard, onFault }: SocketRoutesOptions): WebSocketBehavior<SocketData> {
  let lastTopic = 0;
  const receivePing = (socket: WebSocket<SocketData>) => {
    const { connection, handler } = socket.getUserData();
    guard(
      () => handler?.receivePing(),
      () => connection?.close(CLOSE.fault),
    );
  };
  return {
    compression: nativeSockets().DISABLED,
    idleTimeout: LIMITS.socketIdleSeconds,
    sendPingsAutomatically: true,
    maxBackpressure: BACKPRESSURE_BYTES_MAX,
    open: (socket) => {
      guard(
        () => {
          open.add(socket);
          // A socket with a subscription takes the library's safe path for large messages under back-pressure.
          socket.subscribe(`own/${++lastTopic}`);
          const data = socket.getUserData();
          data.connection = new SocketConnection(socket);
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
    ping: receivePing,
    pong: receivePing,
    drain: (socket) => {
      const { connection, handler } = socket.getUserData();
      guard(
        () => {
          connection?.drained();
          handler?.drained();
        },
        () => connection?.close(CLOSE.fault),
      );
    },
    close: (socket) => {
      const { connection, handler } = socket.getUserData();
      open.delete(socket);
      connection?.forget();
      guard(
        () => handler?.closed(),
        () => undefined,
      );
    },
  };
}

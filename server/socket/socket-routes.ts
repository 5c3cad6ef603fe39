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

/** An accepted upgrade. */
export interface WantedSocket {
  /** Whether the small message limit applies (role `view`): unfinished messages are buffered, and viewers may be many. */
  readonly brief: boolean;
  readonly open: (outlet: SocketSender) => SocketHandler;
}

export interface SocketApplication {
  /** Accepts an upgrade, or refuses it with an answer. */
  upgrade(head: HttpHead): HttpReply | WantedSocket;
}

/** Runs a callback and keeps its exceptions from the library. */
export type Guard = (handler: () => void, onError: () => void) => void;
/** Creates the head and the responder of a request. */
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
 * Twice our own limits, so that a message above our limit still gets its close code. The library has a limit per route, not
 * per socket, so there are two routes for one path.
 */
const PAYLOAD_BYTES_MAX = { brief: LIMITS.viewMessageBytes * 2, long: LIMITS.clientMessageBytes * 2 } as const;
type Kind = keyof typeof PAYLOAD_BYTES_MAX;

/** Above our own limit, which closes the socket with its code before the library drops messages. */
const BACKPRESSURE_BYTES_MAX = LIMITS.unsentBytes * 4;

/** The control socket's path. The library treats paths as one route only if their parameters have the same names. */
const patternOf = (kind: Kind): string => ROUTES.control.path.replaceAll(/\{(\w+)\}/g, `:${kind}-$1`);

/** Registers the control socket's routes with the library. */
export function addSocketRoutes(app: TemplatedApp, options: SocketRoutesOptions): void {
  const { sockets, accept } = options;
  const behavior = behaviorOf(options);
  /** Decided by the first of the two routes that the library calls, and passed on to the second. */
  let passedOn: { readonly wanted: WantedSocket; readonly request: string } | undefined;
  for (const kind of ['brief', 'long'] as const) {
    const upgrade = (res: HttpResponse, req: HttpRequest, context: us_socket_context_t) => {
      const key = req.getHeader('sec-websocket-key');
      // Only the selected sub-protocol is returned, never the client's list; no extension is negotiated.
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

/** Everything that a decision depends on, so that no request can use the decision of another one. */
const identityOf = (req: HttpRequest): string =>
  ['authorization', 'origin', 'sec-websocket-key'].reduce(
    (text, name) => `${text}\n${req.getHeader(name)}`,
    `${req.getUrl()}?${req.getQuery() ?? ''}`,
  );

/** The callbacks of open sockets. */
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
          // With a subscription the library takes its safe path for large messages under backpressure.
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
      // The most frequent callback is guarded without closures.
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

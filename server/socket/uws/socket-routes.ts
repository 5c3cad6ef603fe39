import type {
  CompressOptions,
  HttpRequest,
  HttpResponse,
  TemplatedApp,
  us_socket_context_t,
  WebSocket,
  WebSocketBehavior,
} from 'uWebSockets.js';
import { LIMITS } from '@runcloud/protocol';
import { type LaterSocket, type SocketApplication, SocketConnection, type WantedSocket } from '../connection.ts';
import type { OpenSockets } from '../open-sockets.ts';
import type { RequestHead } from '../request-head.ts';
import { BACKPRESSURE_BYTES_MAX, CONTROL_PATH, type Kind, PAYLOAD_BYTES_MAX, SUBPROTOCOL } from '../socket-limits.ts';
import { NativeSocket, type SocketData } from './native-socket.ts';
import type { Responder } from './responder.ts';

/** Creates the head and the responder of a request. */
export type Accept = (
  res: HttpResponse,
  req: HttpRequest,
  serve: (head: RequestHead, responder: Responder) => void,
) => void;

export interface SocketRoutesOptions {
  readonly compression: CompressOptions;
  readonly sockets: SocketApplication;
  readonly open: OpenSockets;
  readonly accept: Accept;
  readonly onFault: (error: unknown) => void;
}

/** The control socket's path. The library treats paths as one route only if their parameters have the same names. */
const patternOf = (kind: Kind): string => CONTROL_PATH.replaceAll(/\{(\w+)\}/g, `:${kind}-$1`);

/** Registers the control socket's routes with the library: its limit of a message belongs to a route, so one path has two. */
export function addSocketRoutes(app: TemplatedApp, options: SocketRoutesOptions): void {
  const { sockets, accept } = options;
  const behavior = behaviorOf(options);
  /** Decided by the first of the two routes that the library calls, and passed on to the second. */
  let passedOn: { readonly outcome: WantedSocket | LaterSocket; readonly request: string } | undefined;
  for (const kind of ['brief', 'long'] as const) {
    const upgrade = (res: HttpResponse, req: HttpRequest, context: us_socket_context_t) => {
      const key = req.getHeader('sec-websocket-key');
      // Only the selected sub-protocol is returned, never the client's list; no extension is negotiated.
      const open = (wanted: WantedSocket) => {
        const data: SocketData = { wanted, connection: undefined, number: 0 };
        res.upgrade<SocketData>(data, key, SUBPROTOCOL, '', context);
      };
      const openLater = (later: LaterSocket['later'], responder: Responder) =>
        void later.then((decided) => {
          if ('status' in decided) responder.answer(decided);
          else if (responder.isOpen) res.cork(() => open(decided));
          else decided.unwanted?.();
        });
      const passed = passedOn;
      passedOn = undefined;
      if (passed?.request === identityOf(req)) {
        const { outcome } = passed;
        if (!('later' in outcome)) return open(outcome);
        return accept(res, req, (head, responder) => {
          head.end();
          openLater(outcome.later, responder);
        });
      }
      accept(res, req, (head, responder) => {
        const outcome = sockets.upgrade(head);
        if ('status' in outcome) return responder.write(outcome);
        head.end();
        if (outcome instanceof Promise) return void outcome.then((reply) => responder.answer(reply));
        const isBrief = !('later' in outcome) && outcome.brief;
        if (kind === (isBrief ? 'brief' : 'long')) {
          return 'later' in outcome ? openLater(outcome.later, responder) : open(outcome);
        }
        passedOn = { outcome, request: identityOf(req) };
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
function behaviorOf({ compression, open, onFault }: SocketRoutesOptions): WebSocketBehavior<SocketData> {
  let lastTopic = 0;
  const receivePing = (socket: WebSocket<SocketData>) => socket.getUserData().connection?.pinged();
  return {
    compression,
    idleTimeout: LIMITS.socketIdleSeconds,
    sendPingsAutomatically: true,
    maxBackpressure: BACKPRESSURE_BYTES_MAX,
    open: (socket) => {
      // With a subscription the library takes its safe path for large messages under backpressure.
      socket.subscribe(`own/${++lastTopic}`);
      const data = socket.getUserData();
      data.number = open.add(socket);
      data.connection = new SocketConnection(new NativeSocket(socket), onFault);
      const { wanted } = data;
      data.wanted = undefined;
      if (wanted) data.connection.begin(wanted);
    },
    message: (socket, message, isBinary) =>
      socket.getUserData().connection?.received(new Uint8Array(message), isBinary),
    ping: receivePing,
    pong: receivePing,
    drain: (socket) => socket.getUserData().connection?.drained(),
    close: (socket, code) => {
      const { number, connection } = socket.getUserData();
      open.remove(number);
      connection?.closed(code);
    },
  };
}

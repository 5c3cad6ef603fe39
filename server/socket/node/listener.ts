import { createServer, type IncomingMessage, ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { WantedSocket } from '../connection.ts';
import type { HttpReply } from '../http.ts';
import { CLOSING_MS_MAX, cannotListen, type Listen } from '../listener.ts';
import { OpenSockets } from '../open-sockets.ts';
import { RequestHead } from '../request-head.ts';
import { serveHttp } from '../serve-http.ts';
import { HttpConnection, LOOK_MS } from './http-connection.ts';
import { HttpExchange } from './http-exchange.ts';
import { NodeHead } from './node-head.ts';
import { HEADERS_MAX, isServed } from './served.ts';
import { isForSocket, Upgrades } from './upgrades.ts';
import { Watch } from './watch.ts';

/** `HttpConnection` has the time limits, since those of Node.js do not fit uploads that take long. */
const OPTIONS = {
  maxHeaderSize: 16_384,
  headersTimeout: 0,
  requestTimeout: 0,
  keepAliveTimeout: 0,
  noDelay: true,
  // One without is not answered; see `isServed`.
  requireHostHeader: false,
} as const;

/** As long as a head may take. */
const HANDSHAKE_MS_MAX = 10_000;

/** Listens by `node:http` and `ws`, which run on every Node.js. */
export const listenPortably: Listen = ({ host, port, tls, http, sockets, onFault }) => {
  const open = new OpenSockets();
  const upgrades = new Upgrades(open, onFault);
  const watch = new Watch(LOOK_MS);
  const connections = new WeakMap<Socket, HttpConnection>();
  const server = tls
    ? createSecureServer({ ...OPTIONS, cert: tls.cert, key: tls.key, handshakeTimeout: HANDSHAKE_MS_MAX })
    : createServer(OPTIONS);
  /** Told of each connection that HTTP is spoken on; with one of ours a server of Node.js goes on. */
  const connected = tls ? 'secureConnection' : 'connection';
  server.maxHeadersCount = HEADERS_MAX + 1;

  /** The connection of a request that may be answered; others are cut. */
  const connectionOf = (request: IncomingMessage): HttpConnection | undefined => {
    const connection = connections.get(request.socket);
    if (!connection || request.socket.destroyed) return undefined;
    if (isServed(request) && connection.mayAsk) return connection;
    connection.cut();
    return undefined;
  };
  const guard = (connection: HttpConnection, handler: () => void) => {
    try {
      handler();
    } catch (error) {
      onFault(error);
      connection.cut();
    }
  };
  const serve = (request: IncomingMessage, response: ServerResponse) => {
    if (connections.get(request.socket)?.mayAskSoon) return void setImmediate(serveNow, request, response);
    serveNow(request, response);
  };
  const serveNow = (request: IncomingMessage, response: ServerResponse) => {
    const connection = connectionOf(request);
    if (!connection) return;
    const head = new RequestHead(new NodeHead(request));
    const exchange = new HttpExchange(request, response, connection, head);
    connection.begin(exchange);
    guard(connection, () => {
      serveHttp(head, exchange, http);
      exchange.letGo();
    });
  };
  const upgrade = (request: IncomingMessage, rest: Buffer) => {
    if (connections.get(request.socket)?.mayAskSoon) return void setImmediate(upgradeNow, request, rest);
    upgradeNow(request, rest);
  };
  const upgradeNow = (request: IncomingMessage, rest: Buffer) => {
    const connection = connectionOf(request);
    connection?.whenIdle(() => become(request, rest, connection));
  };
  const become = (request: IncomingMessage, rest: Buffer, connection: HttpConnection) => {
    const { socket } = request;
    if (socket.destroyed) return;
    if (!isForSocket(request)) return giveBack(() => server.emit(connected, socket), request, rest);
    const head = new RequestHead(new NodeHead(request));
    guard(connection, () => {
      const outcome = sockets.upgrade(head);
      if (outcome instanceof Promise || 'status' in outcome) return refuse(request, head, connection, outcome);
      head.end();
      const open = (wanted: WantedSocket) => {
        connection.leave();
        upgrades.open(request, socket, rest, wanted);
      };
      if (!('later' in outcome)) return open(outcome);
      // The client waits for the server meanwhile.
      connection.wait();
      void outcome.later.then((decided) => {
        if ('status' in decided) refuse(request, head, connection, decided);
        else if (socket.destroyed) decided.unwanted?.();
        else open(decided);
      });
    });
  };

  server.on(connected, (socket: Socket) => {
    // The same connection comes again after a request to become something that is not spoken here.
    if (connections.has(socket)) return;
    // Without a listener an error would end the process; the connection closes after any.
    socket.on('error', () => undefined);
    connections.set(socket, new HttpConnection(socket, watch));
  });
  server.on('request', serve);
  // Nobody is asked to wait for a leave to send, and no expectation is refused.
  server.on('checkExpectation', serve);
  server.on('upgrade', (request, _, rest: Buffer) => upgrade(request, rest));
  server.on('clientError', (_, socket) => {
    const connection = connections.get(socket as Socket);
    // One that fails in the handshake of TLS speaks no HTTP yet.
    if (connection) connection.fault();
    else socket.destroy();
  });
  return new Promise((resolve, reject) => {
    server.once('error', () => reject(cannotListen(host, port)));
    server.listen({ host, port, exclusive: true }, () => {
      server.removeAllListeners('error').on('error', onFault);
      resolve({
        port: (server.address() as AddressInfo).port,
        close: () => {
          server.close();
          return open.closed(CLOSING_MS_MAX);
        },
      });
    });
  });
};

/** Refuses an upgrade. Node.js has let go of the connection, which ends with the answer. */
function refuse(
  request: IncomingMessage,
  head: RequestHead,
  connection: HttpConnection,
  outcome: HttpReply | Promise<HttpReply>,
): void {
  const { socket } = request;
  const response = new ServerResponse(request);
  response.assignSocket(socket);
  response.once('finish', () => socket.destroySoon());
  const exchange = new HttpExchange(request, response, connection, head);
  connection.begin(exchange);
  if (outcome instanceof Promise) {
    head.end();
    void outcome.then((reply) => exchange.answer({ ...reply, close: true }));
  } else {
    exchange.write({ ...outcome, close: true });
  }
  // Otherwise nobody would see that the client has gone.
  socket.resume();
}

/**
 * Serves a request that wants its connection to become something that is not spoken here, such as HTTP/2, as any other: a
 * server may ignore that (RFC 9110, section 7.8). Node.js has left the connection to us, so it is given back with the
 * request on it, without the header.
 */
function giveBack(goOn: () => void, { method, url, rawHeaders, socket }: IncomingMessage, rest: Buffer): void {
  const lines = [`${method} ${url} HTTP/1.1`];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? '';
    if (!/^(upgrade|connection)$/i.test(name)) lines.push(`${name}: ${rawHeaders[at + 1]}`);
  }
  socket.unshift(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), rest]));
  goOn();
}

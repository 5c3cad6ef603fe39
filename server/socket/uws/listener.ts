import type uWS from 'uWebSockets.js';
import type { HttpResponse, TemplatedApp, us_listen_socket, us_socket } from 'uWebSockets.js';
import { CLOSING_MS_MAX, cannotListen, type Listen, type TlsFiles } from '../listener.ts';
import { OpenSockets } from '../open-sockets.ts';
import { RequestHead } from '../request-head.ts';
import { serveHttp } from '../serve-http.ts';
import { nativeSockets } from './native.ts';
import { NativeHead } from './native-head.ts';
import { Responder } from './responder.ts';
import { type Accept, addSocketRoutes } from './socket-routes.ts';

/** Exclusive port: otherwise a second process could share it and get half of the connections. */
const LISTEN_EXCLUSIVE_PORT = 1;

/** Listens by uWebSockets.js. */
export const listenNatively: Listen = ({ host, port, tls, http, sockets, onFault }) => {
  const uws = nativeSockets();
  if (!uws) return Promise.reject(new Error('uWebSockets.js has no native build for this Node.js'));
  /** Guards a callback: an exception that escapes a native callback would end the process. */
  const guard = (handler: () => void, onError: () => void) => {
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
        const head = new RequestHead(new NativeHead(res, req));
        serve(head, new Responder(res, head));
      },
      () => closeResponse(res),
    );
  };
  const app = tls ? secureApp(uws, tls) : uws.App();
  if (!app) return Promise.reject(new Error('this build of uWebSockets.js has no TLS: set RUNCLOUD_SOCKETS=ws'));
  const open = new OpenSockets();
  addSocketRoutes(app, { compression: uws.DISABLED, sockets, open, accept, onFault });
  app.any('/*', (res, req) => accept(res, req, (head, responder) => serveHttp(head, responder, http)));
  return new Promise((resolve, reject) => {
    const onListening = (token: us_listen_socket | false) => {
      if (!token) return reject(cannotListen(host, port));
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
};

/** The files are known to be good: what fails is the build. */
function secureApp(uws: typeof uWS, { certPath, keyPath }: TlsFiles): TemplatedApp | undefined {
  try {
    return uws.SSLApp({ cert_file_name: certPath, key_file_name: keyPath });
  } catch {
    return undefined;
  }
}

function closeResponse(res: HttpResponse): void {
  try {
    res.close();
  } catch {
    // The request was answered, or the client has disconnected.
  }
}

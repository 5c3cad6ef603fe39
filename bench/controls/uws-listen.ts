import uws, { type TemplatedApp, type us_listen_socket } from 'uWebSockets.js';

/** `us_socket_local_port` is missing in the package's types. */
const { us_socket_local_port: localPort } = uws as typeof uws & {
  us_socket_local_port(socket: us_listen_socket): number;
};

/** Of the sockets of a bare sender, which drops nothing: large enough to buffer everything for a slow viewer. */
export const BUFFERS_ALL = { maxBackpressure: 256 * 1_048_576, compression: uws.DISABLED } as const;

/** Listens on a free port of the loopback address. `ready` gets the port once connections are accepted. */
export function listenOnFreePort(app: TemplatedApp, ready: (port: number) => void): void {
  app.listen('127.0.0.1', 0, (socket) => {
    if (!socket) throw new Error('no free port on 127.0.0.1');
    ready(localPort(socket));
  });
}

import type { SocketApplication } from './connection.ts';
import type { HttpApplication } from './http.ts';

/** A certificate and its private key: what the PEM files hold, which fit each other, and where they are. */
export interface TlsFiles {
  readonly cert: string;
  readonly key: string;
  readonly certPath: string;
  readonly keyPath: string;
}

export interface ListenerOptions {
  readonly host: string;
  /** 0 picks a free port. */
  readonly port: number;
  /** Absent to speak plain HTTP. */
  readonly tls?: TlsFiles | undefined;
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

/** Listens for HTTP and WebSocket. Rejects if the address is not available. */
export type Listen = (options: ListenerOptions) => Promise<ListeningSocket>;

/** Time for clients to read the remaining data before their sockets are cut. */
export const CLOSING_MS_MAX = 2_000;

/** Of a listener that did not get its address. */
export const cannotListen = (host: string, port: number): Error =>
  new Error(
    `cannot listen on ${host}:${port}: another program uses the address, or you may not. Choose another port with ` +
      'RUNCLOUD_PORT, or stop the other program.',
  );

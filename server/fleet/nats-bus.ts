import { readFile } from 'node:fs/promises';
import type { NatsConnection } from '@nats-io/transport-node';
import type { OnFault } from '../observe/log-ids.ts';
import type { Bus, BusMessage } from './bus.ts';

/** Where the NATS server is, and as whom to connect to it. */
export interface NatsSettings {
  /** One or more addresses of one cluster, without credentials. */
  readonly servers: readonly string[];
  readonly user?: string;
  readonly password?: string;
  /** Path of a file with the credentials of a decentralized NATS account. */
  readonly credsPath?: string;
}

/** Between two attempts to reach the server again. */
const RECONNECT_MS = 250;
const CONNECT_MS_MAX = 10_000;
/** Pings that may be unanswered: a dead server shows after about five seconds. */
const PING_MS = 2_000;
const UNANSWERED_PINGS_MAX = 2;
/** Below the server's limit of a payload, for the frame's own head. */
const PAYLOAD_RESERVE_BYTES = 4_096;

/**
 * Connects to a NATS server (core NATS, https://docs.nats.io/reference/reference-protocols/nats-protocol). Rejects if it cannot be
 * reached at the start; later it is tried again without end. The library is loaded only here: a service alone needs none.
 * @param name shown by the server's monitoring
 */
export async function connectNats(settings: NatsSettings, name: string, onFault: OnFault): Promise<Bus> {
  const { connect, credsAuthenticator } = await import('@nats-io/transport-node');
  const { servers, user, password, credsPath } = settings;
  const connection = await connect({
    servers: [...servers],
    name,
    ...(user !== undefined && { user }),
    ...(password !== undefined && { pass: password }),
    ...(credsPath !== undefined && { authenticator: credsAuthenticator(await readFile(credsPath)) }),
    maxReconnectAttempts: -1,
    reconnectTimeWait: RECONNECT_MS,
    reconnectJitter: RECONNECT_MS,
    timeout: CONNECT_MS_MAX,
    pingInterval: PING_MS,
    maxPingOut: UNANSWERED_PINGS_MAX,
    ignoreAuthErrorAbort: true,
  }).catch((error: Error) => {
    throw new Error(`the NATS server at ${servers.join(', ')} cannot be used: ${error.message}`);
  });
  return new NatsBus(connection, onFault);
}

class NatsBus implements Bus {
  readonly #connection: NatsConnection;
  readonly #onFault: OnFault;
  readonly #listeners: ((connected: boolean) => void)[] = [];
  /** What was published in this turn of the event loop after its first message, in its order; absent before that. */
  #later: Parameters<Bus['publish']>[] | undefined;
  #connected = true;

  constructor(connection: NatsConnection, onFault: OnFault) {
    this.#connection = connection;
    this.#onFault = onFault;
    void this.#watch().catch(onFault);
  }

  get connected(): boolean {
    return this.#connected;
  }

  get payloadBytesMax(): number {
    return (this.#connection.info?.max_payload ?? 2 ** 20) - PAYLOAD_RESERVE_BYTES;
  }

  publish(subject: string, payload: Uint8Array, answerTo?: string): void {
    // A write costs more than a message, and the library makes one for each message that the sockets of a turn bring.
    if (this.#later) return void this.#later.push([subject, payload, answerTo]);
    this.#later = [];
    setImmediate(this.#sendLater);
    this.#send(subject, payload, answerTo);
  }

  readonly #sendLater = (): void => {
    const later = this.#later ?? [];
    this.#later = undefined;
    for (const message of later) this.#send(...message);
  };

  #send(...[subject, payload, answerTo]: Parameters<Bus['publish']>): void {
    // The library would keep it, and send it whenever the connection is back.
    if (!this.#connected || this.#connection.isClosed()) return;
    this.#connection.publish(subject, payload, answerTo === undefined ? undefined : { reply: answerTo });
  }

  subscribe(subject: string, receive: (message: BusMessage) => void): () => void {
    const subscription = this.#connection.subscribe(subject, {
      callback: (error, message) => {
        try {
          if (error) throw error;
          receive({ subject: message.subject, payload: message.data, answerTo: message.reply ?? '' });
        } catch (fault) {
          this.#onFault(fault);
        }
      },
    });
    return () => subscription.unsubscribe();
  }

  onConnected(listener: (connected: boolean) => void): void {
    this.#listeners.push(listener);
  }

  async close(): Promise<void> {
    this.#listeners.length = 0;
    this.#sendLater();
    const wasConnected = this.#connected;
    // What is published from now on, as others are closed, is for nobody.
    this.#connected = false;
    if (this.#connection.isClosed()) return;
    // What was published last is sent; a server that is away is not waited for.
    if (wasConnected) await this.#connection.drain();
    else await this.#connection.close();
  }

  async #watch(): Promise<void> {
    for await (const { type } of this.#connection.status()) {
      if (type === 'disconnect') this.#tell(false);
      else if (type === 'reconnect') this.#tell(true);
    }
    this.#tell(false);
  }

  #tell(connected: boolean): void {
    if (connected === this.#connected) return;
    this.#connected = connected;
    for (const listener of this.#listeners) listener(connected);
  }
}

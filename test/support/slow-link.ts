import { connect, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

export interface LinkOptions {
  /** Megabits a second from the server to the client; unbounded without. */
  readonly mbits?: number;
  /** Milliseconds that each direction takes. */
  readonly oneWayMs?: number;
}

/** Maximum number of bytes in the link, like a router's queue: half a second at 1 Mbit/s, a round trip of a fast link. */
const QUEUE_BYTES_MAX = 65_536;
/** Bytes leave in steps of this length, so that they flow steadily and not in one burst per second. */
const STEP_MS = 5;

/** A TCP proxy in front of a server whose link is thin, long, or both. */
export class SlowLink {
  /** Where clients connect instead. */
  readonly url: string;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  private constructor(server: Server) {
    const address = server.address();
    if (typeof address !== 'object' || !address) throw new Error('the proxy does not listen');
    this.url = `http://127.0.0.1:${address.port}`;
    this.#server = server;
  }

  static open(target: string, { mbits = Number.POSITIVE_INFINITY, oneWayMs = 0 }: LinkOptions): Promise<SlowLink> {
    const { hostname, port } = new URL(target);
    const server = createServer({ noDelay: true });
    return new Promise((resolve) => {
      server.listen(0, '127.0.0.1', () => {
        const link = new SlowLink(server);
        server.on('connection', (client) => {
          const upstream = connect({ host: hostname, port: Number(port), noDelay: true });
          link.#sockets.add(client).add(upstream);
          const end = () => {
            client.destroy();
            upstream.destroy();
          };
          for (const socket of [client, upstream]) socket.on('error', end).on('close', end);
          void carry(client, upstream, Number.POSITIVE_INFINITY, oneWayMs).catch(end);
          void carry(upstream, client, mbits, oneWayMs).catch(end);
        });
        resolve(link);
      });
    });
  }

  close(): void {
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
  }
}

/** Reads no more than the link can hold, so that the sender feels a thin link as it would a real one. */
async function carry(from: Socket, to: Socket, mbits: number, oneWayMs: number): Promise<void> {
  const bytesPerStep = (mbits * 1_000 * STEP_MS) / 8;
  let freeAtMs = 0;
  for await (const chunk of from as AsyncIterable<Buffer>) {
    for (let at = 0; at < chunk.length; at += QUEUE_BYTES_MAX) {
      const part = chunk.subarray(at, at + QUEUE_BYTES_MAX);
      if (Number.isFinite(bytesPerStep)) freeAtMs = await leave(part, to, { bytesPerStep, freeAtMs, oneWayMs });
      else deliver(part, to, oneWayMs);
    }
  }
}

/** Lets the bytes leave at the link's rate; resolves with the time when it is free again. */
async function leave(
  part: Buffer,
  to: Socket,
  { bytesPerStep, freeAtMs, oneWayMs }: { bytesPerStep: number; freeAtMs: number; oneWayMs: number },
): Promise<number> {
  let freeMs = Math.max(freeAtMs, performance.now());
  for (let at = 0; at < part.length; at += bytesPerStep) {
    const piece = part.subarray(at, at + bytesPerStep);
    freeMs += (piece.length / bytesPerStep) * STEP_MS;
    const waitMs = freeMs - performance.now();
    if (waitMs > 1) await sleep(waitMs);
    deliver(piece, to, oneWayMs);
  }
  return freeMs;
}

function deliver(bytes: Buffer, to: Socket, oneWayMs: number): void {
  const write = () => {
    if (to.writable) to.write(bytes);
  };
  if (oneWayMs === 0) write();
  // Timers of one length fire in the order in which they were set, so bytes stay in order.
  else setTimeout(write, oneWayMs);
}

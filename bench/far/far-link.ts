import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** A link between a client and a server, the same in both directions. */
export interface LinkProfile {
  readonly bytesPerSecond: number;
  readonly roundTripMs: number;
  /** Share of the segments that are lost on their way, and sent again. */
  readonly loss: number;
}

/** Payload of a TCP segment on Ethernet with time stamps (RFC 6691, RFC 7323). */
const SEGMENT_BYTES = 1_448;
/** What waits in front of the link at most, as in a router with a short queue; the rest waits with the sender. */
const QUEUE_BYTES = 32_768;

interface Waiting {
  readonly bytes: Buffer;
  readonly atMs: number;
}

/** One direction of a connection over the link: segments leave at its rate, and arrive in order. */
class Direction {
  readonly #from: Socket;
  readonly #to: Socket;
  readonly #profile: LinkProfile;
  readonly #random: () => number;
  readonly #waiting: Waiting[] = [];
  /** When the link has sent all that it was given. */
  #freeAtMs = 0;
  #arrivedMs = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(from: Socket, to: Socket, profile: LinkProfile, random: () => number) {
    this.#from = from;
    this.#to = to;
    this.#profile = profile;
    this.#random = random;
    from.on('data', (chunk: Buffer) => this.#take(chunk));
    from.on('close', () => clearTimeout(this.#timer));
  }

  /** Sends nothing for a while. */
  stall(ms: number): void {
    this.#freeAtMs = Math.max(this.#freeAtMs, performance.now()) + ms;
  }

  #take(chunk: Buffer): void {
    const { bytesPerSecond, roundTripMs } = this.#profile;
    for (let at = 0; at < chunk.length; at += SEGMENT_BYTES) {
      const bytes = chunk.subarray(at, at + SEGMENT_BYTES);
      this.#freeAtMs = Math.max(this.#freeAtMs, performance.now()) + (bytes.length / bytesPerSecond) * 1_000;
      // The sender learns of a loss by what comes behind it, a round trip later; what comes behind waits for it.
      this.#arrivedMs = Math.max(this.#arrivedMs, this.#freeAtMs + roundTripMs / 2 + this.#losses() * roundTripMs);
      this.#waiting.push({ bytes, atMs: this.#arrivedMs });
    }
    if (this.#queuedBytes > QUEUE_BYTES) this.#from.pause();
    this.#deliver();
  }

  get #queuedBytes(): number {
    return (Math.max(0, this.#freeAtMs - performance.now()) / 1_000) * this.#profile.bytesPerSecond;
  }

  #losses(): number {
    let count = 0;
    while (this.#random() < this.#profile.loss) count++;
    return count;
  }

  /** Hands over what has arrived, and comes back for what has not. */
  #deliver(): void {
    clearTimeout(this.#timer);
    const nowMs = performance.now();
    while (this.#waiting[0] && this.#waiting[0].atMs <= nowMs) this.#to.write((this.#waiting.shift() as Waiting).bytes);
    if (this.#from.isPaused() && this.#queuedBytes <= QUEUE_BYTES) this.#from.resume();
    if (this.#to.destroyed) return;
    // A link that stalls may hold up the sender with nothing under way.
    const nextMs = this.#waiting[0]?.atMs ?? (this.#from.isPaused() ? this.#freeAtMs : undefined);
    if (nextMs !== undefined) this.#timer = setTimeout(() => this.#deliver(), Math.max(1, nextMs - nowMs));
  }
}

/**
 * A far, slow and lossy link to a server on this machine, as a proxy: delay, rate and loss are those of TCP over such a link, except that its
 * sender never slows down by itself. A kernel's own emulation (`tc netem`) needs a module and rights that not every machine gives.
 */
export class FarLink {
  readonly port: number;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  readonly #directions = new Set<Direction>();

  private constructor(server: Server) {
    this.#server = server;
    this.port = (server.address() as AddressInfo).port;
  }

  /** @param random numbers from 0 to 1, which decide on losses */
  static async open(targetPort: number, profile: LinkProfile, random: () => number = Math.random): Promise<FarLink> {
    const server = createServer({ noDelay: true }, (near) => link.#join(near, targetPort, profile, random));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const link = new FarLink(server);
    return link;
  }

  /** Nothing is sent in either direction for a while; what is under way arrives. */
  stall(ms: number): void {
    for (const direction of this.#directions) direction.stall(ms);
  }

  close(): void {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
  }

  #join(near: Socket, targetPort: number, profile: LinkProfile, random: () => number): void {
    const far = connect({ port: targetPort, host: '127.0.0.1', noDelay: true });
    const directions = [new Direction(near, far, profile, random), new Direction(far, near, profile, random)];
    for (const direction of directions) this.#directions.add(direction);
    const end = () => {
      for (const socket of [near, far]) {
        socket.destroy();
        this.#sockets.delete(socket);
      }
      for (const direction of directions) this.#directions.delete(direction);
    };
    for (const socket of [near, far]) {
      this.#sockets.add(socket);
      socket.on('error', end).on('close', end);
    }
  }
}

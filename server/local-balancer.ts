import { connect, createServer, type Server, type Socket } from 'node:net';

/** A connection that is not made by then goes to the next one. */
const CONNECT_MS_MAX = 1_000;

/**
 * One address for several edges, to try a fleet on one machine: it passes each connection to the next edge that takes it. Real fleets have a load
 * balancer of their platform in its place.
 */
export class LocalBalancer {
  readonly #targets: readonly number[];
  readonly #server: Server;
  readonly #open = new Set<Socket>();
  #next = 0;

  /**
   * Listens on a port of the loopback; 0 takes a free one.
   * @param targets the edges' ports, on the loopback
   */
  static async listen(port: number, targets: readonly number[]): Promise<LocalBalancer> {
    const balancer = new LocalBalancer(targets);
    await new Promise<void>((resolve, reject) => {
      balancer.#server.once('error', reject);
      balancer.#server.listen(port, '127.0.0.1', resolve);
    });
    return balancer;
  }

  private constructor(targets: readonly number[]) {
    this.#targets = targets;
    // Half-open connections are passed on as such.
    this.#server = createServer({ allowHalfOpen: true, noDelay: true }, (client) => this.#pass(client, targets.length));
  }

  get url(): string {
    const address = this.#server.address();
    return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
  }

  async close(): Promise<void> {
    for (const socket of this.#open) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #pass(client: Socket, triesLeft: number): void {
    client.on('error', () => client.destroy());
    const port = this.#targets[this.#next++ % this.#targets.length] ?? 0;
    const edge = connect({ port, host: '127.0.0.1', allowHalfOpen: true, noDelay: true });
    const giveUp = () => {
      edge.destroy();
      if (triesLeft > 1) this.#pass(client, triesLeft - 1);
      else client.destroy();
    };
    edge.setTimeout(CONNECT_MS_MAX, giveUp);
    edge.once('error', giveUp);
    edge.once('connect', () => {
      edge.setTimeout(0);
      if (client.destroyed) return void edge.destroy();
      edge.off('error', giveUp);
      for (const [socket, other] of [
        [client, edge],
        [edge, client],
      ] as const) {
        this.#open.add(socket);
        socket.on('error', () => other.destroy());
        socket.once('close', () => {
          this.#open.delete(socket);
          other.destroy();
        });
        socket.pipe(other);
      }
    });
  }
}

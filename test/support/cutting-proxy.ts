import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import type { Test } from 'tap';

/** Where connections are cut: after so many bytes of one direction, spread evenly over the orders of magnitude. */
const BYTES = { min: 40, max: 16_000 } as const;
/** How long a client takes to see that its connection is dead. */
const NOTICED_MS = 5;
const DELAYED_MS = 1;

type Way = 'finish' | 'reset' | 'half-open';
const WAYS: readonly Way[] = ['finish', 'reset', 'half-open'];

/** A network that cuts its connections at any byte of either direction, in any way, as often as it is told to. */
export class CuttingProxy {
  readonly url: string;
  /** Cuts by their way. */
  readonly cuts: Record<Way, number> = { finish: 0, reset: 0, 'half-open': 0 };
  readonly #sockets = new Set<Socket>();
  #wanted: number;

  private constructor(url: string, wanted: number) {
    this.url = url;
    this.#wanted = wanted;
  }

  /** @param wanted how many connections are cut; those after them stay */
  static async start(t: Test, target: string, wanted: number): Promise<CuttingProxy> {
    const { port } = new URL(target);
    const server = createServer({ noDelay: true }, (near) => proxy.#join(near, Number(port)));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const proxy = new CuttingProxy(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, wanted);
    t.teardown(() => {
      for (const socket of proxy.#sockets) socket.destroy();
      server.close();
    });
    return proxy;
  }

  get left(): number {
    return this.#wanted;
  }

  #join(near: Socket, port: number): void {
    const far = connect({ port, host: '127.0.0.1', noDelay: true });
    for (const socket of [near, far]) {
      this.#sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => this.#sockets.delete(socket));
    }
    const delayMs = Math.random() < 0.5 ? DELAYED_MS : 0;
    const bytes = Math.round(BYTES.min * (BYTES.max / BYTES.min) ** Math.random());
    const limited = Math.random() < 0.3 ? near : far;
    let passed = 0;
    let isCut = false;
    const pass = (from: Socket, to: Socket) => {
      from.on('data', (chunk: Buffer) => {
        if (isCut) return;
        let part = chunk;
        if (from === limited && this.#wanted > 0) {
          part = chunk.subarray(0, bytes - passed);
          passed += part.length;
        }
        const isLast = from === limited && this.#wanted > 0 && passed >= bytes;
        if (isLast) {
          isCut = true;
          this.#wanted--;
        }
        const forward = () => {
          to.write(part);
          if (isLast) this.#cut(near, far);
        };
        if (delayMs > 0) setTimeout(forward, delayMs);
        else forward();
      });
      // Nobody hears of the end of a half-open connection.
      from.on('close', () => {
        if (!isCut) to.destroy();
      });
    };
    pass(near, far);
    pass(far, near);
  }

  #cut(near: Socket, far: Socket): void {
    const way = WAYS[Math.floor(Math.random() * WAYS.length)] as Way;
    this.cuts[way]++;
    if (way === 'finish') for (const socket of [near, far]) socket.destroySoon();
    else if (way === 'reset') for (const socket of [near, far]) socket.resetAndDestroy();
    // The service still has its socket when the client comes back.
    else setTimeout(() => near.destroy(), NOTICED_MS);
  }
}

import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import type { Test } from 'tap';

/** A network between a client and a service, that can break. */
export class FlakyProxy {
  readonly url: string;
  readonly #pairs = new Set<readonly [Socket, Socket]>();
  /** New connections are refused. */
  blocked = false;
  /** The answers of the service are lost. */
  deaf = false;
  #held = false;
  /** What the service answers comes no faster on each connection. */
  bytesPerSecond = Number.POSITIVE_INFINITY;
  /** Connections that begin with a WebSocket handshake are refused; others pass. */
  withoutSockets = false;

  private constructor(url: string) {
    this.url = url;
  }

  static async start(t: Test, target: string): Promise<FlakyProxy> {
    const { port } = new URL(target);
    const server = createServer((near) => proxy.#join(near, Number(port)));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const proxy = new FlakyProxy(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    t.teardown(() => {
      proxy.cut();
      server.close();
    });
    return proxy;
  }

  get connections(): number {
    return this.#pairs.size;
  }

  /** Holds what either side sends, also on new connections, until it is `false` again: the network is dead for a while. */
  set held(held: boolean) {
    this.#held = held;
    for (const pair of this.#pairs) for (const socket of pair) held ? socket.pause() : socket.resume();
  }

  /** Breaks every connection, without a word. */
  cut(): void {
    for (const pair of this.#pairs) for (const socket of pair) socket.destroy();
    this.#pairs.clear();
  }

  #join(near: Socket, port: number): void {
    near.on('error', () => undefined);
    if (this.blocked) return void near.destroy();
    const far = connect(port, '127.0.0.1');
    far.on('error', () => undefined);
    const pair = [near, far] as const;
    this.#pairs.add(pair);
    const end = (): void => {
      near.destroy();
      far.destroy();
      this.#pairs.delete(pair);
    };
    near.on('close', end);
    far.on('close', end);
    near.on('data', (chunk) => {
      if (this.withoutSockets && /upgrade: websocket/i.test(chunk.toString('latin1'))) end();
      else far.write(chunk);
    });
    far.on('data', (chunk) => {
      if (this.deaf) return;
      near.write(chunk);
      const busyMs = (chunk.length / this.bytesPerSecond) * 1_000;
      if (busyMs < 1) return;
      far.pause();
      setTimeout(() => this.#held || far.resume(), busyMs);
    });
    // The listeners have set it flowing.
    if (this.#held) for (const socket of pair) socket.pause();
  }
}

import { connect, type Socket } from 'node:net';
import type { ChaosRequests } from './chaos-requests.ts';

const AT_ONCE = 16;
/** Requests that take longer are left unfinished, which is a kind of chaos of its own. */
const PATIENCE_MS = 100;

const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

export interface ChaosOptions {
  readonly url: string;
  readonly requests: ChaosRequests;
  readonly random: () => number;
  /** Asked before each connection; `false` ends the run. */
  readonly goesOn: () => boolean;
}

/** Counts of what was done, to check that nothing was left out. */
export interface ChaosFigures {
  connections: number;
  requests: number;
  bytesRead: number;
  readonly endings: Record<'fin' | 'half-close' | 'reset', number>;
  readonly moments: Record<'in the request' | 'behind the request' | 'in the answer' | 'unread', number>;
}

/** Makes `count` connections, a few at a time, and cuts each in one of all ways at a random byte. */
export async function chaos({ url, requests, random, goesOn }: ChaosOptions, count: number): Promise<ChaosFigures> {
  const { hostname, port } = new URL(url);
  const figures: ChaosFigures = {
    connections: 0,
    requests: 0,
    bytesRead: 0,
    endings: { fin: 0, 'half-close': 0, reset: 0 },
    moments: { 'in the request': 0, 'behind the request': 0, 'in the answer': 0, unread: 0 },
  };
  const pick = <T extends string>(counts: Record<T, number>): T => {
    const names = Object.keys(counts) as T[];
    const name = names[Math.floor(random() * names.length)] as T;
    counts[name]++;
    return name;
  };
  const one = async (): Promise<void> => {
    const socket = await opened(Number(port), hostname);
    if (!socket) return;
    const [moment, ending] = [pick(figures.moments), pick(figures.endings)];
    const pipelined = random() < 0.3 ? 1 + Math.floor(random() * 8) : 1;
    const bytes = Buffer.concat(
      Array.from({ length: pipelined }, () => (random() < 0.1 ? requests.largeAnswer() : requests.next())),
    );
    figures.connections++;
    figures.requests += pipelined;
    const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
    if (moment === 'unread') socket.pause();
    else socket.resume();
    if (moment === 'in the request') {
      await written(socket, bytes.subarray(0, Math.floor(random() * bytes.byteLength)));
      await sleep(random() * 5);
    } else {
      await written(socket, bytes);
      if (moment === 'unread') await sleep(random() * 20);
      if (moment === 'in the answer')
        await Promise.race([some(socket, random() * 200_000), sleep(PATIENCE_MS), closed]);
    }
    if (ending === 'reset') socket.resetAndDestroy();
    else socket.end();
    if (ending === 'fin') socket.destroy();
    // Half closed: the server may still say what it has to say, for a while.
    if (ending === 'half-close') await Promise.race([closed, sleep(PATIENCE_MS)]);
    socket.destroy();
    await closed;
    figures.bytesRead += socket.bytesRead;
  };
  let begun = 0;
  const lane = async (): Promise<void> => {
    while (begun++ < count && goesOn()) await one();
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
  return figures;
}

/** `undefined` where there is nobody any more. */
const opened = (port: number, host: string): Promise<Socket | undefined> =>
  new Promise((resolve) => {
    const socket = connect({ port, host, allowHalfOpen: true, noDelay: true });
    socket.once('connect', () => resolve(socket));
    socket.once('error', () => resolve(undefined));
    // A connection that the server ended first is as good as any.
    socket.on('error', () => undefined);
  });

/** Resolves when the kernel has the bytes, or will not take them. */
const written = (socket: Socket, bytes: Buffer): Promise<void> =>
  Promise.race([new Promise<void>((resolve) => socket.write(bytes, () => resolve())), sleep(PATIENCE_MS)]);

/** Resolves when so many bytes of the answer have come. */
const some = (socket: Socket, bytes: number): Promise<void> =>
  new Promise((resolve) => {
    socket.on('data', () => {
      if (socket.bytesRead >= bytes) resolve();
    });
    socket.once('end', () => resolve());
  });

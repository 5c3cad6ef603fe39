import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import t, { type Test } from 'tap';
import { FarLink, type LinkProfile } from '../../../bench/far/far-link.ts';

const LINK: LinkProfile = { bytesPerSecond: 100_000, roundTripMs: 80, loss: 0 };
/** Numbers of no accident: all segments arrive, and every fifth is lost once. */
const NEVER = () => 1;
const everyFifth = () => {
  let count = 0;
  return () => (++count % 5 === 0 ? 0 : 1);
};

/** A server that sends back what it gets, behind a link. */
async function echoBehind(
  t: Test,
  profile: LinkProfile,
  random: () => number,
): Promise<{ link: FarLink; near: Socket }> {
  const server = createServer((socket) => socket.pipe(socket).on('error', () => undefined));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const link = await FarLink.open((server.address() as AddressInfo).port, profile, random);
  const near = connect({ port: link.port, host: '127.0.0.1', noDelay: true });
  await once(near, 'connect');
  t.teardown(() => {
    near.destroy();
    link.close();
    server.close();
  });
  return { link, near };
}

/** Sends bytes and waits for as many; resolves with them and how long it took. */
async function send(near: Socket, bytes: Buffer): Promise<{ back: Buffer; ms: number }> {
  const startMs = performance.now();
  near.write(bytes);
  const chunks: Buffer[] = [];
  let length = 0;
  while (length < bytes.length) {
    const [chunk] = (await once(near, 'data')) as [Buffer];
    chunks.push(chunk);
    length += chunk.length;
  }
  return { back: Buffer.concat(chunks), ms: performance.now() - startMs };
}

t.test(
  'a few bytes take the round trip, many the time that the rate gives them, and all arrive as they were',
  async (t) => {
    const { near } = await echoBehind(t, LINK, NEVER);
    const few = await send(near, Buffer.from('tap'));
    t.equal(few.back.toString(), 'tap');
    t.ok(few.ms >= LINK.roundTripMs, `${few.ms} ms`);
    const many = Buffer.from(Array.from({ length: 30_000 }, (_, at) => at % 251));
    const { back, ms } = await send(near, many);
    t.ok(back.equals(many));
    // The way back begins when the first segments have arrived.
    t.ok(ms >= LINK.roundTripMs + 300 && ms > few.ms + 200, `${ms} ms`);
  },
);

t.test('what is lost comes a round trip later, and what is behind it waits, in order', async (t) => {
  const { near } = await echoBehind(t, { ...LINK, bytesPerSecond: 10_000_000, loss: 0.5 }, everyFifth());
  const bytes = Buffer.from(Array.from({ length: 20_000 }, (_, at) => (at * 7) % 253));
  const { back, ms } = await send(near, bytes);
  t.ok(back.equals(bytes));
  t.ok(ms >= 2 * LINK.roundTripMs, `${ms} ms: with a loss it takes at least another round trip`);
});

t.test('more than the link can queue waits with the sender', async (t) => {
  const { near } = await echoBehind(t, LINK, NEVER);
  near.write(Buffer.alloc(64_000_000));
  await sleep(300);
  t.ok(near.writableLength > 0);
});

t.test('a link that stalls sends nothing, and then goes on', async (t) => {
  const { link, near } = await echoBehind(t, LINK, NEVER);
  await send(near, Buffer.from('once'));
  link.stall(400);
  const { back, ms } = await send(near, Buffer.from('later'));
  t.equal(back.toString(), 'later');
  t.ok(ms >= 400, `${ms} ms`);
});

t.test('a sender that waited while the link stalled goes on', async (t) => {
  const { link, near } = await echoBehind(t, LINK, NEVER);
  const bytes = Buffer.alloc(40_000, 7);
  const sending = send(near, bytes);
  await sleep(250);
  link.stall(600);
  t.ok((await sending).back.equals(bytes));
  t.ok((await send(near, bytes)).back.equals(bytes));
});

t.test('each end that closes closes the other', async (t) => {
  const { link, near } = await echoBehind(t, LINK, NEVER);
  const closed = once(near, 'close');
  link.close();
  await closed;
  t.ok(near.destroyed);
});

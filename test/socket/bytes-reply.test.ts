import t, { type Test } from 'tap';
import type { HttpReply } from '../../server/socket/http.ts';
import { listen } from '../support/listen.ts';
import { requestText, Wire } from '../support/wire.ts';

const MIB = 2 ** 20;

async function serve(
  t: Test,
  next: () => HttpReply | Promise<HttpReply>,
): Promise<{ url: string; asked: () => number }> {
  let asked = 0;
  const begin = () => {
    asked++;
    return next();
  };
  const listener = await listen({
    host: '127.0.0.1',
    port: 0,
    http: { begin },
    sockets: { upgrade: () => next() as HttpReply },
    onFault: (error) => void t.fail(String(error)),
  });
  t.teardown(() => listener.close());
  return { url: `http://127.0.0.1:${listener.port}`, asked: () => asked };
}

const GET = requestText('GET /');
const UPGRADE = requestText('GET /service/ios/ses_x/control');

for (const [what, body] of [
  ['bytes', Buffer.from(Array.from({ length: 4 * MIB }, (_, at) => (at * 31 + (at >> 8)) & 255))],
  ['text', 'ü€ '.repeat(MIB)],
] as const) {
  t.test(`${what} of any size arrive whole at a client that begins to read late`, async (t) => {
    const { url } = await serve(t, () => ({ status: 200, body }));
    const wire = await Wire.open(url);
    t.teardown(() => wire.drop());
    for (let round = 0; round < 2; round++) {
      wire.pause();
      await wire.write(GET);
      await new Promise((resolve) => setTimeout(resolve, 50));
      wire.resume();
      const answer = await wire.answer();
      t.equal(answer?.status, 200);
      t.ok(answer?.body.equals(Buffer.from(body)), 'whole');
    }
  });
}

t.test('answers that nobody reads do not pile up: the connection ends, also of requests for an upgrade', async (t) => {
  const { url, asked } = await serve(t, () => ({ status: 404, body: Buffer.alloc(MIB) }));
  for (const text of [GET, UPGRADE]) {
    const before = asked();
    const wire = await Wire.open(url);
    wire.pause();
    await wire.write(text.repeat(200));
    await new Promise((resolve) => setTimeout(resolve, 100));
    wire.resume();
    await wire.closed;
    t.ok(asked() - before < 100, `${asked() - before} of 200 were served`);
  }
});

t.test('a caller that resets its connection while an answer is made ends nothing but that', async (t) => {
  const { url } = await serve(t, () => {
    // Long enough for the reset to be there before the answer is written.
    const untilMs = performance.now() + 5;
    while (performance.now() < untilMs);
    return { status: 200, body: Buffer.alloc(MIB) };
  });
  for (const text of [GET, UPGRADE]) {
    for (let index = 0; index < 50; index++) {
      const wire = await Wire.open(url);
      await wire.write(text);
      wire.drop(index % 2 === 0 ? 'reset' : 'finish');
      await wire.closed;
    }
  }
  const wire = await Wire.open(url);
  await wire.write(GET);
  t.equal((await wire.answer())?.body.byteLength, MIB);
  wire.drop();
});

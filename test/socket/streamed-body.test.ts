import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import t from 'tap';
import type { HttpReply, TakeBody } from '../../server/socket/http.ts';
import { BodyCutOff, BodyPieces } from '../../server/socket/streamed-body.ts';
import { listen } from '../support/listen.ts';
import { deferred } from '../support/scripted-device.ts';
import { exchange, Wire } from '../support/wire.ts';

const piece = (size: number, value = 0) => Buffer.alloc(size, value);
const MIB = 2 ** 20;

const outcome = (work: Promise<unknown>): Promise<unknown> => work.catch((error) => error);

class Flow {
  readonly story: string[] = [];
  pause(): void {
    this.story.push('pause');
  }
  resume(): void {
    this.story.push('resume');
  }
}

t.test('pieces come out as they went in, also those that come before anybody reads', async (t) => {
  const body = new BodyPieces(new Flow());
  body.push(piece(1, 1), false);
  const read: number[] = [];
  const done = (async () => {
    for await (const [value] of body) read.push(value ?? -1);
  })();
  await new Promise(setImmediate);
  body.push(piece(1, 2), false);
  await new Promise(setImmediate);
  body.push(piece(1, 3), true);
  await done;
  t.same(read, [1, 2, 3]);
  t.equal(body.ended, true);
});

t.test('a reader that falls behind stops the sender once, and lets it on at half the mark', async (t) => {
  const flow = new Flow();
  const body = new BodyPieces(flow);
  for (let index = 0; index < 6; index++) body.push(piece(MIB / 2), false);
  t.same(flow.story, ['pause']);
  const iterator = body[Symbol.asyncIterator]();
  const left: string[] = [];
  for (let index = 0; index < 6; index++) {
    await iterator.next();
    left.push(flow.story.join(' '));
  }
  t.same(left, ['pause', 'pause', 'pause', 'pause resume', 'pause resume', 'pause resume']);
});

t.test(
  'a caller that leaves is told to whoever reads or waits, and what came before it is not passed for a whole',
  async (t) => {
    const read = async (body: BodyPieces) => {
      for await (const _ of body);
    };
    const waiting = new BodyPieces(new Flow());
    const waits = read(waiting);
    await new Promise(setImmediate);
    waiting.cutOff();
    t.ok((await outcome(waits)) instanceof BodyCutOff);
    const full = new BodyPieces(new Flow());
    full.push(piece(10), false);
    full.cutOff();
    t.ok((await outcome(read(full))) instanceof BodyCutOff);
    const ended = new BodyPieces(new Flow());
    ended.push(piece(1), true);
    ended.cutOff();
    await t.resolves(read(ended), 'too late to cut anything off');
  },
);

t.test('a body that nobody reads any more is discarded, and its sender goes on', async (t) => {
  const flow = new Flow();
  const body = new BodyPieces(flow);
  body.push(piece(3 * MIB), false);
  let over = false;
  const discarded = body.discard().then(() => {
    over = true;
  });
  t.same(flow.story, ['pause', 'resume']);
  for (let index = 0; index < 100; index++) body.push(piece(MIB), false);
  t.same(flow.story, ['pause', 'resume']);
  await new Promise(setImmediate);
  t.equal(over, false, 'more may come');
  body.push(piece(1), true);
  await discarded;
  t.equal(body.ended, false);
  const left = new BodyPieces(new Flow());
  const leaving = left.discard();
  left.cutOff();
  await t.resolves(leaving);
});

const refuse = (code: string): HttpReply => ({
  status: code === 'payload_too_large' ? 413 : 411,
  body: code,
  close: true,
});

/** A listener that answers every request as it is told: with a reply before its body is read, or by who takes it. */
async function serve(t: { teardown(task: () => void): void }, admitted: HttpReply | TakeBody, bodyBytesMax = 1_000) {
  const faults: unknown[] = [];
  const listener = await listen({
    host: '127.0.0.1',
    port: 0,
    http: {
      begin: () => ({
        bodyBytesMax,
        admit: () =>
          typeof admitted === 'function' ? (body) => admitted(body).catch(() => ({ status: 500, body: '' })) : admitted,
        refuse,
      }),
    },
    sockets: { upgrade: () => ({ status: 426, body: '' }) },
    onFault: (error) => void faults.push(error),
  });
  t.teardown(() => listener.close());
  /** @param leave settles when the caller goes away; it stays until it is closed without */
  const send = (text: string, leave?: Promise<unknown>) =>
    new Promise<string>((resolve) => {
      let received = '';
      const socket = connect(listener.port, '127.0.0.1', () => socket.write(text));
      socket.on('data', (data) => {
        received += data;
      });
      socket.on('error', () => undefined);
      socket.on('close', () => resolve(received));
      void leave?.then(() => socket.destroy());
    });
  return { send, faults, url: `http://127.0.0.1:${listener.port}` };
}

async function sizeOf(body: AsyncIterable<Uint8Array>): Promise<HttpReply> {
  let size = 0;
  for await (const part of body) size += part.byteLength;
  return { status: 200, body: `got ${size}` };
}

const post = (head: string, body = '') => `POST / HTTP/1.1\r\nHost: a\r\n${head}\r\n\r\n${body}`;

t.test('the bound is kept: told ahead, or met on the way, it is answered', async (t) => {
  const { send, faults, url } = await serve(t, sizeOf);
  const wire = await Wire.open(url);
  await wire.write(post('Content-Length: 1001'));
  const ahead = await wire.answer();
  t.equal(ahead?.status, 413);
  wire.drop();
  t.equal(String((await exchange(url, post('Content-Length: 1000', 'x'.repeat(1_000))))?.body), 'got 1000');
  const chunk = (size: number) => `${size.toString(16)}\r\n${'x'.repeat(size)}\r\n`;
  t.match(await send(post('Transfer-Encoding: chunked', `${chunk(600)}${chunk(400)}0\r\n\r\n`)), /got 1000$/);
  t.match(await send(post('Transfer-Encoding: chunked', `${chunk(600)}${chunk(401)}`)), /^HTTP\/1.1 413 /);
  t.same(faults, []);
});

t.test('a body without a length, or coded in another way, is refused', async (t) => {
  const { send } = await serve(t, sizeOf);
  t.match(await send(post('X-A: b')), /^HTTP\/1.1 411 /);
  t.match(await send(post('Transfer-Encoding: gzip')), /^HTTP\/1.1 411 /);
  t.notMatch(await send(post('Content-Length: 5\r\nTransfer-Encoding: chunked', 'hello'), sleep(300)), /^HTTP\/1.1 2/);
});

t.test('after a chunked body, what follows is no request', async (t) => {
  let calls = 0;
  const { send } = await serve(t, (body) => {
    calls++;
    return sizeOf(body);
  });
  const smuggled = post('Content-Length: 1', 'y');
  const answer = await send(post('Transfer-Encoding: chunked', `1\r\nx\r\n0\r\n\r\n${smuggled}`));
  t.notMatch(answer, /got 1[\s\S]*got 1/);
  t.equal(calls, 1);
});

t.test(
  'an answer before the end reaches a caller that is still sending, and nothing is touched afterwards',
  async (t) => {
    const refusal = { status: 400, body: 'no more' };
    const body = new Uint8Array(16 * MIB);
    const midway: TakeBody = async (pieces) => {
      for await (const _ of pieces) return refusal;
      return { status: 200, body: '' };
    };
    for (const admitted of [refusal, async () => refusal, midway]) {
      const { faults, url } = await serve(t, admitted, 1_000 * MIB);
      // A connection that is reset takes the answer along, though not every time.
      for (let round = 0; round < 10; round++) {
        const response = await fetch(url, { method: 'POST', body });
        t.equal(response.status, 400);
        t.equal(await response.text(), 'no more');
      }
      t.same(faults, []);
    }
  },
);

t.test(
  'a refusal ahead does not wait for the body, which is let go; a caller that falls silent is closed',
  async (t) => {
    const { faults, url } = await serve(t, { status: 429, body: 'later' });
    const [silent, sends] = [await Wire.open(url), await Wire.open(url)];
    for (const wire of [silent, sends]) {
      await wire.write(post('Content-Length: 900', 'half'));
      t.equal(String((await wire.answer())?.body), 'later');
    }
    await sends.write('x'.repeat(896));
    await sends.write(post('Content-Length: 4', 'next'));
    t.equal((await sends.answer())?.status, 429, 'what follows the body is a request');
    // Both ten seconds after the last that was heard of them.
    await Promise.all([silent.closed, sends.closed]);
    t.same(faults, []);
  },
);

t.test(
  'a chunked body that nobody wants is let go to its end, then answered, and the connection is closed',
  async (t) => {
    const { send, faults } = await serve(t, async () => ({ status: 400, body: 'no more' }));
    const chunk = `4\r\nhalf\r\n`;
    t.equal(await send(post('Transfer-Encoding: chunked', chunk), sleep(200)), '', 'not before its end');
    const whole = post('Transfer-Encoding: chunked', `${chunk}${chunk}0\r\n\r\n`);
    t.match(await send(whole), /^HTTP\/1.1 400 [\s\S]*no more$/);
    t.same(faults, []);
  },
);

t.test('a caller that leaves ends the reading, and nobody answers it', async (t) => {
  const ended: unknown[] = [];
  const asked = deferred<void>();
  const { send, faults } = await serve(t, async (body) => {
    asked.resolve();
    try {
      return await sizeOf(body);
    } catch (error) {
      ended.push(error);
      return { status: 400, body: '' };
    }
  });
  await send(post('Content-Length: 900', 'half'), asked.promise);
  while (ended.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  t.ok(ended[0] instanceof BodyCutOff);
  t.same(faults, []);
});

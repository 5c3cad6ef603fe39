import { execFile } from 'node:child_process';
import { type FileHandle, open, truncate, writeFile } from 'node:fs/promises';
import { get, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import t from 'tap';
import type { FileBody, HttpReply } from '../../server/socket/http.ts';
import { answerOf, serveReplies } from '../support/serve-replies.ts';
import { until } from '../support/until.ts';

const GIB = 2 ** 30;

interface Watched extends FileBody {
  readonly state: { closed: number; reads: number; bytes: number };
}

function watch(byteLength: number, read: FileBody['read']): Watched {
  const state = { closed: 0, reads: 0, bytes: 0 };
  return {
    state,
    byteLength,
    read: async (into, offset) => {
      state.reads++;
      const count = await read(into, offset);
      state.bytes += count;
      return count;
    },
    close: () => void state.closed++,
  };
}

const fileBody = (handle: FileHandle, byteLength: number): Watched =>
  watch(byteLength, async (into, offset) => (await handle.read(into, 0, into.byteLength, offset)).bytesRead);

const reply = (file: FileBody): HttpReply => ({
  status: 200,
  headers: { 'Content-Type': 'video/mp4' },
  body: '',
  file,
});

/** Bytes that tell where they are from. */
const patterned = (length: number): Buffer =>
  Buffer.from(Array.from({ length }, (_, at) => (at * 31 + (at >> 8)) & 255));

t.test('files of every size around the size of a piece arrive whole, also on a kept connection', async (t) => {
  const sizes = [0, 1, 16_383, 16_384, 65_535, 65_536, 65_537, 131_072, 1_000_003];
  const bodies: Watched[] = [];
  const contents = sizes.map(patterned);
  const url = await serveReplies(t, () => {
    const content = contents[bodies.length] ?? Buffer.alloc(0);
    const body = watch(content.length, async (into, offset) => content.copy(into, 0, offset));
    bodies.push(body);
    return reply(body);
  });
  for (const content of contents) {
    const response = await fetch(url);
    t.equal(response.headers.get('content-length'), String(content.length));
    const got = Buffer.from(await response.arrayBuffer());
    t.equal(Buffer.compare(got, content), 0, `${content.length} bytes`);
  }
  t.ok(
    bodies.every(({ state }) => state.closed === 1),
    'each file is given back once',
  );
});

t.test('a file that hands over less than was asked for arrives whole', async (t) => {
  const content = patterned(300_000);
  let body: Watched | undefined;
  const url = await serveReplies(t, () => {
    body = watch(content.length, async (into, offset) => content.copy(into, 0, offset, offset + 1 + (offset % 7_919)));
    return reply(body);
  });
  const got = Buffer.from(await (await fetch(url)).arrayBuffer());
  t.equal(Buffer.compare(got, content), 0);
  t.equal(body?.state.closed, 1);
});

t.test('HEAD tells the length and reads nothing', async (t) => {
  const body = watch(5 * GIB, () => Promise.reject(new Error('it is not to be read')));
  const url = await serveReplies(t, () => reply(body));
  const response = await answerOf(url, 'HEAD');
  response.resume();
  t.equal(response.headers['content-length'], String(5 * GIB));
  t.strictSame(body.state, { closed: 1, reads: 0, bytes: 0 });
});

t.test('a gigabyte arrives with flat memory, and small answers are not held up by it', async (t) => {
  const path = join(t.testdir(), 'sparse');
  await writeFile(path, 'begin');
  await truncate(path, GIB);
  const handle = await open(path);
  t.teardown(() => handle.close());
  const body = fileBody(handle, GIB);
  const small: HttpReply = { status: 200, body: 'small' };
  let first = true;
  const url = await serveReplies(t, () => {
    if (!first) return small;
    first = false;
    return reply(body);
  });
  // A client in a process of its own, so that only the server's memory is measured here.
  const code = `require('http').get('${url}', (response) => {
    let count = 0;
    response.on('data', (chunk) => { count += chunk.length; }).on('end', () => console.log(count));
  })`;
  let ended = false;
  const client = promisify(execFile)(process.execPath, ['-e', code]).finally(() => {
    ended = true;
  });
  await until(() => body.state.reads > 16, 'the download to be on its way');
  const before = process.memoryUsage().rss;
  let peak = before;
  let served = 0;
  while (!ended) {
    t.equal(await (await fetch(url)).text(), 'small');
    served++;
    peak = Math.max(peak, process.memoryUsage.rss());
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  t.equal((await client).stdout.trim(), String(GIB));
  t.strictSame([body.state.closed, body.state.bytes], [1, GIB]);
  t.ok(served > 5, `${served} small answers meanwhile`);
  // The garbage of this file's own small calls is part of it.
  t.ok(peak - before < GIB / 8, `${Math.round((peak - before) / 2 ** 20)} MiB more`);
});

t.test('a client that does not read makes the server read no further, and gets everything when it does', async (t) => {
  const length = 64 * 2 ** 20;
  const body = watch(length, async (into, offset) => {
    into.fill((offset / 65_536) & 255);
    return into.byteLength;
  });
  const url = await serveReplies(t, () => reply(body));
  const response = await new Promise<IncomingMessage>((resolve) => get(url, resolve));
  response.pause();
  let reads = -1;
  await until(() => {
    const still = reads === body.state.reads && reads > 0;
    reads = body.state.reads;
    return still;
  }, 'the reading to stop');
  t.ok(body.state.bytes < length / 2, `${body.state.bytes} bytes were read for nobody`);
  let received = 0;
  let wrong = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    for (let at = 0; at < chunk.length; at += 1_024) {
      if (chunk[at] !== (Math.floor((received + at) / 65_536) & 255)) wrong++;
    }
    received += chunk.length;
  }
  t.strictSame([received, wrong], [length, 0], 'not a byte is lost or doubled');
  t.equal(body.state.closed, 1);
});

t.test('a client that goes away ends the reading and gives the file back', async (t) => {
  const bodies: Watched[] = [];
  const url = await serveReplies(t, () => {
    const body = watch(GIB, async (into) => into.byteLength);
    bodies.push(body);
    return reply(body);
  });
  for (let tries = 0; tries < 20; tries++) {
    const response = await answerOf(url);
    if (tries % 2 === 0) await new Promise((resolve) => response.once('data', resolve));
    response.on('error', () => undefined);
    response.destroy();
  }
  await until(() => bodies.every(({ state }) => state.closed === 1), 'all files to be given back');
  const reads = bodies.map(({ state }) => state.reads);
  await new Promise((resolve) => setTimeout(resolve, 50));
  t.strictSame(
    bodies.map(({ state }) => state.reads),
    reads,
    'nothing is read any more',
  );
  t.equal(bodies.length, 20);
});

t.test('one that is gone before the answer is ready gives the file back unread', async (t) => {
  const body = watch(GIB, async (into) => into.byteLength);
  let answer: (() => void) | undefined;
  const url = await serveReplies(t, () => {
    if (answer) return { status: 200, body: 'next' };
    return new Promise((resolve) => {
      answer = () => resolve(reply(body));
    });
  });
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  await until(() => answer !== undefined, 'the request');
  socket.destroy();
  await new Promise((resolve) => socket.once('close', resolve));
  // A caller that comes after the end of the other one is answered after it.
  t.equal(await (await fetch(url)).text(), 'next');
  await new Promise((resolve) => setTimeout(resolve, 50));
  answer?.();
  await until(() => body.state.closed === 1, 'the file to be given back');
  t.equal(body.state.reads, 0);
});

for (const [name, read] of [
  ['ends early', async (into: Uint8Array, offset: number) => (offset < 200_000 ? into.byteLength : 0)],
  [
    'cannot be read on',
    async (into: Uint8Array, offset: number) => {
      if (offset < 200_000) return into.byteLength;
      throw new Error('EIO');
    },
  ],
] as const) {
  t.test(`a file that ${name} ends the connection: nobody takes it for whole`, async (t) => {
    const body = watch(1_000_000, read);
    const url = await serveReplies(t, () => reply(body));
    const response = await fetch(url);
    await t.rejects(response.arrayBuffer());
    await until(() => body.state.closed === 1, 'the file to be given back');
    t.equal(body.state.closed, 1);
  });
}

t.test('304 tells no length, gives its file back unread, and the connection goes on', async (t) => {
  // Chance ends the connection of one such answer in many, which then has a length: not this one's.
  t.intercept(Math, 'random', { value: () => 0.5 });
  const body = watch(GIB, () => Promise.reject(new Error('it is not to be read')));
  let answers = 0;
  const url = await serveReplies(t, () =>
    answers++ === 0 ? { ...reply(body), status: 304 } : { status: 200, body: 'next' },
  );
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  t.teardown(() => socket.destroy());
  let text = '';
  socket.setEncoding('latin1').on('data', (piece: string) => {
    text += piece;
  });
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  await until(() => text.includes('\r\n\r\n'), 'the first answer');
  t.match(text, /^HTTP\/1\.1 304 Not Modified\r\n/);
  t.notMatch(text, /content-length|transfer-encoding/i);
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  await until(() => text.endsWith('next'), 'the second answer');
  t.strictSame(body.state, { closed: 1, reads: 0, bytes: 0 });
});

import { get, type IncomingMessage } from 'node:http';
import t from 'tap';
import type { HttpReply, StreamBody } from '../../server/socket/http.ts';
import { answerOf, serveReplies } from '../support/serve-replies.ts';
import { until } from '../support/until.ts';

const PIECE = new Uint8Array(65_536).fill(97);

interface Watched extends StreamBody {
  readonly state: { asked: number; closed: number };
}

/** So many pieces; the last of them fails if `fails`. */
function pieces(count: number, fails = false): Watched {
  const state = { asked: 0, closed: 0 };
  return {
    state,
    next: async () => {
      state.asked++;
      if (fails && state.asked === count) throw new Error('it cannot be read');
      return state.asked > count ? undefined : PIECE;
    },
    close: () => void state.closed++,
  };
}

const reply = (stream: StreamBody): HttpReply => ({
  status: 200,
  headers: { 'Content-Type': 'text/plain' },
  body: '',
  stream,
});

t.test('a body of unknown length comes whole, in chunks, and the connection takes the next request', async (t) => {
  for (const count of [0, 1, 100]) {
    const stream = pieces(count);
    const url = await serveReplies(t, () => reply(stream));
    const response = await fetch(url);
    if (count > 0) t.equal(response.headers.get('transfer-encoding'), 'chunked');
    t.equal((await response.arrayBuffer()).byteLength, count * PIECE.byteLength, `${count} pieces`);
    await until(() => stream.state.closed === 1, 'the end');
  }
  const streams = [pieces(2), pieces(3)];
  const url = await serveReplies(t, async () => reply(streams.shift() as StreamBody));
  for (const count of [2, 3]) t.equal((await (await fetch(url)).arrayBuffer()).byteLength, count * PIECE.byteLength);
});

t.test('the next piece is asked for only when the client has taken the one before', async (t) => {
  const stream = pieces(10_000);
  const url = await serveReplies(t, () => reply(stream));
  const response = await new Promise<IncomingMessage>((resolve) => get(url, resolve));
  response.pause();
  let before = -1;
  // It stands still once the buffers of the system are full, far from the end.
  while (stream.state.asked !== before) {
    before = stream.state.asked;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  t.ok(before < 1_000, `${before} pieces of 10,000`);
  let bytes = 0;
  for await (const piece of response) bytes += piece.length;
  t.equal(bytes, 10_000 * PIECE.byteLength);
  await until(() => stream.state.closed === 1, 'the end');
});

t.test('a client that goes away lets go of the body', async (t) => {
  const stream = pieces(1_000_000);
  const url = await serveReplies(t, () => reply(stream));
  const response = await answerOf(url);
  response.destroy();
  await until(() => stream.state.closed === 1, 'the end');
  const { asked } = stream.state;
  await new Promise((resolve) => setTimeout(resolve, 100));
  t.ok(stream.state.asked - asked <= 1, 'nothing more is asked for');
  t.equal(stream.state.closed, 1);
});

t.test('a body that cannot be had to its end is cut off', async (t) => {
  const stream = pieces(5, true);
  const url = await serveReplies(t, () => reply(stream));
  await t.rejects(fetch(url).then((response) => response.arrayBuffer()));
  await until(() => stream.state.closed === 1, 'the end');
});

t.test('HEAD has the head alone', async (t) => {
  const stream = pieces(5);
  const url = await serveReplies(t, () => reply(stream));
  const response = await answerOf(url, 'HEAD');
  t.match([response.statusCode, response.headers['content-type']], [200, 'text/plain']);
  response.resume();
  await until(() => stream.state.closed === 1, 'the end');
  t.equal(stream.state.asked, 0);
});

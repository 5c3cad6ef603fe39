import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import t, { type Test } from 'tap';
import type { HttpReply } from '../../server/socket/http.ts';
import { listen, SOCKETS } from '../support/listen.ts';
import { requestText, Wire } from '../support/wire.ts';

async function serve(t: Test, reply: HttpReply) {
  let asked = 0;
  const listener = await listen({
    host: '127.0.0.1',
    port: 0,
    http: {
      begin: () => {
        asked++;
        return reply;
      },
    },
    sockets: { upgrade: () => reply },
    onFault: (error) => void t.fail(String(error)),
  });
  t.teardown(() => listener.close());
  return { port: listener.port, url: `http://127.0.0.1:${listener.port}`, asked: () => asked };
}

/** Long enough that a few thousand answers fill what the system keeps for a socket. */
const HEADERS = { 'X-Padding': 'x'.repeat(4_000) };
const ROUNDS = 400;
const AT_ONCE = 100;

for (const [what, text, reply] of [
  ['HEAD', requestText('HEAD /'), { status: 200, headers: HEADERS, body: 'a body' }],
  ['a copy that is still good', requestText('GET /'), { status: 304, headers: HEADERS, body: '', bodyBytes: 7 }],
] as const) {
  t.test(`answers to ${what} that nobody reads do not pile up: the connection ends`, async (t) => {
    const { port, asked } = await serve(t, reply);
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => undefined);
    t.teardown(() => socket.destroy());
    socket.pause();
    for (let round = 0; round < ROUNDS && !socket.destroyed; round++) {
      socket.write(text.repeat(AT_ONCE));
      await sleep(1);
    }
    await sleep(100);
    t.ok(asked() < (ROUNDS * AT_ONCE) / 4, `${asked()} of ${ROUNDS * AT_ONCE} were answered`);
  });

  t.test(`a client that reads gets each answer to ${what}, and is told if the connection ends`, async (t) => {
    const { url } = await serve(t, reply);
    let wire = await Wire.open(url);
    let ends = 0;
    for (let count = 0; count < 400; count++) {
      await wire.write(text);
      const answer = await wire.answer({ bodiless: true });
      t.equal(answer?.status, reply.status);
      if (answer?.headers.get('connection') !== 'close') continue;
      ends++;
      await wire.closed;
      wire = await Wire.open(url);
    }
    // Only uWebSockets.js has to end some, since it buffers such answers without a bound.
    t.equal(ends > 0, SOCKETS === 'uws', `${ends} connections ended`);
    wire.drop();
  });
}

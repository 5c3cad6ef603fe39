import { setTimeout as sleep } from 'node:timers/promises';
import t, { type Test } from 'tap';
import { RunCloud, type RunCloudError } from '../../../client/sdk/index.ts';
import { FlakyProxy } from '../../support/flaky-proxy.ts';
import { startServer, TEST_KEY } from '../../support/server.ts';

const server = await startServer();
t.teardown(() => server.close());

/** A session with a text field in front, reached through a network that can break. */
async function throughProxy(t: Test) {
  const proxy = await FlakyProxy.start(t, server.url);
  const cloud = new RunCloud({ apiKey: TEST_KEY, baseUrl: proxy.url });
  const session = await cloud.sessions.create({ platform: 'ios' });
  t.teardown(() => session.disconnect());
  t.teardown(() => server.rest.releaseSession(session.id));
  await session.tap(0.39, 0.92);
  const typed = async (): Promise<unknown> => {
    const { text, lines } = (await server.inspect('ios', session.id)).app;
    return text ?? (lines as readonly string[] | undefined)?.join('\n');
  };
  return { proxy, session, typed };
}

/** On a machine that lacks time nothing would ever come through a network that breaks for ever. */
const BREAKS_MAX = 60;
const LETTERS = 'the quick brown fox jumps over the lazy dog while the network breaks again and again';

t.test('with a network that breaks all the time, every input happens once, in its order', async (t) => {
  const { proxy, session, typed } = await throughProxy(t);
  const control = await session.connect();
  let lost = 0;
  control.on('disconnected', () => lost++);
  let typing = true;
  const breaking = (async () => {
    for (let round = 0; typing && round < BREAKS_MAX; round++) {
      await sleep(30 + Math.random() * 150);
      // Half the time the service hears what is sent, and its answer is lost.
      proxy.deaf = round % 2 === 0;
      await sleep(20);
      proxy.cut();
      proxy.deaf = false;
    }
  })();
  const answers: string[] = [];
  // In small lots: some letters wait together when the connection breaks.
  for (let start = 0; start < LETTERS.length; start += 6) {
    const lot = [...LETTERS.slice(start, start + 6)];
    const typed = lot.map(async (letter) => (await session.typeText(letter, { timeoutMs: 60_000 })).status);
    answers.push(...(await Promise.all(typed)));
    // A machine may be quicker than its network is broken.
    while (lost < Math.min(2, start / 20)) await sleep(10);
  }
  typing = false;
  await breaking;
  t.ok(lost >= 2, `the connection was lost ${lost} times`);
  t.equal(answers.filter((status) => status === 'completed').length, LETTERS.length, 'each was acknowledged');
  t.equal(await typed(), LETTERS, 'and nothing happened twice, or in another order');
});

t.test('where no socket gets through any more, calls go over REST in their order', async (t) => {
  const { proxy, session, typed } = await throughProxy(t);
  await session.connect();
  proxy.withoutSockets = true;
  proxy.cut();
  await Promise.all([...'over rest'].map((letter) => session.typeText(letter)));
  t.equal(await typed(), 'over rest');
  t.equal(session.control?.connected, false);
  proxy.withoutSockets = false;
  await new Promise<void>((resolve) => session.control?.on('ready', () => resolve()));
  await session.typeText('!');
  t.equal(await typed(), 'over rest!');
});

t.test('a service that is away is told of for each call, in time', async (t) => {
  const { proxy, session, typed } = await throughProxy(t);
  await session.connect();
  proxy.blocked = true;
  proxy.cut();
  const calls = [1, 2, 3].map(() => session.typeText('x', { timeoutMs: 300 }).catch((error: RunCloudError) => error));
  for (const error of await Promise.all(calls)) {
    t.match(error, { code: 'interaction_timeout', interactionStatus: 'timed_out', retryable: true });
  }
  // A try that was on its way when it was given up is refused as well: its connection may not be accepted yet.
  await sleep(100);
  proxy.blocked = false;
  await new Promise<void>((resolve) => session.control?.on('ready', () => resolve()));
  // Time enough for a try over REST, were there one left.
  await sleep(1_500);
  await session.typeText('y');
  t.equal(await typed(), 'y', 'what was given up does not happen later');
});

t.test('a live gesture ends with its socket, and says so', async (t) => {
  const { proxy, session } = await throughProxy(t);
  const finger = await session.pointer({ x: 0.5, y: 0.5 });
  finger.move({ x: 0.6, y: 0.5 });
  await session.control?.ping();
  proxy.cut();
  const error: unknown = await finger.result.catch((caught: unknown) => caught);
  t.match(error, { code: 'interaction_transport_error', retryable: true });
  t.match(await session.tap(0.5, 0.5), { status: 'completed' }, 'the next call works');
  t.same((await server.inspect('ios', session.id)).pointers, []);
});

t.test('a screen stream goes on over the next connection', async (t) => {
  const { proxy, session } = await throughProxy(t);
  const control = await session.connect();
  let typing = true;
  const busy = (async () => {
    while (typing) await session.typeText('z');
  })();
  const streams = new Set<number>();
  let packets = 0;
  for await (const { streamId, seq, key } of control.screen({ encodings: ['jpeg'], maxLongEdge: 320 })) {
    if (seq === 1) t.ok(key);
    streams.add(streamId);
    if (++packets % 3 === 0) proxy.cut();
    if (packets === 7) break;
  }
  typing = false;
  await busy;
  t.ok(packets === 7 && control.connected);
});

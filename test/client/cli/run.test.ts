import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import t, { type Test } from 'tap';
import { failureOf } from '../../support/command-line.ts';
import { FlakyProxy } from '../../support/flaky-proxy.ts';
import { startServer } from '../../support/server.ts';
import { sharedCommands } from '../../support/shared-commands.ts';
import { until } from '../../support/until.ts';

/** `run -`, and what else holds a socket. */

const server = await startServer();
t.teardown(() => server.close());
const commands = (t: Test) => sharedCommands(t, server.url);

t.test('run answers each line with one acknowledgement, over one socket', async (t) => {
  const { json, run, env } = commands(t);
  const { id } = await json('session', 'create', 'ios');
  await json('tap', '0.39', '0.92');
  const letters = 'many requests one line each';
  const lines = [...letters].map((text, index) =>
    JSON.stringify({ action: 'typeText', text, requestId: `line-${index}` }),
  );
  const all = await run(['run', '-'], { stdin: `${lines.join('\n')}\n\n` });
  const acknowledgements = all.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  t.equal(all.code, 0);
  t.same(
    acknowledgements.map(({ requestId }) => requestId),
    lines.map((_, index) => `line-${index}`),
    'in their order',
  );
  t.equal(
    acknowledgements.every(({ status }) => status === 'completed'),
    true,
  );
  t.match((await server.inspect('ios', id)).app, { text: letters });
  const mixed = await run(['run', '-'], {
    stdin:
      '{"action":"tap","x":0.5,"y":0.5,"requestId":"good"}\n\nno JSON\n[]\nnull\n{"action":"tap","x":5,"y":0,"requestId":"bad"}\n{"action":"rotateDigitalCrown","delta":1}\n',
  });
  t.equal(mixed.code, 1, 'some failed');
  t.equal(mixed.stderr, '', 'each was told in its place');
  const answers = mixed.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  t.same(
    answers.map(({ line, requestId = '', error }) => [line, requestId.slice(0, 4), error?.code]),
    [
      [1, 'good', undefined],
      [3, '', 'invalid_request'],
      [4, '', 'invalid_request'],
      [5, '', 'invalid_request'],
      [6, 'bad', 'invalid_request'],
      [7, 'req_', 'unsupported_action'],
    ],
    'in the order of the lines, with their numbers',
  );
  const seen = await run(['run', '-'], {
    stdin: '{"action":"tap","x":0.5,"y":0.5}\nno JSON\n',
    isTerminal: true,
    env: { ...env, NO_COLOR: '1' },
  });
  t.match(seen.stdout, /^ {3}1 {2}✓ tap completed in \d+ ms\n {3}2 {2}✗ The line is not JSON\.\n$/);
  t.match(failureOf(await run(['run', 'requests.ndjson'])), { error: { message: /standard input/ } });
  await json('session', 'delete');
});

t.test('run tells beside its answers that the connection was lost, and goes on', async (t) => {
  const { json, run, env } = commands(t);
  const { id } = await json('session', 'create', 'android');
  const proxy = await FlakyProxy.start(t, server.url);
  const lines = async function* () {
    yield '{"action":"tap","x":0.5,"y":0.5}\n';
    await until(async () => proxy.connections > 0, 'a connection');
    await sleep(100);
    proxy.cut();
    yield '{"action":"tap","x":0.5,"y":0.5}\n';
  };
  const through = { ...env, RUNCLOUD_BASE_URL: proxy.url };
  const told = await run(['run', '-', '-s', id], { env: through, stdin: Readable.from(lines()) });
  t.equal(told.code, 0, told.stdout);
  t.equal(told.stdout.match(/"status":"completed"/g)?.length, 2);
  t.match(told.stderr, /^{"event":"disconnected"}\n{"event":"connected","resumed":true,"awayMs":\d+}\n$/);
  const seen = await run(['run', '-', '-s', id], { env: through, stdin: Readable.from(lines()), isTerminal: true });
  t.match(seen.stderr, /The connection was lost\..*\n.*Connected again after \d+ ms, where it was lost\./);
  await json('session', 'delete', id);
});

t.test('a key that lives for a year holds the socket of watch and run', async (t) => {
  const { json, run } = commands(t);
  const { key } = await json('keys', 'create', 'year', '--ttl', '8760h');
  const session = await json('session', 'create', 'ios');
  const env = { RUNCLOUD_API_KEY: key, RUNCLOUD_BASE_URL: server.url };
  const lines = `${'{"action":"tap","x":0.5,"y":0.5}\n'.repeat(3)}`;
  // Slowly, so that the socket is needed for longer than it takes to open it.
  const stdin = Readable.from(
    (async function* () {
      for (const line of lines.split(/(?<=\n)/)) {
        await sleep(60);
        yield line;
      }
    })(),
  );
  const ran = await run(['run', '-', '-s', session.id], { env, stdin });
  t.equal(ran.code, 0, ran.stderr);
  t.equal(ran.stdout.match(/"status":"completed"/g)?.length, 3);
  const interrupt = new AbortController();
  const watching = run(['watch', '-s', session.id], { env, interrupt: interrupt.signal });
  const first = await Promise.race([watching, sleep(400)]);
  t.equal(first, undefined, 'it goes on watching');
  interrupt.abort();
  t.equal((await watching).code, 130);
  await json('session', 'delete', session.id);
});

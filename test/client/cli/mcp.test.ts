import { PassThrough } from 'node:stream';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import t, { type Test } from 'tap';
import { lightFetch } from '../../../client/cli/light-fetch.ts';
import { McpBridge } from '../../../client/cli/mcp-bridge.ts';
import { Agent, wordsOf } from '../../support/agent-client.ts';
import { startScriptedHttp } from '../../support/scripted-http.ts';
import { startServer, TEST_KEY } from '../../support/server.ts';

const server = await startServer();
t.teardown(() => server.close());

/** The official client, which starts the command as programs do. */
async function agentBy(t: Test, key: string, mode: 'auto' | 'legacy'): Promise<Agent> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: ['client/bin/runcloud.js', 'mcp'],
    env: { ...(process.env as Record<string, string>), RUNCLOUD_API_KEY: key, RUNCLOUD_BASE_URL: server.url },
    stderr: 'inherit',
  });
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
  await client.connect(transport);
  t.teardown(() => client.close());
  return new Agent(client);
}

for (const mode of ['auto', 'legacy'] as const) {
  t.test(`the command serves the tools of the service to ${mode} clients`, async (t) => {
    const agent = await agentBy(t, TEST_KEY, mode);
    const { tools } = await agent.client.listTools();
    t.match(tools[0], { name: 'start', annotations: { readOnlyHint: false } });
    for (const platform of ['ios', 'android']) {
      const [session] = /ses_[\w-]+/.exec(await agent.says('start', { platform })) ?? [];
      const steps = [
        { do: 'tap', text: 'Notes' },
        { do: 'type', role: 'textfield', value: 'Milk' },
        { do: 'key', value: 'enter' },
        { do: 'type', value: '你好' },
      ];
      t.match(await agent.says('act', { session, steps }), '= "Milk\\n你好"');
      t.match((await agent.call('look', { session, want: 'picture' })).content, [{ type: 'image' }]);
      // Answers come as they are ready, each to its own call.
      const looks = await Promise.all([1, 2, 3].map(() => agent.says('look', { session })));
      for (const words of looks) t.match(words, '· Notes ·');
      t.match(wordsOf(await agent.call('act', { session, steps: [{ do: 'tap' }] })), /^invalid_request: /);
      await agent.says('end', { session });
    }
  });
}

t.test('a key that the service does not accept is told as such', async (t) => {
  await t.rejects(agentBy(t, 'wrong', 'legacy'), /authentication_required: /);
});

/** The bridge, fed line by line. */
function bridged(t: Test, url: string) {
  const input = new PassThrough();
  const written: Record<string, unknown>[] = [];
  const interrupt = new AbortController();
  const bridge = new McpBridge({
    input,
    write: (message) => void written.push({ ...message }),
    url: `${url}/mcp`,
    authorization: async () => `Bearer ${TEST_KEY}`,
    fetch: lightFetch,
    signal: interrupt.signal,
  });
  const over = bridge.run();
  t.teardown(() => interrupt.abort());
  const say = (line: unknown) => input.write(`${typeof line === 'string' ? line : JSON.stringify(line)}\n`);
  return { input, say, written, over, interrupt };
}

t.test('a line that is no message is answered, and the next one is taken', async (t) => {
  const { input, say, written, over } = bridged(t, server.url);
  say('{');
  say('[]');
  say('');
  say({ jsonrpc: '2.0', method: 'notifications/initialized' });
  say({ jsonrpc: '2.0', id: 'a', method: 'ping' });
  input.end();
  await over;
  t.match(
    written.filter(({ id }) => id === null),
    [{ error: { code: -32_700 } }, { error: { code: -32_700 } }],
  );
  t.match(written.at(-1), { jsonrpc: '2.0', id: 'a', result: {} });
  t.equal(written.length, 3, 'a notification has no answer');
});

t.test('a service that is not there, or is another one, is told by its address', async (t) => {
  const other = await startScriptedHttp(t, (_request, response) => void response.end('<html>'));
  for (const [url, words] of [
    ['http://127.0.0.1:9', 'cannot be reached'],
    [other.url, 'not of this protocol'],
  ] as const) {
    const { input, say, written, over } = bridged(t, url);
    say({ jsonrpc: '2.0', id: 1, method: 'ping' });
    input.end();
    await over;
    t.match(written, [{ id: 1, error: { code: -32_000, data: { code: 'transport_error' } } }]);
    t.match(JSON.stringify(written), words);
    t.match(JSON.stringify(written), `The service at ${url}/mcp`);
  }
});

t.test('a cancelled call is given up without an answer, and an interrupt ends all', async (t) => {
  let asked = () => undefined as unknown;
  const silent = await startScriptedHttp(t, () => void asked());
  const { input, say, written, over, interrupt } = bridged(t, silent.url);
  const arrives = () =>
    new Promise<void>((resolve) => {
      asked = () => resolve();
    });
  const first = arrives();
  say({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'look' } });
  await first;
  const second = arrives();
  say({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } });
  await second;
  interrupt.abort();
  input.end();
  await over;
  t.same(
    written.filter(({ id }) => id === 1),
    [],
  );
});

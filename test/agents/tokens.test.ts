import { Tiktoken } from 'js-tiktoken/lite';
import ranks from 'js-tiktoken/ranks/o200k_base';
import t from 'tap';
import { TOOLS } from '../../server/agents/tools.ts';
import { agentOver } from '../support/agent-client.ts';
import { startServer, TEST_KEY } from '../support/server.ts';

/** What a language model reads is counted as its tokenizer counts it. */
const tokenizer = new Tiktoken(ranks);
const tokensOf = (value: unknown): number =>
  tokenizer.encode(typeof value === 'string' ? value : JSON.stringify(value)).length;

const ALL_MAX = 2_500;
const FIRST = 8;
const FIRST_MAX = 1_400;
const LOOK_MAX = 300;
const ACT_MAX = 150;
const JOB_MAX = 3_000;
const JOB_CALLS_MAX = 8;

const server = await startServer();
t.teardown(() => server.close());

const frameIn = (words: string): number => Number(/^frame (\d+)/m.exec(words)?.[1]);

t.test('the tools, and what they answer, take few tokens', async (t) => {
  const agent = await agentOver(t, server.url, TEST_KEY);
  const { tools } = await agent.client.listTools();
  t.same(
    tools.map(({ name }) => name),
    TOOLS.map(({ name }) => name),
  );
  const table: Record<string, number> = {};
  const hold = (what: string, tokens: number, max: number) => {
    table[what] = tokens;
    t.ok(tokens <= max, `${what}: ${tokens} of ${max}`);
  };
  hold('all tools', tokensOf(tools), ALL_MAX);
  hold('the first eight', tokensOf(tools.slice(0, FIRST)), FIRST_MAX);
  for (const platform of ['ios', 'android']) {
    let calls = 0;
    let tokens = 0;
    const say = async (name: string, given: Record<string, unknown>) => {
      const words = await agent.says(name, given);
      calls++;
      tokens += tokensOf(given) + tokensOf(words);
      return words;
    };
    const [session] = /ses_[\w-]+/.exec(await say('start', { platform })) ?? [];
    const home = await say('look', { session });
    hold(`${platform} home`, tokensOf(home), LOOK_MAX);
    const opened = await say('act', { session, frame: frameIn(home), steps: [{ do: 'tap', text: 'Notes' }] });
    hold(`${platform} act that opens an app`, tokensOf(opened), ACT_MAX);
    const steps = ['Milk', 'Bread', 'Eggs', 'Tea'].flatMap((value) => [
      { do: 'type', value },
      { do: 'key', value: 'enter' },
    ]);
    const typed = await say('act', { session, frame: frameIn(opened), steps });
    hold(`${platform} act that types`, tokensOf(typed), ACT_MAX);
    const closed = { session, frame: frameIn(typed), steps: [{ do: 'press', value: 'home' }] };
    await say('act', closed);
    await say('end', { session });
    hold(`${platform} job of ten steps`, tokens, JOB_MAX);
    t.ok(calls <= JOB_CALLS_MAX, `in ${calls} calls`);
  }
  for (const app of ['Notes', 'Settings', 'Browser', 'Scroll', 'Motion', 'Touch Lab']) {
    const [session] = /ses_[\w-]+/.exec(await agent.says('start', { platform: 'ios' })) ?? [];
    await agent.says('act', { session, steps: [{ do: 'tap', text: app }] });
    hold(`look at ${app}`, tokensOf(await agent.says('look', { session })), LOOK_MAX);
    await agent.says('end', { session });
  }
  for (const [what, tokens] of Object.entries(table)) t.comment(`${what}: ${tokens}`);
});

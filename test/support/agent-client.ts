import { type CallToolResult, Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { Test } from 'tap';

/** The official client of the Model Context Protocol, over HTTP; it is closed when the test ends. */
export async function agentOver(
  t: Test,
  url: string,
  bearer: string | undefined,
  mode?: 'auto' | 'legacy',
): Promise<Agent> {
  const headers = bearer === undefined ? {} : { Authorization: `Bearer ${bearer}` };
  const transport = new StreamableHTTPClientTransport(new URL('/mcp', url), { requestInit: { headers } });
  const client = new Client({ name: 'test', version: '1' }, mode ? { versionNegotiation: { mode } } : {});
  await client.connect(transport);
  t.teardown(() => client.close());
  return new Agent(client);
}

type Block = CallToolResult['content'][number];

export class Agent {
  readonly client: Client;

  constructor(client: Client) {
    this.client = client;
  }

  async call(name: string, given: Record<string, unknown> = {}): Promise<CallToolResult> {
    return (await this.client.callTool({ name, arguments: given })) as CallToolResult;
  }

  /** The text of an answer, after a check that it is no failure. */
  async says(name: string, given: Record<string, unknown> = {}): Promise<string> {
    const answer = await this.call(name, given);
    const words = wordsOf(answer);
    if (answer.isError) throw new Error(`${name} failed: ${words}`);
    return words;
  }
}

export const wordsOf = ({ content }: CallToolResult): string =>
  content.map((block: Block) => (block.type === 'text' ? block.text : `<${block.type}>`)).join('\n');

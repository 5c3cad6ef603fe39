import type { Cli } from '../cli.ts';
import { type Define, leaf } from '../leaf.ts';
import { lightFetch } from '../light-fetch.ts';
import { McpBridge } from '../mcp-bridge.ts';

/** Its output is the protocol's alone. */
export const define: Define = (command, cli) => leaf(command, ['mcp']).action(() => serve(cli));

/** Serves a program that has started this one, until it ends its input. */
async function serve(cli: Cli): Promise<void> {
  const bridge = new McpBridge({
    input: cli.io.stdin,
    write: (message) => cli.out.json(message),
    url: `${cli.baseUrl}/mcp`,
    authorization: () => cli.authorization(),
    fetch: lightFetch,
    signal: cli.io.interrupt,
  });
  await bridge.run();
}

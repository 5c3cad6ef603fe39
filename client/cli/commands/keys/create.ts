import { checkedKeyRequest } from '../../../sdk/arguments.ts';
import type { OutputOptions } from '../../cli.ts';
import { checked } from '../../failure.ts';
import { type Define, leaf } from '../../leaf.ts';

type Options = OutputOptions & { readonly ttl?: string };

export const define: Define = (command, cli) =>
  leaf(command, ['keys create CI', 'keys create CI --ttl 720h --json'])
    .argument('<name>', 'what it is for')
    .option('--ttl <duration>', 'how long it works; until it is revoked if absent')
    .action(async (name: string, { ttl, ...options }: Options) => {
      const request = checked(() => checkedKeyRequest({ name, ...(ttl === undefined ? {} : { ttl }) }));
      const created = await cli.cloud.keys.create(request, { signal: cli.io.interrupt });
      cli.print(options, created, [created.key]);
    });

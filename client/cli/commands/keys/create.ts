import { checkedKeyRequest } from '../../../sdk/arguments.ts';
import type { CreatedKey } from '../../../sdk/types.ts';
import type { OutputOptions } from '../../cli.ts';
import { checked } from '../../failure.ts';
import { type Define, leaf } from '../../leaf.ts';
import { ageOf } from '../../terminal/age.ts';
import { bold } from '../../terminal/line.ts';
import { note } from '../../terminal/note.ts';

type Options = OutputOptions & { readonly ttl?: string };

export const define: Define = (command, cli) =>
  leaf(command, ['keys create CI', 'keys create CI --ttl 720h --json'])
    .argument('<name>', 'what it is for')
    .option('--ttl <duration>', 'how long it works; default: until it is revoked')
    .action(async (name: string, { ttl, ...options }: Options) => {
      const request = checked(() => checkedKeyRequest({ name, ...(ttl === undefined ? {} : { ttl }) }));
      const created = await cli.cloud.keys.create(request, { signal: cli.io.interrupt });
      cli.print(options, created, [created.key], (view) => [
        bold(created.key),
        ...note(
          `The key "${created.name}" (${created.id}) ${lifeOf(created, view.nowMs)}. It is not shown again.`,
          view,
        ),
      ]);
    });

const lifeOf = ({ expiresAt }: CreatedKey, nowMs: number): string =>
  expiresAt === undefined ? 'works until it is revoked' : `expires ${ageOf(expiresAt, nowMs)}`;

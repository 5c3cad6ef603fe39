import { checkedKeyRequest } from '../../../sdk/arguments.ts';
import type { OutputOptions } from '../../cli.ts';
import { checked } from '../../failure.ts';
import { type Define, leaf } from '../../leaf.ts';
import { bold, done } from '../../terminal/line.ts';
import { note } from '../../terminal/note.ts';

type Options = OutputOptions & { readonly newKey?: string };

const EXAMPLES = ['keys revoke-all', 'keys revoke-all --new-key laptop --json'];

export const define: Define = (command, cli) =>
  leaf(command, EXAMPLES)
    .option('--new-key <name>', 'make a new key, the only one that is left, and print it this once')
    .action(async ({ newKey, ...options }: Options) => {
      if (newKey !== undefined) checked(() => checkedKeyRequest({ name: newKey }));
      const revoked = await cli.cloud.account.revokeAll({ newKey, signal: cli.io.interrupt });
      const { keys, tokens, signIns, viewerLinks, newKey: made } = revoked;
      const counts = `revoked ${keys} keys, ${tokens} programs, ${signIns} browsers, ${viewerLinks} viewer links`;
      cli.print(options, revoked, made === undefined ? [counts] : [counts, made.key], (view) => [
        done(`Revoked ${keys} keys, ${tokens} programs, ${signIns} browsers and ${viewerLinks} viewer links.`),
        ...(made === undefined
          ? []
          : [bold(made.key), ...note('This key is the only one left. It is not shown again.', view)]),
      ]);
    });

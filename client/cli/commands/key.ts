import type { Command } from 'commander';
import type { Cli } from '../cli.ts';
import { type InteractionOptions, interact, interactionLeaf } from '../interaction.ts';
import { toList, toMs } from '../parse.ts';

type Options = InteractionOptions & { readonly modifier?: readonly string[]; readonly duration?: number };

export const key = (cli: Cli): Command =>
  interactionLeaf('key', 'Press a key', ['key enter', 'key a --modifier shift,meta'])
    .argument('<key>', 'a, 1, enter, arrowLeft, f1, numpad0, ...')
    .option('-m, --modifier <names>', 'shift, control, alt, meta', toList)
    .option('--duration <time>', '20ms to 30s; 50ms if absent', toMs)
    .action((key: string, options: Options) =>
      interact(cli, { action: 'pressKey', key, modifiers: options.modifier, durationMs: options.duration }, options),
    );

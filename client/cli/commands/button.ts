import type { Command } from 'commander';
import { BUTTONS } from '../../../protocol/platforms.ts';
import type { Cli } from '../cli.ts';
import { type InteractionOptions, interact, interactionLeaf } from '../interaction.ts';
import { toMs } from '../parse.ts';

type Options = InteractionOptions & { readonly duration?: number };

export const button = (cli: Cli): Command =>
  interactionLeaf('button', 'Press a button', ['button home', 'button power --duration 2s'])
    .argument('<button>', BUTTONS.join(', '))
    .option('--duration <time>', '20ms to 30s; 50ms if absent', toMs)
    .action((button: string, options: Options) =>
      interact(cli, { action: 'pressButton', button, durationMs: options.duration }, options),
    );

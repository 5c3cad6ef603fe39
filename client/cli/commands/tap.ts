import type { Command } from 'commander';
import type { Cli } from '../cli.ts';
import { type InteractionOptions, interact, interactionLeaf } from '../interaction.ts';
import { toNumber } from '../parse.ts';

export const tap = (cli: Cli): Command =>
  interactionLeaf('tap', 'Tap the screen', ['tap 0.5 0.5', 'tap 0.39 0.92 --json'])
    .argument('<x>', 'share of the width, 0 to 1 from the left', toNumber)
    .argument('<y>', 'share of the height, 0 to 1 from the top', toNumber)
    .action((x: number, y: number, options: InteractionOptions) => interact(cli, { action: 'tap', x, y }, options));

import type { Command } from 'commander';
import type { Cli } from '../cli.ts';
import { type InteractionOptions, interact, interactionLeaf } from '../interaction.ts';

export const memoryWarning = (cli: Cli): Command =>
  interactionLeaf('memory-warning', 'Tell the apps that memory is short', ['memory-warning']).action(
    (options: InteractionOptions) => interact(cli, { action: 'simulateMemoryWarning' }, options),
  );

import type { Command } from 'commander';
import type { Cli } from '../cli.ts';
import { type InteractionOptions, interact, interactionLeaf } from '../interaction.ts';

export const reload = (cli: Cli): Command =>
  interactionLeaf('reload', 'Restart the foreground app', ['reload']).action((options: InteractionOptions) =>
    interact(cli, { action: 'reload' }, options),
  );

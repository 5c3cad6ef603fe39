import type { Command } from 'commander';
import type { Cli } from '../cli.ts';
import { type InteractionOptions, interact, interactionLeaf } from '../interaction.ts';

export const keyboard = (cli: Cli): Command =>
  interactionLeaf('keyboard', 'Show or hide the software keyboard', ['keyboard']).action(
    (options: InteractionOptions) => interact(cli, { action: 'toggleSoftwareKeyboard' }, options),
  );

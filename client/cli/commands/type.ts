import type { Command } from 'commander';
import type { Cli } from '../cli.ts';
import { type InteractionOptions, interact, interactionLeaf } from '../interaction.ts';

export const type = (cli: Cli): Command =>
  interactionLeaf('type', 'Type text', ['type "Hello from the command line"'])
    .argument('<text>', '1 to 10,000 printable US ASCII characters, tabs or line feeds')
    .action((text: string, options: InteractionOptions) => interact(cli, { action: 'typeText', text }, options));

import type { Command } from 'commander';
import { ORIENTATIONS } from '../../../protocol/platforms.ts';
import type { Cli } from '../cli.ts';
import { type InteractionOptions, interact, interactionLeaf } from '../interaction.ts';

export const rotate = (cli: Cli): Command =>
  interactionLeaf('rotate', 'Turn the device', ['rotate landscape_left'])
    .argument('<orientation>', ORIENTATIONS.join(', '))
    .action((orientation: string, options: InteractionOptions) =>
      interact(cli, { action: 'rotate', orientation }, options),
    );

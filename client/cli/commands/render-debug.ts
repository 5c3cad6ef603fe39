import type { Command } from 'commander';
import { RENDER_OPTIONS } from '../../../protocol/platforms.ts';
import type { Cli } from '../cli.ts';
import { invalidRequest } from '../failure.ts';
import { type InteractionOptions, interact, interactionLeaf } from '../interaction.ts';

export const renderDebug = (cli: Cli): Command =>
  interactionLeaf('render-debug', 'Show how iOS draws', ['render-debug colorBlendedLayers on'])
    .argument('<option>', RENDER_OPTIONS.join(', '))
    .argument('<on|off>', 'whether it is shown')
    .action(async (option: string, state: string, options: InteractionOptions) => {
      if (state !== 'on' && state !== 'off') throw invalidRequest('The second argument must be on or off.');
      await interact(cli, { action: 'setRenderDebug', option, enabled: state === 'on' }, options);
    });

import type { Command } from 'commander';
import type { Point } from '../../sdk/types.ts';
import type { Cli } from '../cli.ts';
import { type InteractionOptions, interact, interactionLeaf } from '../interaction.ts';
import { toNumber, toPoint } from '../parse.ts';

type Options = InteractionOptions & { readonly at?: Point };

export const scroll = (cli: Cli): Command =>
  interactionLeaf('scroll', 'Scroll by shares of the viewport', ['scroll 0 0.5', 'scroll 0 -0.5 --at 0.5,0.3'])
    .argument('<deltaX>', '-1 to 1; positive brings what is further right', toNumber)
    .argument('<deltaY>', '-1 to 1; positive brings what is further down', toNumber)
    .option('--at <point>', 'where to scroll, as x,y; the middle if absent', toPoint)
    .action((deltaX: number, deltaY: number, options: Options) =>
      interact(cli, { action: 'scroll', deltaX, deltaY, x: options.at?.x, y: options.at?.y }, options),
    );

import type { Command } from 'commander';
import type { Point } from '../../sdk/types.ts';
import type { Cli } from '../cli.ts';
import { type InteractionOptions, interact, interactionLeaf } from '../interaction.ts';
import { toMs, toPoint } from '../parse.ts';

type Options = InteractionOptions & { readonly duration?: number };

export const swipe = (cli: Cli): Command =>
  interactionLeaf('swipe', 'Move a finger from one point to another', ['swipe 0.5,0.8 0.5,0.2 --duration 500ms'])
    .argument('<from>', 'x,y as shares of the display', toPoint)
    .argument('<to>', 'x,y as shares of the display', toPoint)
    .option('--duration <time>', '50ms to 30s; 300ms if absent', toMs)
    .action((from: Point, to: Point, options: Options) =>
      interact(cli, { action: 'swipe', from, to, durationMs: options.duration }, options),
    );

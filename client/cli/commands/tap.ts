import { invalidRequest } from '../failure.ts';
import { FORCE, type InteractionOptions, interact, interactionLeaf, OBSERVE } from '../interaction.ts';
import type { Define } from '../leaf.ts';
import { toMs, toNumber } from '../parse.ts';
import { type TargetOptions, targetOf, withTarget } from '../target-options.ts';

interface Options extends InteractionOptions, TargetOptions {
  readonly wait?: number;
}

const EXAMPLES = [
  'tap 0.5 0.5',
  'tap --on Save',
  'tap --role switch --near "Dark mode"',
  'tap --ref 2 --frame 42',
  'tap --on Save --observe',
];

const HELP = 'See "runcloud tap --help".';

export const define: Define = (command, cli) =>
  withTarget(
    interactionLeaf(command, EXAMPLES)
      .option(...FORCE)
      .option(...OBSERVE),
  )
    .option('--wait <time>', 'how long to wait for the element (default: 2s)', toMs)
    .argument('[x]', 'fraction of the width, 0 to 1 from the left', toNumber)
    .argument('[y]', 'fraction of the height, 0 to 1 from the top', toNumber)
    .action((x: number | undefined, y: number | undefined, options: Options) => {
      const target = targetOf(options);
      const { wait: waitMs } = options;
      if (target && x !== undefined) throw invalidRequest('Give a position or an element, not both.', HELP);
      if (target) return interact(cli, { action: 'tapElement', target, waitMs }, options);
      if (y === undefined) throw invalidRequest('Give a position, x and y, or an element, such as --on Save.', HELP);
      if (waitMs !== undefined) throw invalidRequest('"--wait" is for an element, such as --on Save.', HELP);
      return interact(cli, { action: 'tap', x, y }, options);
    });

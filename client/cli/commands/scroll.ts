import type { Point } from '../../sdk/types.ts';
import { invalidRequest } from '../failure.ts';
import { FORCE, type InteractionOptions, interact, interactionLeaf } from '../interaction.ts';
import type { Define } from '../leaf.ts';
import { toMs, toNumber, toPoint } from '../parse.ts';
import { type TargetOptions, targetOf, withSelector } from '../target-options.ts';

interface Options extends InteractionOptions, TargetOptions {
  readonly at?: Point;
  readonly to?: string;
  readonly in?: string;
  readonly direction?: string;
  readonly wait?: number;
}

const EXAMPLES = [
  'scroll 0 0.5',
  'scroll 0 -0.5 --at 0.5,0.3',
  'scroll --to Imprint',
  'scroll --to "Row 40" --in Rows --direction down',
];

const HELP = 'See "runcloud scroll --help".';
const NEITHER = 'Give a distance, deltaX and deltaY, or an element, such as --to Imprint.';

export const define: Define = (command, cli) =>
  withSelector(interactionLeaf(command, EXAMPLES).option(...FORCE), '--to <text>')
    .option('--in <text>', 'the list to scroll; default: the one that tells of the element, else the largest')
    .option('--direction <name>', 'down, up, right or left alone; default: down to the end, then up')
    .option('--wait <time>', 'how long to look for the element (default: 10s)', toMs)
    .option('--at <point>', 'position to scroll at, as x,y; default: the centre', toPoint)
    .argument('[deltaX]', '-1 to 1; positive shows content further right', toNumber)
    .argument('[deltaY]', '-1 to 1; positive shows content further down', toNumber)
    .action((deltaX: number | undefined, deltaY: number | undefined, options: Options) => {
      const { at, to, in: list, direction, wait: waitMs, ...rest } = options;
      const target = targetOf({ ...rest, on: to });
      if (target) {
        if (deltaX !== undefined) throw invalidRequest('Give a distance or an element, not both.', HELP);
        if (at) throw invalidRequest('"--at" is for a distance.', HELP);
        const within = list === undefined ? undefined : { text: list };
        return interact(cli, { action: 'scrollTo', target, within, direction, waitMs }, options);
      }
      if (deltaY === undefined) throw invalidRequest(NEITHER, HELP);
      const odd = { '--in': list, '--direction': direction, '--wait': waitMs };
      const [name] = Object.entries(odd).find(([, given]) => given !== undefined) ?? [];
      if (name !== undefined) throw invalidRequest(`"${name}" is for an element, such as --to Imprint.`, HELP);
      return interact(cli, { action: 'scroll', deltaX, deltaY, x: at?.x, y: at?.y }, options);
    });

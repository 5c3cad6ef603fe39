import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { Option } from 'commander';
import type { ActionName } from '../../protocol/actions/index.ts';
import { type AnyMethod, METHODS } from '../../protocol/actions/methods.ts';
import type { ActionCommand, CommandArgument, Notation } from './action-commands.ts';
import type { Cli } from './cli.ts';
import { invalidRequest } from './failure.ts';
import { FORCE, type InteractionOptions, interact, interactionLeaf, OBSERVE } from './interaction.ts';
import type { Define } from './leaf.ts';
import { toList, toMs, toNumber, toPairs, toPoint, toSwitch } from './parse.ts';

/** How commander makes a value of a text; the other notations are read when the command runs. */
const PARSERS: Partial<Readonly<Record<Notation, (text: string, before: unknown) => unknown>>> = {
  number: toNumber,
  point: toPoint,
  element: (text) => ({ text }),
  time: toMs,
  'on or off': toSwitch,
  pairs: (text, before) => toPairs(text, before as Readonly<Record<string, string>> | undefined),
  list: (text, before) => toList(text, before as readonly string[] | undefined),
};

/** How a command performs an action: its arguments and options are those of the action's method. */
export const performs =
  (name: ActionName, { examples, arguments: args = [], options: own = [], tells, reads }: ActionCommand): Define =>
  (command, cli) => {
    const { call, options }: AnyMethod = METHODS[name];
    const leaf = interactionLeaf(command, examples).option(...FORCE);
    if (!reads) leaf.option(...OBSERVE);
    for (const { name, words, notation = 'text' } of args) {
      const parse = PARSERS[notation];
      parse ? leaf.argument(`<${name}>`, words, parse) : leaf.argument(`<${name}>`, words);
    }
    const flags = own.map(({ flags, option, words, notation = 'text' }) => {
      const flag = new Option(flags, words);
      const parse = PARSERS[notation];
      leaf.addOption(parse ? flag.argParser(parse) : flag);
      return [option, flag.attributeName()] as const;
    });
    return leaf.action(async (...given: readonly unknown[]) => {
      const chosen = given[args.length] as InteractionOptions & Readonly<Record<string, unknown>>;
      const values = await Promise.all(args.map((argument, index) => read(cli, argument, given[index])));
      const named = Object.fromEntries(flags.map(([option, attribute]) => [option, chosen[attribute]]));
      await interact(cli, { action: name, ...call(...values), ...options?.(named) }, chosen, tells);
    });
  };

function read(cli: Cli, { notation }: CommandArgument, value: unknown): unknown {
  return notation === 'JSON file' ? readJson(cli, String(value)) : value;
}

async function readJson(cli: Cli, file: string): Promise<unknown> {
  const content = await (file === '-' ? text(cli.io.stdin) : readFile(file, 'utf8')).catch(() => {
    throw invalidRequest(`"${file}" cannot be read.`);
  });
  try {
    return JSON.parse(content);
  } catch {
    throw invalidRequest(`"${file}" is not JSON.`);
  }
}

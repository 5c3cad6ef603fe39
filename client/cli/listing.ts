import type { Command } from 'commander';
import type { Page, Query } from '../sdk/pages.ts';
import type { Cli, OutputOptions } from './cli.ts';
import { checked, invalidRequest } from './failure.ts';
import { toNumber } from './parse.ts';
import { note } from './terminal/note.ts';
import { type Column, table } from './terminal/table.ts';
import { wrapped } from './terminal/width.ts';

/** Options of every command that prints a list. */
export interface ListOptions extends OutputOptions {
  readonly limit?: string;
  readonly cursor?: string;
  readonly all?: true;
}

/** A list, or the part of it that was asked for. */
export interface Listed<Item> {
  readonly items: readonly Item[];
  readonly next?: string;
}

/** Options of a list whose pages hold `max` items at most. */
export const listOptions = (command: Command, max: number): Command =>
  command
    .option('--limit <number>', `maximum number of items, up to ${max}`)
    .option('--cursor <next>', 'continue at the cursor of an earlier list')
    .option('--all', 'list all items');

/** Query of the SDK's list methods. */
interface PageQuery {
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

/** The options, checked before anything is sent or any key is looked for. */
export function toPageQuery({ limit, cursor, all }: ListOptions, check: (query: PageQuery) => Query): PageQuery {
  if (all && (limit !== undefined || cursor !== undefined)) {
    throw invalidRequest('"--all" cannot be combined with "--limit" or "--cursor".');
  }
  const query = { limit: limit === undefined ? undefined : toNumber(limit), cursor };
  checked(() => check(query));
  return query;
}

/** The page, or with `--all` everything. */
export async function listed<Item>(
  { all }: ListOptions,
  readPage: () => Promise<Page<Item>>,
  everyItem: () => AsyncIterable<Item>,
): Promise<Listed<Item>> {
  if (!all) {
    const page = await readPage();
    return { items: page, ...(page.next === undefined ? {} : { next: page.next }) };
  }
  return { items: await taken(everyItem()) };
}

/** All items that there are. */
export async function taken<Item>(from: AsyncIterable<Item>): Promise<readonly Item[]> {
  const items: Item[] = [];
  for await (const item of from) items.push(item);
  return items;
}

/** How the items of a list are shown. */
interface Listing<Item> {
  /** Of the list in JSON. */
  readonly name: string;
  /** One line of what programs read. */
  readonly lineOf: (item: Item) => string;
  /** The table that people read. */
  readonly columns: readonly Column<Item>[];
  /** Where the list is empty: for programs, and for people, who are told what to do about it. */
  readonly none: readonly [plain: string, sentence: string];
  /** The item in JSON; as it is if absent. */
  readonly json?: (item: Item) => unknown;
}

export function printList<Item>(
  cli: Cli,
  options: OutputOptions,
  { items, ...rest }: Listed<Item>,
  { name, lineOf, columns, none: [plain, sentence], json = (item) => item }: Listing<Item>,
): void {
  const more = rest.next === undefined ? [] : [hintAt(rest.next)];
  const lines = items.length + more.length === 0 ? [plain] : [...items.map(lineOf), ...more];
  cli.print(options, { [name]: items.map(json), ...rest }, lines, (view) => [
    ...(items.length === 0 ? wrapped(sentence, view.columns) : table(columns, items, view)),
    ...more.flatMap((text) => note(text, view)),
  ]);
}

const hintAt = (next: string): string => `There are more: see all with --all, or the next with --cursor ${next}`;

import type { Command } from 'commander';
import type { Page, Query } from '../sdk/pages.ts';
import type { OutputOptions } from './cli.ts';
import { checked, invalidRequest } from './failure.ts';
import { toNumber } from './parse.ts';

/** Options of every command that prints a list. */
export interface ListOptions extends OutputOptions {
  readonly limit?: string;
  readonly cursor?: string;
  readonly all?: true;
}

/** A list, or the part of it that was asked for. */
interface Listed<Item> {
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
  const items: Item[] = [];
  for await (const item of everyItem()) items.push(item);
  return { items };
}

/** A line for each item, and a hint if there are more; `none` for an empty list. */
export function listLines<Item>(
  { items, next }: Listed<Item>,
  lineOf: (item: Item) => string,
  none: string,
): readonly string[] {
  const lines = items.map(lineOf);
  if (next !== undefined) lines.push(`There are more: see all with --all, or the next with --cursor ${next}`);
  return lines.length === 0 ? [none] : lines;
}

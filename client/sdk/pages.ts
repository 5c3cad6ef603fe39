import type { CallOptions } from './actions.ts';
import type { Http, HttpCall } from './http.ts';

/** One page of a list, newest first. */
export type Page<Item> = readonly Item[] & {
  /** The `cursor` of the next page; absent on the last page. */
  readonly next?: string;
};

export interface PageOptions extends CallOptions {
  /** Maximum number of items; default 50, for recordings 100. A page of long items may be shorter. */
  readonly limit?: number | undefined;
  /** `next` of the previous page; absent for the first page. */
  readonly cursor?: string | undefined;
}

/** A checked query of a list. */
export type Query = Readonly<Record<string, string | number>>;

/** Reads a page; its items are the field `name` of the answer. */
export async function readPage<Item>(http: Http, call: HttpCall, name: string, query: Query): Promise<Page<Item>> {
  const text = new URLSearchParams(Object.entries(query).map(([field, value]) => [field, String(value)])).toString();
  const asked = { ...call, path: text === '' ? call.path : `${call.path}?${text}` };
  const { [name]: items, next } = await http.json<Readonly<Record<string, unknown>>>(asked);
  if (!Array.isArray(items)) throw http.invalid(asked, `there is no list of ${name} in it`, { status: 200 });
  if (next === undefined) return items;
  // A repeated cursor would make the iteration endless.
  if (typeof next !== 'string' || next === query.cursor) {
    throw http.invalid(asked, '"next" leads nowhere', { status: 200 });
  }
  return withNext(items, next);
}

const withNext = <Item>(items: readonly Item[], next: string | undefined): Page<Item> =>
  next === undefined ? items : Object.assign([...items], { next });

/** The same page with each item mapped by `make`. */
export const mapPage = <From, To>(page: Page<From>, make: (item: From) => To): Page<To> =>
  withNext(
    page.map((item) => make(item)),
    page.next,
  );

/** Every item of a list; pages are read as you iterate. */
export async function* everyItem<Item>(read: (cursor: string | undefined) => Promise<Page<Item>>) {
  for (let cursor: string | undefined; ; ) {
    const page = await read(cursor);
    yield* page as readonly Item[];
    cursor = page.next;
    if (cursor === undefined) return;
  }
}

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

/** Reads a page; its items are the field `name` of the answer, each mapped by `make`. */
export async function readPage<Item>(
  http: Http,
  call: HttpCall,
  name: string,
  query: Query,
  make: (item: unknown) => Item = (item) => item as Item,
): Promise<Page<Item>> {
  // URLSearchParams converts numbers to text.
  const text = new URLSearchParams(query as Record<string, string>).toString();
  const asked = { ...call, path: text === '' ? call.path : `${call.path}?${text}` };
  const { [name]: items, next } = await http.json<Readonly<Record<string, unknown>>>(asked);
  if (!Array.isArray(items)) throw http.invalid(asked, `there is no list of ${name} in it`, { status: 200 });
  const page = items.map((item) => make(item));
  if (next === undefined) return page;
  // A repeated cursor would make the iteration endless.
  if (typeof next !== 'string' || next === query.cursor) {
    throw http.invalid(asked, '"next" leads nowhere', { status: 200 });
  }
  return Object.assign(page, { next });
}

/** Every item of a list; pages are read as you iterate. `query` selects the first page. */
export async function* everyItem<Item>(read: (query: Query) => Promise<Page<Item>>, query: Query = {}) {
  for (let asked: Query | undefined = query; asked; ) {
    const page: Page<Item> = await read(asked);
    yield* page as readonly Item[];
    asked = page.next === undefined ? undefined : { ...query, cursor: page.next };
  }
}

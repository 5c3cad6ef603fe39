import type { CallOptions } from './actions.ts';
import type { Http, HttpCall } from './http.ts';

/** A part of a list, newest first. */
export type Page<Item> = readonly Item[] & {
  /** Leads to the next page, as `cursor`; absent on the last one. */
  readonly next?: string;
};

export interface PageOptions extends CallOptions {
  /** Items at most; 50 where absent, 100 of recordings. A page of long items may be shorter. */
  readonly limit?: number | undefined;
  /** The `next` of the page before; absent for the first page. */
  readonly cursor?: string | undefined;
}

/** A checked query of a list. */
export type Query = Readonly<Record<string, string | number>>;

/** Reads a page of what stands under `name` in the answer. */
export async function readPage<Item>(http: Http, call: HttpCall, name: string, query: Query): Promise<Page<Item>> {
  const text = new URLSearchParams(Object.entries(query).map(([field, value]) => [field, String(value)])).toString();
  const asked = { ...call, path: text === '' ? call.path : `${call.path}?${text}` };
  const { [name]: items, next } = await http.json<Readonly<Record<string, unknown>>>(asked);
  if (!Array.isArray(items)) throw http.invalid(asked, `there is no list of ${name} in it`, { status: 200 });
  if (next === undefined) return items;
  // The same page again would never end.
  if (typeof next !== 'string' || next === query.cursor) {
    throw http.invalid(asked, '"next" leads nowhere', { status: 200 });
  }
  return withNext(items, next);
}

const withNext = <Item>(items: readonly Item[], next: string | undefined): Page<Item> =>
  next === undefined ? items : Object.assign([...items], { next });

/** The same page of what `make` makes of its items. */
export const mapPage = <From, To>(page: Page<From>, make: (item: From) => To): Page<To> =>
  withNext(
    page.map((item) => make(item)),
    page.next,
  );

/** Every item of a list, page by page as they are taken. */
export async function* everyItem<Item>(read: (cursor: string | undefined) => Promise<Page<Item>>) {
  for (let cursor: string | undefined; ; ) {
    const page = await read(cursor);
    yield* page as readonly Item[];
    cursor = page.next;
    if (cursor === undefined) return;
  }
}

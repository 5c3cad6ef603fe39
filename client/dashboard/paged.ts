import type { Address, AnswerAt, RouteCall } from '../../protocol/routes/address.ts';
import type { Api } from '../page/api.ts';
import { button, whileBusy } from '../page/button.ts';
import { element } from '../page/element.ts';

/** A list, as far as it was read. */
export interface Opened<Item> {
  readonly items: readonly Item[];
  /** Whether there is more of it. */
  readonly more: boolean;
}

type ItemOf<A extends Address, Name extends keyof AnswerAt<A>> = AnswerAt<A>[Name] extends readonly (infer Item)[]
  ? Item
  : never;

interface Reading<Item> {
  readonly signal?: AbortSignal;
  readonly query?: Readonly<Record<string, string>>;
  readonly isEnough?: (items: readonly Item[]) => boolean;
}

/** Reads a list page by page until `isEnough` accepts its items; without `isEnough`, to the end. */
export async function readList<A extends Address, Name extends keyof AnswerAt<A>>(
  api: Api,
  call: RouteCall<A>,
  name: Name,
  { signal, query, isEnough = () => false }: Reading<ItemOf<A, Name>> = {},
): Promise<Opened<ItemOf<A, Name>>> {
  const items: ItemOf<A, Name>[] = [];
  for (let cursor = {}; ; ) {
    const answer = await api.ask(call, { query: { ...query, ...cursor }, signal });
    items.push(...(answer[name] as readonly ItemOf<A, Name>[]));
    const { next } = answer as { readonly next?: string };
    if (next === undefined || isEnough(items)) return { items, more: next !== undefined };
    cursor = { cursor: next };
  }
}

/** How much of a list is shown: a part, and another one each time that somebody wants to see more. */
export class Extent {
  count: number;
  readonly #step: number;

  constructor(step: number) {
    this.count = step;
    this.#step = step;
  }

  /** The visible part of a list, with a button for more if there are more items. */
  show<Item>(
    { items, more }: Opened<Item>,
    toRow: (item: Item) => HTMLElement,
    reload: () => Promise<void>,
  ): HTMLElement {
    const shown = items.slice(0, this.count);
    const list = element('ul', { class: 'rows' }, ...shown.map(toRow));
    return more || shown.length < items.length ? element('div', {}, list, this.more(reload)) : list;
  }

  /** The button that shows more of the list. */
  more(reload: () => Promise<void>): HTMLElement {
    const show = button('Show more', () => {
      this.count += this.#step;
      void whileBusy(show, 'One moment…', reload);
    });
    return element('div', { class: 'actions more' }, show);
  }
}

import { element } from '../viewer/ui/element.ts';
import type { Api } from './api.ts';
import { button, whileBusy } from './ui/button.ts';

/** A list, as far as it was read. */
export interface Opened<Item> {
  readonly items: readonly Item[];
  /** Whether there is more of it. */
  readonly more: boolean;
}

/** Reads a list from its beginning until `isEnough` says so of what there is, and to its end where that is absent. */
export async function readList<Item>(
  api: Api,
  address: string,
  name: string,
  signal?: AbortSignal,
  isEnough: (items: readonly Item[]) => boolean = () => false,
): Promise<Opened<Item>> {
  const items: Item[] = [];
  for (let page = address; ; ) {
    const answer = await api.get<Readonly<Record<string, unknown>>>(page, signal);
    items.push(...(answer[name] as readonly Item[]));
    const { next } = answer;
    if (typeof next !== 'string' || isEnough(items)) return { items, more: typeof next === 'string' };
    page = `${address}${address.includes('?') ? '&' : '?'}cursor=${encodeURIComponent(next)}`;
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

  /** What is shown of a list, with a button for more of it where there is more. */
  show<Item>(
    { items, more }: Opened<Item>,
    toRow: (item: Item) => HTMLElement,
    reload: () => Promise<void>,
  ): HTMLElement {
    const shown = items.slice(0, this.count);
    const list = element('ul', { class: 'rows' }, ...shown.map(toRow));
    return more || shown.length < items.length ? element('div', {}, list, this.more(reload)) : list;
  }

  /** What shows more of the list. */
  more(reload: () => Promise<void>): HTMLElement {
    const show = button('Show more', () => {
      this.count += this.#step;
      void whileBusy(show, 'One moment…', reload);
    });
    return element('div', { class: 'actions more' }, show);
  }
}

import type { UiNode } from '@runcloud/protocol';
import { element } from '../../page/element.ts';
import { wordsOf } from './words.ts';

/** A page with more rows becomes slow; what is left out can still be pointed at. */
const ROWS_MAX = 1_000;
/** Deeper elements stand no further to the right. */
const DEPTH_MAX = 12;
const PAGE_ROWS = 10;

export interface ElementListParts {
  /** A person moved to an element. */
  readonly moved: (node: UiNode) => void;
  readonly chosen: (node: UiNode) => void;
}

interface Row {
  readonly node: UiNode;
  readonly depth: number;
}

let lists = 0;

/** The elements of the screen as they are drawn, one in a line. The keyboard moves through it, and Enter chooses. */
export class ElementList {
  readonly #list = element('div', { class: 'elements', role: 'listbox', tabindex: '0', 'aria-label': 'Elements' });
  readonly #more = element('p', { class: 'quiet', hidden: true });
  readonly element = element('div', { class: 'element-list' }, this.#list, this.#more);
  readonly #parts: ElementListParts;
  readonly #idPrefix = `element-${++lists}-`;
  #rows: readonly Row[] = [];
  #active = -1;

  constructor(parts: ElementListParts) {
    this.#parts = parts;
    this.#list.addEventListener('keydown', (event) => this.#pressed(event));
    this.#list.addEventListener('click', ({ target }) => {
      const index = [...this.#list.children].indexOf((target as Element).closest('[role=option]') ?? this.#list);
      const row = this.#rows[index];
      if (!row) return;
      this.#move(index);
      parts.chosen(row.node);
    });
  }

  get active(): UiNode | undefined {
    return this.#rows[this.#active]?.node;
  }

  /** Shows another tree. The element where the person is stays, if there is one like it. */
  show(nodes: readonly UiNode[]): void {
    const before = this.#named(this.#active);
    const all = rowsOf(nodes);
    this.#rows = all.slice(0, ROWS_MAX);
    const left = all.length - this.#rows.length;
    this.#more.hidden = left === 0;
    this.#more.textContent = `${left} more: point at them on the screen.`;
    const top = this.#list.scrollTop;
    this.#list.replaceChildren(...this.#rows.map((row, index) => this.#option(row, index)));
    this.#list.scrollTop = top;
    const names = this.#rows.map((_row, index) => this.#named(index));
    const same = names[this.#active] === before ? this.#active : names.indexOf(before);
    this.#mark(before === undefined ? -1 : same);
  }

  /** Marks an element that was pointed at. */
  point(node: UiNode | undefined): void {
    const index = this.#rows.findIndex((row) => row.node === node);
    this.#mark(index);
    this.#list.children[index]?.scrollIntoView({ block: 'nearest' });
  }

  #option({ node, depth }: Row, index: number): HTMLElement {
    const words = wordsOf(node);
    const id = `${this.#idPrefix}${index}`;
    const option = element('div', { role: 'option', id, 'aria-selected': 'false', title: words }, words);
    option.style.setProperty('--depth', String(Math.min(depth, DEPTH_MAX)));
    option.classList.toggle('system', node.system ?? false);
    return option;
  }

  /** What tells an element from others, whatever its number. */
  #named(index: number): string | undefined {
    const row = this.#rows[index];
    return row && JSON.stringify([row.depth, row.node.role, row.node.id, row.node.name]);
  }

  #pressed(event: KeyboardEvent): void {
    const last = this.#rows.length - 1;
    const to: Readonly<Record<string, number>> = {
      ArrowDown: this.#active + 1,
      ArrowUp: Math.max(0, this.#active) - 1,
      PageDown: this.#active + PAGE_ROWS,
      PageUp: this.#active - PAGE_ROWS,
      Home: 0,
      End: last,
    };
    const index = to[event.key];
    if (index !== undefined) this.#move(Math.min(last, Math.max(0, index)));
    else if (event.key === 'Enter' && this.active) this.#parts.chosen(this.active);
    else return;
    event.preventDefault();
  }

  #move(index: number): void {
    const row = this.#rows[index];
    if (!row) return;
    this.#mark(index);
    this.#list.children[index]?.scrollIntoView({ block: 'nearest' });
    this.#parts.moved(row.node);
  }

  #mark(index: number): void {
    this.#list.querySelector('[aria-selected="true"]')?.setAttribute('aria-selected', 'false');
    this.#active = index;
    const option = this.#list.children[index];
    option?.setAttribute('aria-selected', 'true');
    if (option) this.#list.setAttribute('aria-activedescendant', option.id);
    else this.#list.removeAttribute('aria-activedescendant');
  }
}

/** All elements with their depth. */
function rowsOf(nodes: readonly UiNode[]): readonly Row[] {
  const rows: Row[] = [];
  const visit = (all: readonly UiNode[], depth: number): void => {
    for (const node of all) {
      rows.push({ node, depth });
      visit(node.children ?? [], depth + 1);
    }
  };
  visit(nodes, 0);
  return rows;
}

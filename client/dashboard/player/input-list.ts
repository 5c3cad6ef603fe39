import { element } from '../../page/element.ts';
import { inputWords, milliseconds } from '../ui/input-words.ts';
import { outcomeChip } from '../ui/outcome-chip.ts';
import { count } from '../ui/words.ts';
import type { RecordedInput } from './inputs.ts';

/** Rows that are made at once; a long recording has thousands of inputs. */
const ROWS_STEP = 200;

/** The inputs of a recording as a list: each leads to its moment in the video, and the latest one is marked. */
export class InputList {
  readonly element = element('div', { class: 'inputs' });
  readonly #rows = element('ol', { class: 'rows history', 'aria-label': 'Inputs' });
  readonly #inputs: readonly RecordedInput[];
  readonly #seek: (ms: number) => void;
  #current: Element | undefined;

  /** @param inputs in the order of their times */
  constructor(inputs: readonly RecordedInput[], seek: (ms: number) => void) {
    this.#inputs = inputs;
    this.#seek = seek;
    if (inputs.length === 0) {
      this.element.append(element('p', { class: 'quiet' }, 'Nobody acted on the device during this recording.'));
      return;
    }
    const failed = inputs.filter(({ status }) => status !== 'completed').length;
    const words = `${count(inputs.length, 'input')}${failed === 0 ? '' : `, ${failed} of them not completed`}`;
    this.element.append(element('p', { class: 'quiet' }, words), this.#rows);
    this.#showMore(ROWS_STEP);
  }

  /** Marks the latest input at this time of the video. */
  follow(ms: number): void {
    const next = this.#inputs.findIndex(({ atMs }) => atMs > ms);
    const index = (next < 0 ? this.#inputs.length : next) - 1;
    if (index >= this.#rows.childElementCount) this.#showMore(index + ROWS_STEP);
    const row = this.#rows.children[index];
    if (row === this.#current) return;
    this.#current?.removeAttribute('aria-current');
    row?.setAttribute('aria-current', 'true');
    this.#current = row;
    // Within the list alone: the page stays where its reader put it.
    if (row instanceof HTMLElement) {
      this.#rows.scrollTop = row.offsetTop - (this.#rows.clientHeight - row.offsetHeight) / 2;
    }
  }

  #showMore(until: number): void {
    const from = this.#rows.childElementCount;
    this.#rows.append(...this.#inputs.slice(from, until).map((input) => this.#row(input)));
    if (this.#rows.childElementCount >= this.#inputs.length) return;
    const end = this.#rows.lastElementChild as Element;
    const seen = new IntersectionObserver(
      (entries) => {
        if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
        seen.disconnect();
        if (end === this.#rows.lastElementChild) this.#showMore(this.#rows.childElementCount + ROWS_STEP);
      },
      { root: this.#rows },
    );
    seen.observe(end);
  }

  #row({ action, fields, atMs, status, durationMs }: RecordedInput): HTMLElement {
    const words = inputWords(action, fields);
    const to = element(
      'button',
      { type: 'button', class: 'link main', 'aria-label': `${words}, at ${seconds(atMs)}` },
      words,
    );
    to.addEventListener('click', () => this.#seek(atMs));
    const time = element('span', { class: 'quiet time' }, seconds(atMs));
    const took = element('span', { class: 'quiet took' }, durationMs === undefined ? '' : milliseconds(durationMs));
    return element('li', { class: 'row' }, time, to, took, outcomeChip(status));
  }
}

const seconds = (ms: number): string => `${(ms / 1_000).toFixed(2)} s`;

import { element } from './element.ts';

const SHOWN_MS = 4_500;
const SHOWN_MAX = 3;

/** Short messages that go away by themselves, read out by screen readers. */
export class Toasts {
  readonly element = element('div', { class: 'toasts', role: 'status', 'aria-live': 'polite' });

  show(sentence: string): void {
    if (sentence === '' || this.element.lastElementChild?.textContent === sentence) return;
    const toast = element('p', { class: 'toast' }, sentence);
    this.element.append(toast);
    if (this.element.childElementCount > SHOWN_MAX) this.element.firstElementChild?.remove();
    setTimeout(() => toast.remove(), SHOWN_MS);
  }
}

import { element } from './element.ts';

/** A button in a message. */
export interface ToastAction {
  readonly name: string;
  readonly act: () => void;
}

const SHOWN_MS = 4_500;
/** Somebody has to get to the button. */
const SHOWN_WITH_ACTION_MS = 20_000;
const SHOWN_MAX = 3;

/** Short messages that go away by themselves, read out by screen readers. */
export class Toasts {
  readonly element = element('div', { class: 'toasts', role: 'status', 'aria-live': 'polite' });

  /** Shows a message. One that is shown already stays for longer. */
  show(sentence: string, action?: ToastAction): void {
    if (sentence === '') return;
    const last = this.element.lastElementChild;
    if (last?.firstChild?.textContent === sentence) last.remove();
    const toast = element('p', { class: 'toast' }, element('span', {}, sentence));
    if (action) {
      const button = element('button', { type: 'button' }, action.name);
      button.addEventListener('click', () => {
        toast.remove();
        action.act();
      });
      toast.append(button);
    }
    this.element.append(toast);
    if (this.element.childElementCount > SHOWN_MAX) this.element.firstElementChild?.remove();
    setTimeout(() => toast.remove(), action ? SHOWN_WITH_ACTION_MS : SHOWN_MS);
  }
}

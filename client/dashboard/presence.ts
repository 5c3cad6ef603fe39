import { element } from '../page/element.ts';
import { icon } from '../page/icons.ts';
import { repeat } from './view.ts';

const ASK_MS = 1_000;
const PATIENCE_MS = 1_500;
/** Where the service says that its process lives; the route costs no call of anybody's limit. */
const ALIVE = '/healthz';

/** Tells the user within three seconds that the service is gone, and when it is there again. */
export class Presence {
  readonly element = element('div', { class: 'gone', role: 'alert', hidden: true });
  readonly #onChange: (present: boolean) => void;

  /** @param onChange called when the service goes, and when it comes back */
  constructor(onChange: (present: boolean) => void, leaving: AbortSignal) {
    this.#onChange = onChange;
    repeat(() => this.#ask(), ASK_MS, leaving);
  }

  async #ask(): Promise<void> {
    try {
      await fetch(ALIVE, { cache: 'no-store', signal: AbortSignal.timeout(PATIENCE_MS) });
      this.#set(true);
    } catch {
      this.#set(false);
    }
  }

  #set(present: boolean): void {
    if (this.element.hidden === present) return;
    this.element.hidden = present;
    const words = 'The service cannot be reached. What you see is old. Trying again…';
    this.element.replaceChildren(...(present ? [] : [icon('warning'), words]));
    this.#onChange(present);
  }
}

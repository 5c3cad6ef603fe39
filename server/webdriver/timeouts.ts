/** Sessions whose timeouts are remembered; those that were set the longest time ago are forgotten first. */
const SESSIONS_MAX = 10_000;
/** W3C WebDriver, section 9.1: what holds where nothing was set. Nothing is loaded and no script runs here. */
const DEFAULTS = { script: 30_000, pageLoad: 300_000, implicit: 0 };

export type TimeoutValues = typeof DEFAULTS;

/** The timeouts of each session, in milliseconds: `implicit` is how long an element is looked for. */
export class Timeouts {
  readonly #values = new Map<string, TimeoutValues>();

  of(sessionId: string): TimeoutValues {
    return this.#values.get(sessionId) ?? DEFAULTS;
  }

  set(sessionId: string, values: Partial<TimeoutValues>): void {
    const now = { ...this.of(sessionId), ...values };
    this.forget(sessionId);
    this.#values.set(sessionId, now);
    const [oldest] = this.#values.keys();
    if (this.#values.size > SESSIONS_MAX && oldest !== undefined) this.#values.delete(oldest);
  }

  forget(sessionId: string): void {
    this.#values.delete(sessionId);
  }
}

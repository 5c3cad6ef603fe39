import type { CallOptions } from './actions.ts';
import type { Locator } from './locator.ts';
import type { Target, UiCondition } from './types.ts';

/** Milliseconds until an expectation has failed, where nothing else is said. */
const EXPECT_MS = 5_000;
/** Characters of the outline in a message. */
const OUTLINE_MAX = 2_000;
/** A failure does not wait longer for what only helps to understand it. */
const HELP_MS = 5_000;

export interface ExpectOptions extends CallOptions {
  /** Milliseconds to wait until it is so, 100 to 60,000; default 5,000. */
  readonly timeoutMs?: number | undefined;
}

type Asked = Omit<UiCondition, 'target' | 'not'>;

/** What an expectation says that was not met. */
export class ExpectationError extends Error {
  override readonly name = 'ExpectationError';
  /** Such as `button "Save" to be enabled`. */
  readonly expected: string;
  /** What was there instead. */
  readonly found: string;
  /** What was on the screen then, as lines of text, where it could be read. */
  readonly outline: string | undefined;
  /** A PNG of the display, where it could be taken. Not enumerable, so that it is not printed. */
  declare readonly screenshot: Uint8Array | undefined;

  constructor(expected: string, found: string, seen: { readonly outline?: string; readonly screenshot?: Uint8Array }) {
    const { outline, screenshot } = seen;
    const screen = outline === undefined ? '' : `\n\nOn the screen:\n${shortened(outline)}`;
    super(`Expected ${expected}.\nFound: ${found}${screen}`);
    this.expected = expected;
    this.found = found;
    this.outline = outline;
    Object.defineProperty(this, 'screenshot', { value: screenshot, enumerable: false });
  }
}

/** Says what an element of the screen is expected to be; each expectation waits until it is so. */
export class Expectation {
  readonly #locator: Locator;
  readonly #options: ExpectOptions;
  readonly #isNot: boolean;

  constructor(locator: Locator, options: ExpectOptions, isNot: boolean) {
    this.#locator = locator;
    this.#options = options;
    this.#isNot = isNot;
  }

  /** The same, not so. An element that is asked for its state must be there all the same. */
  get not(): Expectation {
    return new Expectation(this.#locator, this.#options, !this.#isNot);
  }

  /** At least one such element is in sight. */
  toBeVisible(options?: ExpectOptions): Promise<void> {
    return this.#meet({}, 'to be visible', options);
  }

  /** No such element is in sight. */
  toBeHidden(options?: ExpectOptions): Promise<void> {
    return this.not.#meet({}, 'to be visible', options);
  }

  /** Its name or its value is this text, runs of spaces counted as one. */
  toHaveText(text: string, options?: ExpectOptions): Promise<void> {
    return this.#meet({ text }, `to have the text ${JSON.stringify(text)}`, options);
  }

  /** Its value is this text, letter by letter. */
  toHaveValue(value: string, options?: ExpectOptions): Promise<void> {
    return this.#meet({ value }, `to have the value ${JSON.stringify(value)}`, options);
  }

  /** It can be used. */
  toBeEnabled(options?: ExpectOptions): Promise<void> {
    return this.#meet({ is: 'enabled' }, 'to be enabled', options);
  }

  /** It is there and cannot be used. */
  toBeDisabled(options?: ExpectOptions): Promise<void> {
    return this.not.#meet({ is: 'enabled' }, 'to be enabled', options);
  }

  /** A switch or a checkbox is on. */
  toBeChecked(options?: ExpectOptions): Promise<void> {
    return this.#meet({ is: 'checked' }, 'to be checked', options);
  }

  /** So many elements fit. */
  toHaveCount(count: number, options?: ExpectOptions): Promise<void> {
    return this.#meet({ count }, `to be there ${count} times`, options);
  }

  async #meet(asked: Asked, words: string, options: ExpectOptions = {}): Promise<void> {
    const { timeoutMs = EXPECT_MS, signal } = { ...this.#options, ...options };
    const { session, target } = this.#locator;
    try {
      await session.waitFor({ target, ...asked, ...(this.#isNot ? { not: true } : {}) }, { timeoutMs, signal });
    } catch (error) {
      const found = foundBy(error);
      if (found === undefined) throw error;
      const expected = `${inWords(target)} ${this.#isNot ? 'not ' : ''}${words} within ${timeoutMs} ms`;
      throw new ExpectationError(expected, found, await this.#look());
    }
  }

  /** What is on the screen, as far as it can be told now. */
  async #look(): Promise<{ readonly outline?: string; readonly screenshot?: Uint8Array }> {
    const { session } = this.#locator;
    const signal = AbortSignal.timeout(HELP_MS);
    const [outline, screenshot] = await Promise.allSettled([
      session.outline({ signal }),
      session.screenshot({ signal }),
    ]);
    return {
      ...(outline.status === 'fulfilled' ? { outline: outline.value } : {}),
      ...(screenshot.status === 'fulfilled' ? { screenshot: screenshot.value } : {}),
    };
  }
}

/** Expects something of an element, such as `await expect(session.get({ text: 'Saved' })).toBeVisible()`. */
export const expect = (locator: Locator, options: ExpectOptions = {}): Expectation =>
  new Expectation(locator, options, false);

/** What was there instead of what was waited for; absent for any other failure. */
function foundBy(error: unknown): string | undefined {
  const { code, detail } = error as { readonly code?: unknown; readonly detail?: unknown };
  return code === 'wait_timeout' && typeof detail === 'string' ? detail : undefined;
}

/** `button "Save" near "Groceries"` */
function inWords({ role, text, id, near, index }: Target): string {
  const words: string[] = [role ?? 'element'];
  if (text !== undefined) words.push(JSON.stringify(text));
  if (id !== undefined) words.push(`with the id ${JSON.stringify(id)}`);
  if (near !== undefined) words.push(`near ${JSON.stringify(near)}`);
  if (index !== undefined) words.push(`number ${index}`);
  return words.join(' ');
}

/** Whole lines of it. */
function shortened(outline: string): string {
  const text = outline.trimEnd();
  if (text.length <= OUTLINE_MAX) return text;
  const cut = text.slice(0, OUTLINE_MAX);
  return `${cut.slice(0, cut.lastIndexOf('\n'))}\n…`;
}

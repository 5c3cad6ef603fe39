import type { OptionsOf } from '../../protocol/actions/methods.ts';
import type { ActionOptions, CallOptions } from './actions.ts';
import type { Completed } from './completed.ts';
import type { SessionHandle, WaitOptions } from './session.ts';
import type { Target, UiAnswer, UiCondition } from './types.ts';

/** An element of the screen, by a selector: it is found anew each time that something is done with it. */
export class Locator {
  readonly session: SessionHandle;
  readonly target: Target;

  constructor(session: SessionHandle, target: Target) {
    this.session = session;
    this.target = target;
  }

  /** Waits for exactly one such element that can be used, and taps it. */
  tap(options?: ActionOptions & { readonly waitMs?: number | undefined }): Promise<Completed<'tapElement'>> {
    return this.session.tapElement(this.target, options);
  }

  /** Scrolls until it is in sight; see `session.scrollTo`. */
  scrollTo(options?: ActionOptions & OptionsOf<'scrollTo'>): Promise<Completed<'scrollTo'>> {
    return this.session.scrollTo(this.target, options);
  }

  /** Waits for exactly one such field, gives it the focus, and types. */
  type(
    text: string,
    options?: ActionOptions & { readonly waitMs?: number | undefined },
  ): Promise<Completed<'typeText'>> {
    return this.session.typeText(text, { ...options, target: this.target });
  }

  /** Waits until it is in sight, or until what is asked of it is so; see `session.waitFor`. */
  waitFor({ timeoutMs, signal, ...asked }: Omit<UiCondition, 'target'> & WaitOptions = {}): Promise<UiAnswer> {
    return this.session.waitFor({ ...asked, target: this.target }, { timeoutMs, signal });
  }

  /** Whether it is in sight now, or what is asked of it is so. */
  async check({ signal, ...asked }: Omit<UiCondition, 'target'> & CallOptions = {}): Promise<UiAnswer> {
    return this.session.check({ ...asked, target: this.target }, { signal });
  }
}

import { RunCloudError } from '../sdk/error.ts';
import type { SessionHandle } from '../sdk/session.ts';
import type { Point, UiNode, UiTree } from '../sdk/types.ts';
import { StepFailure } from './fault.ts';
import { findOne, isThere, middleOf } from './find.ts';
import type { Selector } from './selector.ts';

/** Bounds of the service's wait. */
const WAIT_MS = { min: 100, max: 60_000 } as const;
/** UTF-16 code units of the service's selectors. */
const SELECTOR_MAX = 200;
/** The element has moved or gone since it was found, or cannot be used yet: it is found again. */
const STALE: ReadonlySet<string> = new Set(['ref_expired', 'ref_of_other_frame', 'ref_not_issued', 'target_disabled']);

/** An element that has been found. */
export interface Seen {
  readonly node: UiNode;
  readonly frame: number;
}

/** The screen of a session as flows see it. All waits end by what is on the screen, or by their time. */
export class Screen {
  readonly #session: SessionHandle;
  readonly #signal: AbortSignal;
  /** Milliseconds to wait for an element. */
  readonly waitMs: number;

  constructor(session: SessionHandle, waitMs: number, signal: AbortSignal) {
    this.#session = session;
    this.waitMs = waitMs;
    this.#signal = signal;
  }

  read(): Promise<UiTree> {
    return this.#session.ui({ signal: this.#signal });
  }

  /** Waits for exactly one such element. */
  async find(selector: Selector, waitMs = this.waitMs): Promise<Seen> {
    const due = performance.now() + waitMs;
    let isStill = false;
    for (;;) {
      const { nodes, frame } = await this.read();
      const found = findOne(nodes, selector);
      if (found.kind === 'one') return { node: found.node, frame };
      // Two screens may be there while one replaces the other.
      if (performance.now() >= due || (found.kind === 'several' && isStill)) throw new StepFailure(found.sentence);
      isStill = await this.#change(selector, due);
    }
  }

  /** Waits until such an element is in sight, one or several. */
  async see(selector: Selector, waitMs = this.waitMs): Promise<void> {
    const due = performance.now() + waitMs;
    for (;;) {
      const { nodes } = await this.read();
      if (isThere(nodes, selector)) return;
      if (performance.now() >= due) {
        const found = findOne(nodes, selector);
        throw new StepFailure(found.kind === 'one' ? `There is no ${selector.words} on the screen.` : found.sentence);
      }
      await this.#change(selector, due);
    }
  }

  /** Waits until no such element is in sight. */
  async miss(selector: Selector, waitMs = this.waitMs): Promise<void> {
    const due = performance.now() + waitMs;
    while (isThere((await this.read()).nodes, selector)) {
      if (performance.now() >= due) throw new StepFailure(`${selector.words} is still on the screen.`);
      await this.still();
    }
  }

  /** Whether such an element is in sight, once the screen stands still. */
  async has(selector: Selector): Promise<boolean> {
    await this.still();
    return isThere((await this.read()).nodes, selector);
  }

  /** Whether the screen has come to stand still, within 2 seconds. */
  async still(): Promise<boolean> {
    const { idle } = await this.#session.waitFor({ idle: true }, { signal: this.#signal });
    return idle === 'settled';
  }

  /**
   * Finds the element and does something at it; does so again where the element has changed in between.
   * @param onRef by its reference; without one, or without this, it is `onPoint`
   */
  async act(
    selector: Selector,
    {
      onRef,
      onPoint,
      waitMs = this.waitMs,
    }: {
      readonly onRef?: (ref: string, frame: number) => Promise<unknown>;
      readonly onPoint: (at: Point, node: UiNode) => Promise<unknown>;
      readonly waitMs?: number;
    },
  ): Promise<void> {
    const due = performance.now() + waitMs;
    for (;;) {
      const seen = await this.find(selector, Math.max(0, due - performance.now()));
      const { ref } = seen.node;
      if (ref !== undefined && onRef) {
        try {
          return void (await onRef(ref, seen.frame));
        } catch (error) {
          if (!isStale(error) || performance.now() >= due) throw error;
          await this.still();
        }
      } else if (await this.#stays(seen)) {
        return void (await onPoint(middleOf(seen.node.frame), seen.node));
      } else if (performance.now() >= due) {
        throw new StepFailure(`${selector.words} does not come to stand still.`);
      }
    }
  }

  /** Whether the screen is the same after it has come to stand still: what is done by coordinates must not miss. */
  async #stays({ frame }: Seen): Promise<boolean> {
    await this.still();
    return (await this.read()).frame === frame;
  }

  /** Waits until the element may be there, or until the screen stands still; tells whether it does. */
  async #change({ text }: Selector, due: number): Promise<boolean> {
    const literal = text?.literal;
    const timeoutMs = Math.min(Math.ceil(due - performance.now()), WAIT_MS.max);
    if (literal !== undefined && literal.length <= SELECTOR_MAX && literal.trim() !== '' && timeoutMs >= WAIT_MS.min) {
      const target = { text: literal };
      // A text that is there within a longer one, or with other flags, is waited for by looking again.
      const isPartThere = (await this.#session.check({ target }, { signal: this.#signal })).holds;
      if (!isPartThere) {
        await this.#session.waitFor({ target }, { timeoutMs, signal: this.#signal }).catch(unlessTimeout);
        return false;
      }
    }
    return this.still();
  }
}

const isStale = (error: unknown): boolean => error instanceof RunCloudError && STALE.has(error.code);

function unlessTimeout(error: unknown): void {
  if (!(error instanceof RunCloudError) || error.code !== 'wait_timeout') throw error;
}

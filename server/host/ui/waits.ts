import type { UiAnswer, UiCondition } from '@runcloud/protocol';
import { DeviceFault } from '../../device/fault.ts';
import type { Clock } from '../../flow/clock.ts';
import type { CaptureGate } from '../capture-gate.ts';
import { answerOf, type Judgement, judge } from './conditions.ts';
import type { UiFrames, UiLook } from './ui-frames.ts';

/** Between two looks at the picture. */
const LOOK_MS = 25;
/** An app may tell of its elements after it has drawn them: they are read again although the picture stays. */
const READ_AGAIN_MS = 1_000;
/** A source that takes long is left alone for so many times as long as it took, while the picture stays. */
const READ_AGAIN_FACTOR = 2;

const NOTHING_READ = 'No look at the screen has ended in that time.';

interface Waiter {
  readonly condition: UiCondition;
  readonly resolve: (answer: UiAnswer) => void;
  readonly reject: (error: unknown) => void;
  isJudged: boolean;
  /** What there is instead; called when it is told. */
  found: () => string;
}

/**
 * Waits for something on one device's screen. One look serves all who wait when it begins; the elements are read again when the picture
 * has changed, and now and then. Nothing of it holds up an input.
 */
export class Waits {
  readonly #frames: UiFrames;
  readonly #gate: CaptureGate;
  readonly #clock: Clock;
  readonly #waiting = new Set<Waiter>();
  #isLooking = false;
  /** Ends the look that runs. */
  #look = new AbortController();
  #wake: () => void = () => undefined;
  /** The picture that was there before the newest look, and the time of the next one in any case. */
  #version: number | undefined;
  #display: string | undefined;
  #captures = 0;
  #againMs = 0;

  constructor(frames: UiFrames, gate: CaptureGate, clock: Clock) {
    this.#frames = frames;
    this.#gate = gate;
    this.#clock = clock;
  }

  /** Looks once. Rejects with a `DeviceFault`. */
  async check(condition: UiCondition, signal: AbortSignal): Promise<UiAnswer> {
    const look = await this.#frames.look(signal);
    return answerOf(judge(look, condition), look, this.#frames);
  }

  /** Settles when it is so. Rejects with an `aborted` fault that says what is there instead when the signal is aborted. */
  wait(condition: UiCondition, signal: AbortSignal): Promise<UiAnswer> {
    return new Promise((resolve, reject) => {
      const waiter: Waiter = { condition, resolve, reject, isJudged: false, found: () => NOTHING_READ };
      const abort = (): void => {
        if (!this.#waiting.has(waiter)) return;
        reject(new DeviceFault('aborted', waiter.found()));
        this.#leave(waiter);
      };
      signal.addEventListener('abort', abort, { once: true });
      this.#waiting.add(waiter);
      if (signal.aborted) return abort();
      this.#wake();
      void this.#lookOn();
    });
  }

  /** The device is closed or lost. */
  close(): void {
    for (const waiter of this.#waiting) {
      waiter.reject(new DeviceFault('unreachable', 'The device was closed.'));
      this.#leave(waiter);
    }
  }

  #leave(waiter: Waiter): void {
    this.#waiting.delete(waiter);
    if (this.#waiting.size > 0) return;
    this.#look.abort();
    this.#wake();
  }

  /** Looks until nobody waits. */
  async #lookOn(): Promise<void> {
    if (this.#isLooking) return;
    this.#isLooking = true;
    while (this.#waiting.size > 0) {
      if (await this.#mayDiffer()) await this.#judgeAll();
      if (this.#waiting.size > 0) await this.#pause();
    }
    this.#isLooking = false;
  }

  #pause(): Promise<void> {
    return new Promise((resolve) => {
      const cancel = this.#clock.schedule(LOOK_MS, resolve);
      this.#wake = () => {
        this.#wake = () => undefined;
        cancel();
        resolve();
      };
    });
  }

  async #mayDiffer(): Promise<boolean> {
    // What others have captured since is as good, and leaves them their differences from picture to picture.
    if (this.#gate.newest?.captures === this.#captures || !this.#gate.newest) {
      await this.#gate.capture(() => undefined).catch(() => undefined);
    }
    const { newest } = this.#gate;
    const isChanged = newest === undefined || newest.version !== this.#version || newest.display !== this.#display;
    this.#version = newest?.version;
    this.#display = newest?.display;
    this.#captures = newest?.captures ?? 0;
    if (isChanged || this.#clock.monotonicMs() >= this.#againMs) return true;
    for (const { isJudged } of this.#waiting) if (!isJudged) return true;
    return false;
  }

  async #judgeAll(): Promise<void> {
    const waiting = [...this.#waiting];
    const startMs = this.#clock.monotonicMs();
    this.#look = new AbortController();
    try {
      const look = await this.#frames.look(this.#look.signal);
      for (const waiter of waiting) if (this.#waiting.has(waiter)) this.#judge(waiter, look);
    } catch (error) {
      for (const waiter of waiting) if (this.#waiting.has(waiter)) this.#failed(waiter, error);
    }
    const endMs = this.#clock.monotonicMs();
    this.#againMs = endMs + Math.max(READ_AGAIN_MS, READ_AGAIN_FACTOR * (endMs - startMs));
  }

  #judge(waiter: Waiter, look: UiLook): void {
    let judgement: Judgement;
    try {
      judgement = judge(look, waiter.condition);
      waiter.isJudged = true;
      waiter.found = () => judgement.found(this.#frames.number(look).frame);
      if (!judgement.holds) return;
      waiter.resolve(answerOf(judgement, look, this.#frames));
    } catch (error) {
      waiter.reject(error);
    }
    this.#leave(waiter);
  }

  /** An app that moves, or a device that is busy, may be read the next time. */
  #failed(waiter: Waiter, error: unknown): void {
    if (error instanceof DeviceFault && (error.kind === 'failed' || error.kind === 'unavailable')) {
      waiter.isJudged = true;
      waiter.found = () => error.message;
      return;
    }
    waiter.reject(error);
    this.#leave(waiter);
  }
}

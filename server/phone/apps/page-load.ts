import type { Environment } from '../environment.ts';
import { loadMs, PATIENCE_MS } from '../network.ts';

/** What became of a page that was asked for. */
export type Arrival = 'here' | 'on its way' | 'offline' | 'given up';

/** A page on its way over the network, as slow as that was when it was asked for. */
export class PageLoad {
  readonly #environment: Environment;
  readonly #startMs: number;
  readonly #durationMs: number;
  /** Whether it was asked for without a network. */
  readonly #isLost: boolean;

  constructor(environment: Environment) {
    this.#environment = environment;
    this.#startMs = environment.nowMs();
    this.#isLost = environment.state.network === 'offline';
    this.#durationMs = loadMs(environment.state.networkLimits);
  }

  get arrival(): Arrival {
    if (this.#isLost) return 'offline';
    const passedMs = this.#environment.nowMs() - this.#startMs;
    if (passedMs >= this.#durationMs) return 'here';
    if (this.#environment.state.network === 'offline') return 'offline';
    return passedMs >= PATIENCE_MS ? 'given up' : 'on its way';
  }

  /** How much of it is here, from 0 to 1. */
  get share(): number {
    return Math.min(1, (this.#environment.nowMs() - this.#startMs) / this.#durationMs);
  }
}

import { isDeepStrictEqual } from 'node:util';
import type { Acknowledgement } from '@runcloud/protocol';

/** What was found of the answers of one client; everything is empty where the service keeps its promises. */
export interface AnswerFaults {
  /** Requests without a terminal acknowledgement. */
  readonly lost: readonly string[];
  /** Requests with more terminal acknowledgements than times they were sent. */
  readonly doubled: readonly string[];
  /** Requests with different answers to the same id. */
  readonly unequal: readonly string[];
  /** Requests that were answered behind a later one of the same client. */
  readonly disordered: readonly string[];
}

interface Asked {
  times: number;
  answers: number;
  first: Acknowledgement | undefined;
  /** Its place among those whose answers keep the order in which they were sent, or 0. */
  readonly place: number;
}

/** Judges the terminal acknowledgements of one client as they come. */
export class AnswerCheck {
  readonly #asked = new Map<string, Asked>();
  readonly #keptMax: number;
  readonly #doubled: string[] = [];
  readonly #unequal: string[] = [];
  readonly #disordered: string[] = [];
  #places = 0;
  #lastPlace = 0;
  #open = 0;

  /** @param keptMax so many requests are remembered behind their answers; a later answer to another one counts as doubled */
  constructor(keptMax = Number.POSITIVE_INFINITY) {
    this.#keptMax = keptMax;
  }

  /** Requests without an answer. */
  get open(): number {
    return this.#open;
  }

  isOpen(id: string): boolean {
    const asked = this.#asked.get(id);
    return asked !== undefined && !asked.first;
  }

  /** A request is sent, or sent again. @param ordered whether its answer comes behind those of earlier such requests */
  sent(id: string, ordered = false): void {
    const asked = this.#asked.get(id);
    if (asked) {
      asked.times++;
      return;
    }
    this.#open++;
    this.#asked.set(id, { times: 1, answers: 0, first: undefined, place: ordered ? ++this.#places : 0 });
  }

  /** @returns whether it is the first answer to its request */
  answered(answer: Acknowledgement): boolean {
    const { requestId: id } = answer;
    const asked = this.#asked.get(id);
    if (!asked || ++asked.answers > asked.times) this.#doubled.push(id);
    if (!asked) return false;
    if (asked.first) {
      if (!isDeepStrictEqual(asked.first, answer)) this.#unequal.push(id);
      return false;
    }
    asked.first = answer;
    this.#open--;
    if (asked.place > 0 && asked.place < this.#lastPlace) this.#disordered.push(id);
    this.#lastPlace = Math.max(this.#lastPlace, asked.place);
    this.#forget();
    return true;
  }

  /** To be asked when no answer is to come any more. */
  faults(): AnswerFaults {
    const lost = [...this.#asked].filter(([, { first }]) => !first).map(([id]) => id);
    return { lost, doubled: this.#doubled, unequal: this.#unequal, disordered: this.#disordered };
  }

  #forget(): void {
    for (const [id, { times, answers }] of this.#asked) {
      if (this.#asked.size <= this.#keptMax || answers < times) return;
      this.#asked.delete(id);
    }
  }
}

import { LIMITS } from '@runcloud/protocol/terms';
import { hashOfId } from '../flow/id-hash.ts';
import type { LeaseIds } from './acknowledge.ts';
import type { Ending } from './ending.ts';
import { type Fingerprint, fingerprint, numbersOfTap, TAP_NUMBERS, tapOfNumbers } from './fingerprint.ts';
import type { Request } from './request.ts';

/** A request that ended, with all that its acknowledgement is made from again. */
export interface EndedRequest extends Pick<Request, 'requestId' | 'action' | 'durationMs'> {
  readonly fingerprint: Fingerprint;
  readonly lease: LeaseIds | undefined;
  readonly accepted: { readonly wallMs: number };
  readonly ending: Ending;
}

const ID_BYTES = LIMITS.requestIdCharacters.max;
const CAPACITY_MIN = 16;

/** Columns of numbers of each outcome; those of a tap's body follow. */
const WALL_MS = 0;
const DURATION_MS = 1;
const ENDED_MS = 2;
const TAP = 3;
const NUMBERS = TAP + TAP_NUMBERS;

/**
 * Requests that ended, in the order of their ends: a ring of at most `outcomesKept`, each for `outcomeKeptMs`. Thousands are
 * kept and hardly any is asked for, so that what they cost is the collection of garbage: they lie in arrays of bytes and
 * numbers, found by a table of hashes, and an object is made of the one that is asked for. Most are taps, which need no
 * object at all. As objects in a `Map` they cost 44 % of the taps a second, and the bench's goal `tap`, 50 × 64 in flight
 * (bench/README.md).
 */
export class EndedRequests {
  #capacity = 0;
  #oldest = 0;
  #size = 0;
  #ids = new Uint8Array();
  #idLengths = new Uint8Array();
  #hashes = new Int32Array();
  #numbers = new Float64Array();
  #endings: (Ending | undefined)[] = [];
  #actions: string[] = [];
  /** Absent for taps. */
  #prints: (Fingerprint | undefined)[] = [];
  #leases: (LeaseIds | undefined)[] = [];
  /** By hash, the place in the ring plus one; 0 is free, and the next cell is tried while one is not. */
  #table = new Int32Array(1);

  /** @param nowMs on the monotonic clock */
  find(requestId: string, nowMs: number): EndedRequest | undefined {
    if (this.#size === 0) return undefined;
    this.#forgetOld(nowMs);
    const at = this.#placeOf(requestId, hashOfId(requestId));
    if (at === undefined || this.#isOld(at, nowMs)) return undefined;
    const lease = this.#leases[at];
    return {
      requestId,
      action: this.#actions[at] as string,
      fingerprint: this.#prints[at] ?? tapOfNumbers(requestId, this.#numbers, at * NUMBERS + TAP),
      accepted: { wallMs: this.#number(at, WALL_MS) },
      ending: this.#endings[at] as Ending,
      durationMs: this.#number(at, DURATION_MS),
      lease,
    };
  }

  /** Takes a request that ended just now; the oldest makes room. */
  add(request: Request, ending: Ending, durationMs: number): void {
    const { requestId, action, accepted, spec } = request;
    const at = this.#keep(
      requestId,
      action,
      spec.lease,
      ending,
      accepted.wallMs,
      durationMs,
      accepted.monotonicMs + durationMs,
    );
    const isTap = numbersOfTap(spec.body, this.#numbers, at * NUMBERS + TAP);
    this.#prints[at] = isTap ? undefined : fingerprint(action, spec.body);
  }

  /**
   * Takes a request that ended in a process before this one; they come in the order of their ends, and before all others.
   * @param endedMs on the monotonic clock of this process, which may not have begun then
   */
  restore(
    { requestId, action, accepted, ending, durationMs, lease, fingerprint }: EndedRequest,
    endedMs: number,
  ): void {
    const at = this.#keep(requestId, action, lease, ending, accepted.wallMs, durationMs, endedMs);
    this.#prints[at] = fingerprint;
  }

  /** Keeps all but the fingerprint, behind all others, found by the id from now on. Gives its place. */
  #keep(
    requestId: string,
    action: EndedRequest['action'],
    lease: EndedRequest['lease'],
    ending: Ending,
    wallMs: number,
    durationMs: number,
    endedMs: number,
  ): number {
    this.#forgetOld(endedMs);
    if (this.#size === LIMITS.outcomesKept) this.#forgetOldest();
    else if (this.#size === this.#capacity) this.#grow();
    const at = (this.#oldest + this.#size) % this.#capacity;
    this.#size++;
    const numbersAt = at * NUMBERS;
    this.#numbers[numbersAt + WALL_MS] = wallMs;
    this.#numbers[numbersAt + DURATION_MS] = durationMs;
    this.#numbers[numbersAt + ENDED_MS] = endedMs;
    this.#endings[at] = ending;
    this.#actions[at] = action;
    this.#leases[at] = lease;
    const { length } = requestId;
    this.#idLengths[at] = length;
    for (let index = 0; index < length; index++) this.#ids[at * ID_BYTES + index] = requestId.charCodeAt(index);
    const hash = hashOfId(requestId);
    this.#hashes[at] = hash;
    this.#enter(at, this.#cellOf(requestId, hash));
    return at;
  }

  #number(at: number, column: number): number {
    return this.#numbers[at * NUMBERS + column] as number;
  }

  #isOld(at: number, nowMs: number): boolean {
    return this.#number(at, ENDED_MS) < nowMs - LIMITS.outcomeKeptMs;
  }

  #forgetOld(nowMs: number): void {
    while (this.#size > 0 && this.#isOld(this.#oldest, nowMs)) this.#forgetOldest();
  }

  #forgetOldest(): void {
    const at = this.#oldest;
    this.#leave(at);
    this.#prints[at] = undefined;
    this.#endings[at] = undefined;
    this.#leases[at] = undefined;
    this.#oldest = (at + 1) % this.#capacity;
    this.#size--;
  }

  #placeOf(requestId: string, hash: number): number | undefined {
    const place = this.#table[this.#cellOf(requestId, hash)] as number;
    return place === 0 ? undefined : place - 1;
  }

  /** The cell of this id, or the free one where it would be entered. */
  #cellOf(requestId: string, hash: number): number {
    const mask = this.#table.length - 1;
    let cell = hash & mask;
    for (let place = this.#table[cell] as number; place !== 0; place = this.#table[cell] as number) {
      if (this.#hashes[place - 1] === hash && this.#hasId(place - 1, requestId)) return cell;
      cell = (cell + 1) & mask;
    }
    return cell;
  }

  #hasId(at: number, requestId: string): boolean {
    const { length } = requestId;
    if (this.#idLengths[at] !== length) return false;
    for (let index = 0; index < length; index++) {
      if (this.#ids[at * ID_BYTES + index] !== requestId.charCodeAt(index)) return false;
    }
    return true;
  }

  /** An id that is in use again belongs to the newer request. */
  #enter(at: number, cell: number): void {
    this.#table[cell] = at + 1;
  }

  /** Frees its cell; those behind it move up, so that no search ends before them. */
  #leave(at: number): void {
    const table = this.#table;
    const mask = table.length - 1;
    let free = (this.#hashes[at] as number) & mask;
    while (table[free] !== at + 1) {
      if (table[free] === 0) return;
      free = (free + 1) & mask;
    }
    for (let cell = (free + 1) & mask; table[cell] !== 0; cell = (cell + 1) & mask) {
      const home = (this.#hashes[(table[cell] as number) - 1] as number) & mask;
      if (((cell - home) & mask) < ((cell - free) & mask)) continue;
      table[free] = table[cell] as number;
      free = cell;
    }
    table[free] = 0;
  }

  /** Twice the room, the oldest first, and a table of which at most half is taken. */
  #grow(): void {
    const capacity = Math.min(LIMITS.outcomesKept, Math.max(CAPACITY_MIN, this.#capacity * 2));
    const copied = <T extends Uint8Array | Int32Array | Float64Array>(from: T, to: T, width: number): T => {
      to.set(from.subarray(this.#oldest * width));
      to.set(from.subarray(0, this.#oldest * width), (this.#capacity - this.#oldest) * width);
      return to;
    };
    const turned = <T>(items: readonly T[]): T[] => [...items.slice(this.#oldest), ...items.slice(0, this.#oldest)];
    this.#ids = copied(this.#ids, new Uint8Array(capacity * ID_BYTES), ID_BYTES);
    this.#idLengths = copied(this.#idLengths, new Uint8Array(capacity), 1);
    this.#hashes = copied(this.#hashes, new Int32Array(capacity), 1);
    this.#numbers = copied(this.#numbers, new Float64Array(capacity * NUMBERS), NUMBERS);
    this.#endings = turned(this.#endings);
    this.#actions = turned(this.#actions);
    this.#prints = turned(this.#prints);
    this.#leases = turned(this.#leases);
    const turn = this.#capacity - this.#oldest;
    const old = this.#table;
    this.#table = new Int32Array(2 ** Math.ceil(Math.log2(capacity * 2)));
    for (const place of old) if (place !== 0) this.#enterAnew((place - 1 + turn) % this.#capacity);
    this.#oldest = 0;
    this.#capacity = capacity;
  }

  /** Of an entry that the old table held, and so of no id twice: the first free cell is its own. */
  #enterAnew(at: number): void {
    const mask = this.#table.length - 1;
    let cell = (this.#hashes[at] as number) & mask;
    while (this.#table[cell] !== 0) cell = (cell + 1) & mask;
    this.#table[cell] = at + 1;
  }
}

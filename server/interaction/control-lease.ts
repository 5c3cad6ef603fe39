import type { ControlState } from '@runcloud/protocol';
import { LIMITS, ServiceError } from '@runcloud/protocol/terms';
import type { Clock } from '../flow/clock.ts';
import { isoTimestamp } from '../flow/timestamp.ts';
import type { Participant } from './participant.ts';

/** Somebody who has control, or waits for it. */
interface Place {
  readonly who: Participant;
  /** Since the Unix epoch. */
  readonly sinceMs: number;
  /** When the place ends, on the monotonic clock. The request of a participant who is connected stands without an end. */
  untilMs: number;
}

export interface ControlLeaseOptions {
  readonly clock: Clock;
  /** Whether a participant has an open socket. */
  readonly isConnected: (id: string) => boolean;
  /** Called after each change of who has control or who waits. Renewals are no change. */
  readonly onChange: (state: ControlState) => void;
  /** Called before `onChange` when control has passed to a participant: the touches of all others are to be lifted. */
  readonly onPassed: (to: Participant) => void;
}

/**
 * Decides whose input a session takes. Nobody has control at first, and then everybody may send input. Who has control keeps it
 * by sending input; without any it ends after `LIMITS.controlLeaseMs`, and passes to the first who asked for it and is still
 * there, or to nobody. Every decision is made at once and in the order of the calls, so that all sockets and REST see one order.
 */
export class ControlLease {
  readonly #options: ControlLeaseOptions;
  #holder: Place | undefined;
  /** Who asked for control, in that order. */
  #waiting: Place[] = [];
  #takeBackCheck: () => void = () => undefined;

  constructor(options: ControlLeaseOptions) {
    this.#options = options;
  }

  /** Whether nobody has control. It is quick: each input asks. */
  get isFree(): boolean {
    return this.#holder === undefined;
  }

  /** Who has control and who waits for it, now. */
  state(): ControlState {
    const nowMs = this.#settle();
    const holder = this.#holder;
    return {
      ...(holder ? { holder: { ...described(holder), expiresInMs: Math.ceil(holder.untilMs - nowMs) } } : {}),
      waiting: this.#waiting.map(described),
    };
  }

  /**
   * Lets an input pass, which renews control. Throws `not_in_control` while somebody else has it.
   * @param who absent for a caller that cannot have control
   */
  admit(who: Participant | undefined): void {
    if (!this.#holder) return;
    const nowMs = this.#options.clock.monotonicMs();
    if (this.#holder.untilMs <= nowMs) this.#settle();
    const holder: Place | undefined = this.#holder;
    if (!holder) return;
    if (holder.who.id !== who?.id) throw notInControl(holder, nowMs);
    holder.untilMs = nowMs + LIMITS.controlLeaseMs;
  }

  /** A further step of an input that was let pass. */
  renew(who: Participant | undefined): void {
    if (this.#holder && this.#holder.who.id === who?.id) this.admit(who);
  }

  /** Gives control to whom asks if nobody has it; else they wait. Throws `rate_limited` if too many wait. */
  request(who: Participant): void {
    const nowMs = this.#settle();
    if (!this.#holder || this.#holder.who.id === who.id) return this.#pass(who, nowMs);
    const place = this.#waiting.find((one) => one.who.id === who.id);
    if (place) {
      place.untilMs = nowMs + LIMITS.controlRequestMs;
      return;
    }
    if (this.#waiting.length >= LIMITS.controlRequests) {
      const sentence = `${LIMITS.controlRequests} others wait for control already.`;
      throw new ServiceError('rate_limited', sentence, { retryAfterSeconds: secondsTo(this.#holder.untilMs, nowMs) });
    }
    const sinceMs = Math.floor(this.#options.clock.wallMs());
    this.#waiting.push({ who, sinceMs, untilMs: nowMs + LIMITS.controlRequestMs });
    this.#changed();
  }

  /** Gives the owner control, whoever has it. Throws `owner_required`. */
  take(who: Participant): void {
    if (!who.isOwner) throw new ServiceError('owner_required');
    this.#pass(who, this.#settle());
  }

  /** Gives up control, or withdraws a request; nothing for others. */
  release(who: Participant): void {
    const nowMs = this.#settle();
    if (this.#holder?.who.id === who.id) this.#passOn(nowMs);
    else this.#withdraw(who.id);
  }

  /**
   * Gives control to one who waits.
   * @param by who has control, or the owner; throws `not_in_control` for others
   * @param to throws `control_request_not_found` if they do not wait
   */
  grant(by: Participant, to: string): void {
    const nowMs = this.#settle();
    this.#pass(this.#requested(by, to, nowMs).who, nowMs);
  }

  /** Refuses one who waits. Parameters and errors as for `grant`. */
  deny(by: Participant, to: string): void {
    this.#withdraw(this.#requested(by, to, this.#settle()).who.id);
  }

  /** The socket of a participant has gone. One who is nothing but a socket keeps its place for a moment, to come back. */
  left(who: Participant): void {
    if (this.#isUnused) return;
    const nowMs = this.#settle();
    if (!who.isSocket || this.#options.isConnected(who.id)) return;
    for (const place of this.#waiting) if (place.who.id === who.id) place.untilMs = nowMs + LIMITS.controlGraceMs;
    if (this.#holder?.who.id === who.id) {
      this.#holder.untilMs = Math.min(this.#holder.untilMs, nowMs + LIMITS.controlGraceMs);
    }
    this.#watch(nowMs);
  }

  /** A participant who had left is connected again. */
  returned(who: Participant): void {
    if (this.#isUnused) return;
    const nowMs = this.#settle();
    if (this.#holder?.who.id === who.id) this.#holder.untilMs = nowMs + LIMITS.controlLeaseMs;
  }

  /** Nobody has control or waits for it, as in most sessions: their sockets come and go without a look at the clock. */
  get #isUnused(): boolean {
    return this.#holder === undefined && this.#waiting.length === 0;
  }

  /** The session has ended. */
  close(): void {
    this.#takeBackCheck();
    this.#holder = undefined;
    this.#waiting = [];
  }

  #requested(by: Participant, to: string, nowMs: number): Place {
    if (!by.isOwner && this.#holder?.who.id !== by.id) {
      throw this.#holder
        ? notInControl(this.#holder, nowMs)
        : new ServiceError('not_in_control', 'You have no control to give.');
    }
    const place = this.#waiting.find(({ who }) => who.id === to);
    if (!place) throw new ServiceError('control_request_not_found');
    return place;
  }

  #pass(who: Participant, nowMs: number): void {
    const untilMs = nowMs + LIMITS.controlLeaseMs;
    if (this.#holder?.who.id === who.id) {
      this.#holder.untilMs = untilMs;
      return;
    }
    this.#holder = { who, sinceMs: Math.floor(this.#options.clock.wallMs()), untilMs };
    this.#waiting = this.#waiting.filter((one) => one.who.id !== who.id);
    this.#options.onPassed(who);
    this.#changed();
  }

  /** Control ends where it is. */
  #passOn(nowMs: number): void {
    this.#holder = undefined;
    const { isConnected } = this.#options;
    const next = this.#waiting.find(({ who }) => !who.isSocket || isConnected(who.id));
    if (next) this.#pass(next.who, nowMs);
    else this.#changed();
  }

  #withdraw(id: string): void {
    const left = this.#waiting.filter(({ who }) => who.id !== id);
    if (left.length === this.#waiting.length) return;
    this.#waiting = left;
    this.#changed();
  }

  /** Ends what is over, before anything else is decided. */
  #settle(): number {
    const nowMs = this.#options.clock.monotonicMs();
    const standing = this.#waiting.filter((place) => place.untilMs > nowMs || this.#options.isConnected(place.who.id));
    const lapsed = standing.length < this.#waiting.length;
    this.#waiting = standing;
    if (this.#holder && this.#holder.untilMs <= nowMs) this.#passOn(nowMs);
    else if (lapsed) this.#changed();
    return nowMs;
  }

  #changed(): void {
    this.#watch(this.#options.clock.monotonicMs());
    this.#options.onChange(this.state());
  }

  /** Looks again when the next place may end. Input moves the end of control away without a new timer. */
  #watch(nowMs: number): void {
    this.#takeBackCheck();
    const { clock, isConnected } = this.#options;
    const ends = this.#waiting.filter(({ who }) => !isConnected(who.id)).map(({ untilMs }) => untilMs);
    if (this.#holder) ends.push(this.#holder.untilMs);
    if (ends.length === 0) return;
    this.#takeBackCheck = clock.schedule(Math.min(...ends) - nowMs, () => {
      this.#watch(this.#settle());
    });
  }
}

const described = ({ who, sinceMs }: Place): ControlState['waiting'][number] => {
  const { id, label, isOwner: owner } = who;
  return { id, label, owner, since: isoTimestamp(sinceMs) };
};

const secondsTo = (untilMs: number, nowMs: number): number => Math.max(1, Math.ceil((untilMs - nowMs) / 1_000));

function notInControl({ who, sinceMs, untilMs }: Place, nowMs: number): ServiceError {
  const sentence = `${who.label} has control of this session since ${isoTimestamp(sinceMs)}.`;
  return new ServiceError('not_in_control', sentence, { retryAfterSeconds: secondsTo(untilMs, nowMs) });
}

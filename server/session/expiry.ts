import type { Event } from '@runcloud/protocol';
import { LIMITS } from '@runcloud/protocol/terms';
import type { Clock } from '../flow/clock.ts';
import type { SessionPast } from './session-past.ts';

/** Why a session ends by itself. */
export type ExpiryReason = 'inactivity_timeout' | 'hard_timeout';

/** The times of a session, in milliseconds. */
export interface SessionTimeouts {
  readonly inactivityTimeoutMs: number;
  readonly hardTimeoutMs: number;
}

/** How long ago a session began, and was used last. */
type Past = Pick<SessionPast, 'startedAgoMs' | 'idleMs'>;

/** When a session ends by itself: without use after its inactivity timeout, in any case after its hard timeout. */
export class Expiry {
  readonly #timeouts: SessionTimeouts;
  readonly #clock: Clock;
  readonly #startedMs: number;
  #lastActivityMs: number;

  /** @param past of a session that began before this process */
  constructor(timeouts: SessionTimeouts, clock: Clock, past: Past = { startedAgoMs: 0, idleMs: 0 }) {
    this.#timeouts = timeouts;
    this.#clock = clock;
    const nowMs = clock.monotonicMs();
    this.#startedMs = nowMs - past.startedAgoMs;
    this.#lastActivityMs = nowMs - past.idleMs;
  }

  /** Restarts the inactivity time. */
  touch(): void {
    this.#lastActivityMs = this.#clock.monotonicMs();
  }

  /**
   * Milliseconds until the session ends when nothing more happens, and why it would.
   * @param inUse whether it is being used now, as by an open control socket
   */
  remaining(inUse: boolean): { readonly ms: number; readonly reason: ExpiryReason } {
    const { inactivityTimeoutMs, hardTimeoutMs } = this.#timeouts;
    const nowMs = this.#clock.monotonicMs();
    const hardMs = this.#startedMs + hardTimeoutMs - nowMs;
    const quietMs = inactivityTimeoutMs - this.idleMs(inUse);
    return quietMs < hardMs ? { ms: quietMs, reason: 'inactivity_timeout' } : { ms: hardMs, reason: 'hard_timeout' };
  }

  /** Milliseconds since it was used last. */
  idleMs(inUse: boolean): number {
    return inUse ? 0 : this.#clock.monotonicMs() - this.#lastActivityMs;
  }
}

/** A session whose end is watched. */
export interface Expiring {
  readonly facts: SessionTimeouts & { readonly id: string };
  readonly remaining: ReturnType<Expiry['remaining']>;
  tell(event: Event): void;
}

/** Tells sessions that they are about to end by themselves, and ends them when nothing moved that moment. */
export class ExpiryWatch<Session extends Expiring> {
  readonly #clock: Clock;
  readonly #onExpired: (session: Session, reason: ExpiryReason) => void;
  /** Functions that cancel the next check, by session. */
  readonly #nextChecks = new Map<string, () => void>();

  constructor(clock: Clock, onExpired: (session: Session, reason: ExpiryReason) => void) {
    this.#clock = clock;
    this.#onExpired = onExpired;
  }

  watch(session: Session): void {
    this.#check(session, false);
  }

  /** A timer that is left would keep everything that the session remembers until it fires. */
  forget(id: string): void {
    this.#nextChecks.get(id)?.();
    this.#nextChecks.delete(id);
  }

  /** @param told whether the session was told, and has not been used since */
  #check(session: Session, told: boolean): void {
    const { id, inactivityTimeoutMs } = session.facts;
    const noticeMs = Math.min(LIMITS.sessionExpiringNoticeMs, inactivityTimeoutMs / 2);
    const { ms, reason } = session.remaining;
    if (ms <= 0) return this.#onExpired(session, reason);
    const expiring = ms <= noticeMs;
    if (expiring && !told) session.tell({ type: 'event', event: 'session.expiring', inMs: Math.ceil(ms) });
    // It checks more often close to the end, because each use moves the end away.
    const nextMs = expiring ? Math.min(ms, noticeMs / 4) : ms - noticeMs;
    this.#nextChecks.set(
      id,
      this.#clock.schedule(nextMs, () => this.#check(session, expiring)),
    );
  }
}

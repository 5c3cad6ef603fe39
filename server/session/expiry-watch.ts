import { LIMITS } from '@runcloud/protocol/terms';
import type { Clock } from '../flow/clock.ts';
import type { LiveSession } from './live-session.ts';

export type ExpiryReason = LiveSession['remaining']['reason'];

/** Tells sessions that they are about to end by themselves, and ends them when nothing moved that moment. */
export class ExpiryWatch {
  readonly #clock: Clock;
  readonly #onExpired: (session: LiveSession, reason: ExpiryReason) => void;
  /** Functions that cancel the next check, by session. */
  readonly #nextChecks = new Map<string, () => void>();

  constructor(clock: Clock, onExpired: (session: LiveSession, reason: ExpiryReason) => void) {
    this.#clock = clock;
    this.#onExpired = onExpired;
  }

  watch(session: LiveSession): void {
    this.#check(session, false);
  }

  /** A timer that is left would keep everything that the session remembers until it fires. */
  forget(id: string): void {
    this.#nextChecks.get(id)?.();
    this.#nextChecks.delete(id);
  }

  /** @param told whether the session was told, and has not been used since */
  #check(session: LiveSession, told: boolean): void {
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

import type { Acknowledgement } from '@runcloud/protocol';
import { type Arena, Witness } from './interaction-arena.ts';

/** A test's knowledge of one accepted request. */
interface Known {
  readonly requestId: string;
  /** How it shows among the device's arrivals. */
  readonly arrival: string;
  readonly body: string;
  readonly witnesses: Witness[];
  readonly timeoutMs: number;
  /** Between these moments its time runs out; a live gesture's steps move them. */
  soonestMs: number;
  latestMs: number;
  cancelled: boolean;
}

const GRACE_MS = 5_000;
/** A tick of the wheel for the deadline and one for the grace. */
const SLACK_MS = 22;

/**
 * The promises of a session's interactions, told from outside: who was accepted, what was asked of them, and what the
 * device has seen. `check` compares that with what came out.
 */
export class InteractionModel {
  readonly accepted = new Map<string, Known>();
  readonly #cancelledEarly = new Set<string>();
  readonly #endedUntouched = new Set<string>();
  readonly #arena: Arena;
  /** Requests that the device answered or failed, by their arrival. */
  readonly answered = new Set<string>();
  readonly failed = new Set<string>();
  sessionEnded = false;

  constructor(arena: Arena) {
    this.#arena = arena;
  }

  accept(requestId: string, arrival: string, body: string, timeoutMs: number, cancelled: boolean): Witness {
    const witness = new Witness();
    const dueMs = this.#arena.clock.monotonicMs() + timeoutMs;
    if (cancelled) this.#cancelledEarly.add(arrival);
    const due = { timeoutMs, soonestMs: dueMs, latestMs: dueMs };
    this.accepted.set(requestId, { requestId, arrival, body, witnesses: [witness], ...due, cancelled });
    return witness;
  }

  /** A step of a live gesture starts its time anew, unless that has run out already. */
  renew(requestId: string): void {
    const known = this.accepted.get(requestId);
    if (!known || this.isOver(known) || known.cancelled) return;
    const nowMs = this.#arena.clock.monotonicMs();
    if (nowMs < known.soonestMs) known.soonestMs = nowMs + known.timeoutMs;
    known.latestMs = nowMs + known.timeoutMs;
  }

  isOver({ witnesses }: Known): boolean {
    return witnesses[0]?.status !== undefined;
  }

  /** Throws at the first promise that is broken. */
  check(): void {
    const { clock, scripted } = this.#arena;
    const order = [...this.accepted.values()].map(({ arrival }) => arrival);
    const { arrivals } = scripted;
    expect(new Set(arrivals).size === arrivals.length, 'a request had two effects');
    let place = -1;
    for (const arrival of arrivals) {
      const next = order.indexOf(arrival);
      expect(next > place, `${arrival} overtook another request`);
      place = next;
    }
    expect(scripted.openCalls.length <= 1, 'two requests ran at the same time');
    const pending: Known[] = [];
    for (const known of this.accepted.values()) {
      const arrived = arrivals.includes(known.arrival);
      const early = this.#cancelledEarly.has(known.arrival);
      expect(!early || (known.witnesses[0]?.status === 'cancelled' && !arrived), 'an early cancel was lost');
      if (!this.isOver(known)) {
        pending.push(known);
        expect(clock.monotonicMs() <= known.latestMs + GRACE_MS + SLACK_MS, `${known.requestId} is overdue`);
        expect(arrived || clock.monotonicMs() <= known.latestMs + SLACK_MS, `${known.requestId} waits past its time`);
        continue;
      }
      if (!arrived) this.#endedUntouched.add(known.arrival);
      expect(!arrived || !this.#endedUntouched.has(known.arrival), `${known.requestId} had an effect after its end`);
      this.#checkEnding(known, arrived);
    }
    const [first] = pending;
    expect(!first || arrivals.includes(first.arrival), 'the device is idle while a request waits');
    for (const known of pending.slice(1)) expect(!arrivals.includes(known.arrival), 'two requests ran');
  }

  #checkEnding(known: Known, arrived: boolean): void {
    const { clock } = this.#arena;
    const [acknowledgement] = known.witnesses.map((witness) => witness.acknowledgement);
    if (!acknowledgement) throw new Error('nobody asked');
    for (const witness of known.witnesses) {
      expect(
        JSON.stringify(witness.acknowledgement) === JSON.stringify(acknowledgement),
        'two callers were told two things',
      );
    }
    const { status, durationMs, acceptedAt, completedAt } = acknowledgement as Acknowledgement;
    const { requestId, arrival } = known;
    expect(Date.parse(completedAt) - Date.parse(acceptedAt) === durationMs, `${requestId} has a false duration`);
    if (status === 'completed') expect(arrived && this.answered.has(arrival), `${requestId} was not done`);
    if (status === 'cancelled') expect(known.cancelled, `nobody cancelled ${requestId}`);
    if (status === 'timed_out') expect(clock.monotonicMs() >= known.soonestMs, `${requestId} had time left`);
    if (status === 'failed') {
      expect(this.sessionEnded || (arrived && this.failed.has(arrival)), `${requestId} failed for no reason`);
    }
  }
}

function expect(kept: boolean, broken: string): void {
  if (!kept) throw new Error(broken);
}

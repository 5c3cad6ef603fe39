import type { RecordingEventType, RecordingStatus } from '@runcloud/protocol';
import { newId } from '@runcloud/protocol/terms';
import type { Clock } from '../flow/clock.ts';
import type { RecordingEventRow, RecordingRow } from '../store/recording-row.ts';
import type { RecordingPatch, RecordingTable } from '../store/recording-table.ts';
import { canTransition } from './lifecycle.ts';

/** An event to be written with a change of a recording. */
export interface LogStep {
  readonly type: RecordingEventType;
  readonly detail?: string;
  /** The status at this step, where it is not the one that the move leads to. */
  readonly status?: RecordingStatus;
  /** When it happened, where that was before it is written; milliseconds since the Unix epoch. */
  readonly atMs?: number;
}

/** A move that no recording makes: a fault of ours. */
export class IllegalTransition extends Error {
  override readonly name = 'IllegalTransition';
}

export interface RecordingLogOptions {
  readonly store: Pick<RecordingTable, 'insert' | 'update' | 'get'>;
  readonly clock: Pick<Clock, 'wallMs'>;
  /** Resolves when what was written before the call survives a power cut. Rejects when the disk does not see to that. */
  readonly durable: () => Promise<void>;
  /** Called after each change of status is durable, in their order. */
  readonly onMoved: (row: RecordingRow) => void;
  /** Receives errors of `onMoved`. The change stays, and later changes are reported all the same. */
  readonly onFault: (error: unknown) => void;
}

/**
 * Writes every change of a recording together with its event. The change is written when the call returns, and reported
 * once it is durable.
 */
export class RecordingLog {
  readonly #options: RecordingLogOptions;
  /** Resolves when all that was written has been told; never rejects. */
  #telling: Promise<unknown> = Promise.resolve();

  constructor(options: RecordingLogOptions) {
    this.#options = options;
  }

  get nowMs(): number {
    return Math.floor(this.#options.clock.wallMs());
  }

  get(id: string): RecordingRow | undefined {
    return this.#options.store.get(id);
  }

  create(row: RecordingRow): void {
    this.#options.store.insert(row, this.#event({ type: 'created' }, row.status));
    this.#tell(row);
  }

  /**
   * Resolves when all changes so far are durable and reported. Await it before acknowledging a change, or before an
   * action on it that cannot be undone. Rejects with `store_unavailable`.
   */
  async flushed(): Promise<void> {
    await this.#options.durable();
    await this.#telling;
  }

  /** Throws `IllegalTransition`, `RecordingMoved`, and the store's own errors; then nothing is written or reported. */
  transition(row: RecordingRow, to: RecordingStatus, patch: RecordingPatch, steps: readonly LogStep[]): RecordingRow {
    if (!canTransition(row, to)) throw new IllegalTransition(`a recording goes from ${row.status} to ${to}`);
    const events = steps.map((step) => this.#event(step, to));
    const moved = this.#options.store.update(row, { nextAttemptAtMs: undefined, ...patch, status: to }, events);
    this.#tell(moved);
    return moved;
  }

  /** Writes what was learnt without a change of status. */
  note(row: RecordingRow, patch: RecordingPatch, steps: readonly LogStep[]): RecordingRow {
    const events = steps.map((step) => this.#event(step, row.status));
    return this.#options.store.update(row, patch, events);
  }

  #tell(row: RecordingRow): void {
    // Reports the change even when the disk fails; callers that need durability await `flushed`.
    const { durable, onMoved, onFault } = this.#options;
    const flushed = durable().catch(() => undefined);
    this.#telling = Promise.all([this.#telling, flushed])
      .then(() => onMoved(row))
      .catch(onFault);
  }

  #event({ type, detail, status, atMs }: LogStep, reached: RecordingStatus): RecordingEventRow {
    return {
      id: newId('evt'),
      type,
      atMs: atMs ?? this.nowMs,
      status: status ?? reached,
      ...(detail === undefined ? {} : { detail }),
    };
  }
}

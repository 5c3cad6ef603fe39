import type { RecordingEventType, RecordingStatus } from '@runcloud/protocol';
import { newId } from '@runcloud/protocol/terms';
import type { Clock } from '../flow/clock.ts';
import type { RecordingEventRow, RecordingRow } from '../store/recording-row.ts';
import type { RecordingPatch, RecordingTable } from '../store/recording-table.ts';
import { canMove } from './lifecycle.ts';

/** A step to be told of, before it has its place in the life of its recording. */
export interface Step {
  readonly type: RecordingEventType;
  readonly detail?: string;
  /** The status at this step, where it is not the one that the move leads to. */
  readonly status?: RecordingStatus;
  /** When it happened, where that was before it is written; milliseconds since the Unix epoch. */
  readonly atMs?: number;
}

/** A move that no recording makes: a fault of ours. */
export class IllegalMove extends Error {
  override readonly name = 'IllegalMove';
}

export interface LedgerOptions {
  readonly store: Pick<RecordingTable, 'insert' | 'update' | 'get'>;
  readonly clock: Pick<Clock, 'wallMs'>;
  /** Resolves when what was written before the call survives a power cut. Rejects when the disk does not see to that. */
  readonly durable: () => Promise<void>;
  /** Told of each change of status, in their order, after it has been kept. */
  readonly onMoved: (row: RecordingRow) => void;
  /** Told of what `onMoved` fails with; the change stays, and those after it are told all the same. */
  readonly onFault: (error: unknown) => void;
}

/**
 * Where every change of a recording is written, together with the event that tells of it. It is written when the call
 * returns; nobody hears of it before it is on disk.
 */
export class Ledger {
  readonly #options: LedgerOptions;
  /** Resolves when all that was written has been told; never rejects. */
  #telling: Promise<unknown> = Promise.resolve();

  constructor(options: LedgerOptions) {
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
   * Resolves when everything that was written survives a power cut and was told: whoever acknowledges a change, or acts on
   * it where that cannot be undone, waits for this first. Rejects with `store_unavailable`.
   */
  async kept(): Promise<void> {
    await this.#options.durable();
    await this.#telling;
  }

  /** Throws `IllegalMove`, `RecordingMoved`, and the store's own errors; then nothing is written and nobody is told. */
  move(row: RecordingRow, to: RecordingStatus, patch: RecordingPatch, steps: readonly Step[]): RecordingRow {
    if (!canMove(row, to)) throw new IllegalMove(`a recording goes from ${row.status} to ${to}`);
    const events = steps.map((step) => this.#event(step, to));
    const moved = this.#options.store.update(row, { nextAttemptAtMs: undefined, ...patch, status: to }, events);
    this.#tell(moved);
    return moved;
  }

  /** Writes what was learnt without a change of status. */
  note(row: RecordingRow, patch: RecordingPatch, steps: readonly Step[]): RecordingRow {
    const events = steps.map((step) => this.#event(step, row.status));
    return this.#options.store.update(row, patch, events);
  }

  #tell(row: RecordingRow): void {
    // A disk that keeps nothing any more is told to those who wait for it; what has happened has happened.
    const { durable, onMoved, onFault } = this.#options;
    const kept = durable().catch(() => undefined);
    this.#telling = Promise.all([this.#telling, kept])
      .then(() => onMoved(row))
      .catch(onFault);
  }

  #event({ type, detail, status, atMs }: Step, reached: RecordingStatus): RecordingEventRow {
    return {
      id: newId('evt'),
      type,
      atMs: atMs ?? this.nowMs,
      status: status ?? reached,
      ...(detail === undefined ? {} : { detail }),
    };
  }
}

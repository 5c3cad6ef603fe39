import { LIMITS } from '@runcloud/protocol/terms';
import type { Clock } from '../flow/clock.ts';
import type { WriteRetryQueue } from '../flow/write-retry-queue.ts';
import type { RecordingFinisher } from '../link/recording-finisher.ts';
import type { RecordingOrder } from '../link/recording-messages.ts';
import type { OnFault } from '../observe/log-ids.ts';
import type { RecordingEventTable } from '../store/recording-event-table.ts';
import type { RecordingRow } from '../store/recording-row.ts';
import type { RecordingTable } from '../store/recording-table.ts';
import { ActiveRecordings } from './active-recordings.ts';
import { Downloads } from './downloads.ts';
import { Finalizer } from './finalizer.ts';
import { Posters } from './posters.ts';
import { RecordingFiles } from './recording-files.ts';
import { RecordingLog } from './recording-log.ts';
import { Recordings } from './recordings.ts';
import { Recovery } from './recovery.ts';
import { RemoteObjects } from './remote-objects.ts';
import { type OtherObjects, Retention } from './retention.ts';
import { RetentionClock } from './retention-clock.ts';
import { RetrievalReferences } from './retrieval-references.ts';
import { StoredObjects } from './stored-objects.ts';

export interface RecordingServicesOptions {
  readonly store: RecordingTable;
  readonly events: RecordingEventTable;
  /** Where callers' recordings are read, instead of the store: of an edge, what its hosts have told. */
  readonly told?: ToldRecordings;
  /** Of the store; whoever owns it closes it after these services. */
  readonly writes: WriteRetryQueue;
  readonly finisher: Pick<RecordingFinisher, 'finish' | 'verify' | 'makePoster' | 'store'>;
  /** Whether the finisher has an object store for finished recordings; otherwise they stay in the folder. */
  readonly hasObjectStore?: boolean;
  /** What else lies in the object store and is deleted by the clock of the retention. */
  readonly histories?: OtherObjects;
  readonly clock: Clock;
  /** From 0 up to 1. */
  readonly random: () => number;
  /** Absolute path of the folder for the files. */
  readonly folder: string;
  /** Signs retrieval references. */
  readonly secret: () => Uint8Array;
  readonly bounds: Pick<RecordingOrder, 'maxDurationMs' | 'headroomBytes'>;
  readonly startHeadroomBytes: number;
  /** Resolves when what was written before the call survives a power cut. Rejects when the disk does not see to that. */
  readonly durable: () => Promise<void>;
  /** Told after each change of status. */
  readonly onMoved: (row: RecordingRow) => void;
  readonly onFault: OnFault;
  /** Told when retention deletes nothing because the clock was set. */
  readonly onClockDoubted: () => void;
}

/** Recordings that this process does not make itself. */
export interface ToldRecordings {
  readonly rows: Pick<RecordingTable, 'find' | 'get' | 'list' | 'byIdempotencyKey' | 'active'>;
  readonly events: Pick<RecordingEventTable, 'list'>;
  /** Of hosts that are away, whose objects nobody else deletes now. */
  readonly absent: Omit<OtherObjects, 'remove'>;
}

/** How often retention and recovery run. */
export const SWEEP_INTERVAL_MS = 60_000;

/** The wired services of recordings on the gateway's side; background work starts with `begin`. */
export class RecordingServices {
  readonly recordings: Recordings;
  readonly downloads: Downloads;
  readonly posters: Posters;
  readonly #clock: Clock;
  readonly #onFault: (error: unknown) => void;
  readonly #finalizer: Finalizer;
  readonly #recovery: Recovery;
  readonly #retention: Retention;
  #cancelSweep: () => void = () => undefined;
  #closed = false;

  constructor(options: RecordingServicesOptions) {
    const { store, events, told, writes, finisher, clock, random, durable, onMoved } = options;
    // Errors after `close` are no faults: the work is resumed at the next start.
    const onFault: OnFault = (error, about) => {
      if (!this.#closed) options.onFault(error, about);
    };
    const files = new RecordingFiles(options.folder);
    const log = new RecordingLog({ store, clock, durable, onMoved, onFault });
    const objectStore = options.hasObjectStore ? new RemoteObjects({ finisher, files, onFault }) : undefined;
    const remote = objectStore ? { remote: objectStore } : {};
    const finalizer = new Finalizer({ log, writes, finisher, files, ...remote, clock, random, onFault });
    const { bounds, startHeadroomBytes } = options;
    const active = new ActiveRecordings({ log, writes, finalizer, files, clock, bounds, onFault });
    const { rows, events: shownEvents, absent } = told ?? { rows: store, events, absent: undefined };
    this.recordings = new Recordings({
      store: rows,
      events: shownEvents,
      log,
      writes,
      active,
      files,
      clock,
      startHeadroomBytes,
    });
    const objects = new StoredObjects({ finisher, files, onFault });
    this.downloads = new Downloads({
      store: rows,
      objects,
      ...remote,
      references: new RetrievalReferences(options.secret, clock),
      clock,
    });
    this.posters = new Posters({ store, finisher, files, clock, onFault });
    const strayKeptMs = LIMITS.recordingRetentionMs;
    this.#recovery = new Recovery({ store, log, active, finalizer, files, ...remote, clock, strayKeptMs, onFault });
    const retentionClock = new RetentionClock(clock, store.clockSeenAtMs());
    const onDoubt = options.onClockDoubted;
    const others = objectStore
      ? [
          ...(absent ? [{ ...absent, remove: (id: string) => objectStore.remove(id) }] : []),
          ...(options.histories ? [options.histories] : []),
        ]
      : [];
    this.#retention = new Retention({
      store,
      log,
      files,
      ...remote,
      others,
      clock: retentionClock,
      onFault,
      onDoubt,
    });
    this.#clock = clock;
    this.#onFault = onFault;
    this.#finalizer = finalizer;
  }

  /** Recovers unfinished recordings of earlier runs, now and periodically. Returns their number. */
  begin(): number {
    const unfinished = this.#recovery.adopt();
    this.#recovery.removeStrays().catch(this.#onFault);
    this.#sweepLater(0);
    return unfinished;
  }

  /** Stops background work; unfinished recordings are recovered at the next start. */
  close(): void {
    this.#closed = true;
    this.#cancelSweep();
    this.#finalizer.close();
  }

  async #sweep(): Promise<void> {
    await this.#retention.sweep();
    if (this.#closed) return;
    try {
      this.#recovery.adopt();
    } catch (error) {
      this.#onFault(error);
    }
  }

  #sweepLater(delayMs: number): void {
    this.#cancelSweep = this.#clock.schedule(delayMs, () => {
      void this.#sweep().finally(() => {
        if (!this.#closed) this.#sweepLater(SWEEP_INTERVAL_MS);
      });
    });
  }
}

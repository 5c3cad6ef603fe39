import type { RecordingDetails, RecordingRecord, SessionStatus } from '@runcloud/protocol';
import { LIMITS, newId, placeIn, ServiceError } from '@runcloud/protocol/terms';
import type { Clock } from '../flow/clock.ts';
import { mapPage, type Page, type Span } from '../flow/page.ts';
import { TimeoutError, withTimeout } from '../flow/timeout.ts';
import type { WriteRetryQueue } from '../flow/write-retry-queue.ts';
import type { RemoteDevice } from '../link/remote-device.ts';
import type { RecordingEventTable } from '../store/recording-event-table.ts';
import type { RecordingRow } from '../store/recording-row.ts';
import type { RecordingTable } from '../store/recording-table.ts';
import type { ActiveRecordings } from './active-recordings.ts';
import { startRefusal, storeUnavailable } from './failure.ts';
import { isActive } from './lifecycle.ts';
import type { RecordingFiles } from './recording-files.ts';
import type { RecordingLog } from './recording-log.ts';
import { toRecordingDetails, toRecordingRecord } from './recording-record.ts';

/** A session whose display can be recorded. */
export interface RecordedSession {
  readonly facts: Pick<RecordingRow, 'accountId' | 'organizationId' | 'platform'> & { readonly id: string };
  readonly status: SessionStatus;
  readonly device: Pick<RemoteDevice, 'startRecording'>;
}

/** Where an idempotency key of a recording belongs. */
export type KeyedPlace = Pick<RecordingRow, 'accountId' | 'platform' | 'sessionId'>;

export interface RecordingsOptions {
  readonly store: Pick<RecordingTable, 'find' | 'get' | 'byIdempotencyKey' | 'active' | 'list'>;
  readonly events: Pick<RecordingEventTable, 'list'>;
  readonly log: RecordingLog;
  readonly writes: Pick<WriteRetryQueue, 'flush' | 'hasPending' | 'unlessHeldUp'>;
  readonly active: ActiveRecordings;
  readonly files: Pick<RecordingFiles, 'freeBytes'>;
  readonly clock: Clock;
  /** Nothing starts when the disk has less than this left. */
  readonly startHeadroomBytes: number;
}

/** Maximum wait of a release for its recording, which otherwise is finished in the background. */
const RELEASE_WAIT_MS_MAX = LIMITS.recordingStopWaitMsMax;
/** Time limit at shutdown; unfinished recordings are finished after the next start. */
const DRAIN_WAIT_MS_MAX = 6_000;

/** The recordings service of REST and the control socket. Callers have checked that the session belongs to the account. */
export class Recordings {
  readonly #options: RecordingsOptions;
  #draining = false;

  constructor(options: RecordingsOptions) {
    this.#options = options;
  }

  /**
   * Starts a recording and answers when its first picture is on disk. A repeated idempotency key gives the session's
   * original recording, with `created: false`. Throws `recording_already_active`, `recording_capacity_unavailable`,
   * `active_session_not_found`, `service_draining`, `store_unavailable`, and `recording_failed` when the capture did not
   * begin.
   */
  async start(
    session: RecordedSession,
    idempotencyKey?: string,
  ): Promise<{ readonly created: boolean; readonly record: RecordingRecord }> {
    const place = { ...session.facts, sessionId: session.facts.id };
    const known = this.repeated(place, idempotencyKey);
    if (known !== undefined) return { created: false, record: await known };
    this.#refuse(session);
    const { files, startHeadroomBytes } = this.#options;
    const freeBytes = await files.freeBytes();
    // A request for the same key may have been faster.
    const overtaken = this.repeated(place, idempotencyKey);
    if (overtaken !== undefined) return { created: false, record: await overtaken };
    this.#refuse(session);
    if (freeBytes < startHeadroomBytes) {
      const message = 'There is not enough free disk space for another recording.';
      throw new ServiceError('recording_capacity_unavailable', message, { retryAfterSeconds: 60 });
    }
    const row = this.#create(session, idempotencyKey);
    await this.#options.active.begin(row, session.device);
    const begun = await this.#kept(row).catch((error) => {
      // The caller is told that the start failed, so the screen must not be recorded.
      void this.#options.active.end(row.id, 'Its start could not be kept.').catch(() => undefined);
      throw error;
    });
    if (begun.status === 'failed') throw startRefusal(row.id, begun.failure);
    return { created: true, record: toRecordingRecord(begun) };
  }

  /**
   * The recording that this key has made in the account's session, as `start` gives it, also when the session has ended;
   * `undefined` when there is none.
   */
  repeated(place: KeyedPlace, idempotencyKey: string | undefined): Promise<RecordingRecord> | undefined {
    // A start that was refused for now frees its key, and the end of a recording frees its session, once that is
    // written.
    this.#options.writes.flush();
    if (idempotencyKey === undefined) return undefined;
    const { accountId, platform, sessionId } = place;
    const known = this.#options.store.byIdempotencyKey(sessionId, idempotencyKey);
    return known?.accountId === accountId && known.platform === platform ? this.#settled(known) : undefined;
  }

  /**
   * Stops and finalizes; answers when that has ended, or after 15 s with the recording as it then is. Repeated, and of a
   * recording that has ended: the same. Throws `recording_not_found`, and `store_unavailable` within half a second when
   * the capture has ended and that cannot be written yet: the service goes on trying.
   */
  async stop(sessionId: string, id: string): Promise<RecordingRecord> {
    if (isActive(this.#find(sessionId, id).status)) {
      this.#options.writes.flush();
      await this.#end(id, 'By a caller.', LIMITS.recordingStopWaitMsMax);
    }
    return toRecordingRecord(await this.#kept({ sessionId, id }));
  }

  /** With its events. Throws `recording_not_found`. */
  read(sessionId: string, id: string): RecordingDetails {
    return toRecordingDetails(this.#find(sessionId, id), this.#options.events.list(id));
  }

  /** Newest first, without deleted ones. */
  list(sessionId: string, span: Span): Page<RecordingRecord> {
    return mapPage(this.#options.store.list(sessionId, span), toRecordingRecord);
  }

  /** The session ends: finalizes what it records, and waits for that no longer than a release may, nor for storage in trouble. */
  async endOf(sessionId: string): Promise<void> {
    const row = this.#options.store.active(sessionId);
    if (!row) return;
    await this.#end(row.id, 'The session ended.', this.#draining ? DRAIN_WAIT_MS_MAX : RELEASE_WAIT_MS_MAX);
  }

  /** Refuses new recordings from now on. */
  drain(): void {
    this.#draining = true;
  }

  /** The record of a repeated start: as the first caller gets it, so also once the capture has begun. */
  async #settled({ sessionId, id }: RecordingRow): Promise<RecordingRecord> {
    await this.#options.active.begun(id);
    return toRecordingRecord(await this.#kept({ sessionId, id }));
  }

  #refuse({ status, facts }: RecordedSession): void {
    if (this.#draining) throw new ServiceError('service_draining', undefined, { retryAfterSeconds: 10 });
    if (status !== 'active') throw new ServiceError('active_session_not_found');
    const { store, writes } = this.#options;
    const active = store.active(facts.id);
    if (!active) return;
    if (writes.hasPending(active.id)) throw storeUnavailable();
    const message = `The session already has an active recording: ${active.id} is ${active.status}.`;
    throw new ServiceError('recording_already_active', message);
  }

  #create({ facts }: RecordedSession, idempotencyKey: string | undefined): RecordingRow {
    const { log } = this.#options;
    const createdAtMs = log.nowMs;
    const row: RecordingRow = {
      id: newId('rec', placeIn(facts.id)),
      sessionId: facts.id,
      accountId: facts.accountId,
      organizationId: facts.organizationId,
      platform: facts.platform,
      status: 'starting',
      ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
      createdAtMs,
      retentionExpiresAtMs: createdAtMs + LIMITS.recordingRetentionMs,
      tries: 0,
      recoveries: 0,
    };
    log.create(row);
    return row;
  }

  /**
   * The recording after the change, once it is on disk. Throws `store_unavailable` if the change could not be written or flushed:
   * the record would be out of date, or could be after a power cut.
   */
  async #kept({ sessionId, id }: Pick<RecordingRow, 'sessionId' | 'id'>): Promise<RecordingRow> {
    const { writes, log } = this.#options;
    if (writes.hasPending(id)) throw storeUnavailable();
    await log.flushed();
    return this.#find(sessionId, id);
  }

  #find(sessionId: string, id: string): RecordingRow {
    const row = this.#options.store.find(sessionId, id);
    if (!row) throw new ServiceError('recording_not_found');
    return row;
  }

  async #end(id: string, why: string, waitMsMax: number): Promise<void> {
    const { active, writes, clock } = this.#options;
    try {
      await withTimeout(waitMsMax, clock, writes.unlessHeldUp(id, active.end(id, why)));
    } catch (error) {
      if (!(error instanceof TimeoutError)) throw error;
    }
  }
}

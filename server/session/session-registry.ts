import type { Event, SessionRecord, SessionRequest, SessionStatus } from '@runcloud/protocol';
import { CLOSE, type CloseReason, LIMITS, type Platform, ServiceError } from '@runcloud/protocol/terms';
import type { RateLimiter, RateLimiters } from '../account/rate-limiters.ts';
import type { InstallableApp } from '../device/app-package.ts';
import type { SnapshotSource } from '../device/driver.ts';
import { DeviceFault } from '../device/fault.ts';
import type { Clock } from '../flow/clock.ts';
import { mapPage, type Page, type Span } from '../flow/page.ts';
import { withTimeout } from '../flow/timeout.ts';
import type { WriteRetryQueue } from '../flow/write-retry-queue.ts';
import type { RemoteDevice } from '../link/remote-device.ts';
import type { OnFault } from '../observe/log-ids.ts';
import type { SessionRow } from '../store/session-row.ts';
import type { SessionFilter, SessionTable } from '../store/session-table.ts';
import { type AppClaim, type ClaimApps, type ClaimOneApp, HeldApps } from './app-claim.ts';
import { ExpiryWatch } from './expiry.ts';
import type { Lease } from './lease.ts';
import type { Leases } from './leases.ts';
import type { LiveSession } from './live-session.ts';
import { requestDigest } from './request-digest.ts';
import type { SessionTerms } from './session-past.ts';
import { describeSession, newSessionRow, type Owner, toSessionRecord } from './session-record.ts';
import { SessionRows } from './session-rows.ts';
import { SessionStart } from './session-start.ts';

export interface RegistryOptions {
  readonly store: Pick<
    SessionTable,
    'insert' | 'update' | 'get' | 'list' | 'byIdempotencyKey' | 'forgetIdempotencyKey'
  >;
  readonly writes: WriteRetryQueue;
  readonly leases: Leases;
  readonly clock: Clock;
  readonly claimApps: ClaimApps;
  readonly claimOneApp: ClaimOneApp;
  /** Has uploaded apps brought here; `undefined` where they are here. */
  readonly fetchApps?: (owner: Owner, assetIds: readonly string[]) => Promise<unknown> | undefined;
  /** What a session that names a snapshot begins with. Throws `snapshot_not_found` and `invalid_session_request`. */
  readonly snapshotOf: (owner: Owner, request: SessionRequest) => SnapshotSource | undefined;
  /** How many sessions each account may create in a while; absent where that is not limited. */
  readonly creations?: Pick<RateLimiters, 'of'> | undefined;
  /** Brings a session to life once its device is usable. */
  readonly createLive: (row: SessionRow, lease: Lease, device: RemoteDevice, terms: SessionTerms) => LiveSession;
  /** Called when a session starts to end; the device is kept until the promise settles, which has its own time limit. */
  readonly onEnding: (session: LiveSession) => Promise<void>;
  /** Called when a session has ended; its device may still be resetting. */
  readonly onEnded: (session: LiveSession) => void;
  /** Receives failures that have no caller. */
  readonly onFault: OnFault;
  /** The signed address of a session's viewer. */
  readonly viewerUrl: (row: SessionRow) => string;
  /** This host's mark in the ids of its sessions; absent in a service alone. */
  readonly place?: string | undefined;
}

/** A lease that a session has or had. */
export interface SessionLease {
  readonly deviceId: string;
  readonly leaseId: string;
  readonly session: LiveSession | undefined;
}

/** Maximum wait for devices at shutdown, which must end within ten seconds; their hosts finish the reset. */
const DRAIN_MS_MAX = 5_000;

/** All sessions of this process: their creation, their look-up, and the one place where they end. */
export class SessionRegistry {
  readonly #options: RegistryOptions;
  readonly #live = new Map<string, LiveSession>();
  readonly #rows: SessionRows;
  /** Cache of signed addresses: a signature costs as much as the rest of a read. */
  #urls = new WeakMap<SessionRow, string>();
  readonly #endings = new Map<string, Promise<void>>();
  /** The apps that starting and live sessions hold. */
  readonly #claims = new Map<string, HeldApps>();
  /** Creations on their way, by account and idempotency key. */
  readonly #starting = new Map<string, { readonly digest: string; readonly row: Promise<SessionRow> }>();
  /** Sessions whose device is on its way. */
  readonly #starts = new Map<string, SessionStart>();
  /** Cancel functions of the next expiry checks, by session. */
  readonly #expiry: ExpiryWatch<LiveSession>;
  #draining = false;

  constructor(options: RegistryOptions) {
    this.#options = options;
    const { store, writes, onFault } = options;
    this.#rows = new SessionRows({ store, writes, onFault });
    this.#expiry = new ExpiryWatch(options.clock, (session, reason) => {
      void this.#end(session, 'expired', reason, CLOSE.ended);
    });
  }

  /**
   * Creates a session and answers when its device is usable. A repeated idempotency key gives the session that the key
   * made before, with `created: false`.
   */
  async create(
    owner: Owner,
    request: SessionRequest,
    idempotencyKey: string | undefined,
  ): Promise<{ readonly created: boolean; readonly record: SessionRecord }> {
    const digest = requestDigest(request);
    if (idempotencyKey === undefined) {
      const { id } = await this.#start(owner, request, undefined);
      return { created: true, record: this.read(owner, id) };
    }
    const place = `${owner.accountId} ${idempotencyKey}`;
    const starting = this.#starting.get(place);
    const known = starting ?? this.#knownByKey(owner, idempotencyKey);
    if (known) {
      if (known.digest !== digest) {
        throw new ServiceError('duplicate_request', 'This Idempotency-Key was used with another body.');
      }
      const { id } = await known.row;
      return { created: false, record: this.read(owner, id) };
    }
    const row = this.#start(owner, request, { idempotencyKey, requestDigest: digest });
    this.#starting.set(place, { digest, row });
    try {
      const { id } = await row;
      return { created: true, record: this.read(owner, id) };
    } finally {
      this.#starting.delete(place);
    }
  }

  /** Whether a session was created for this key, or is being created. */
  knowsKey(owner: Pick<Owner, 'accountId'>, idempotencyKey: string): boolean {
    const isStarting = this.#starting.has(`${owner.accountId} ${idempotencyKey}`);
    return isStarting || this.#rows.byIdempotencyKey(owner.accountId, idempotencyKey) !== undefined;
  }

  /** How many sessions have a device. */
  get liveCount(): number {
    return this.#live.size;
  }

  /** The record, also of a session that ended. Throws `session_not_found`. */
  read({ accountId }: Pick<Owner, 'accountId'>, id: string): SessionRecord {
    const row = this.#rows.find(accountId, id);
    if (!row) throw new ServiceError('session_not_found');
    return this.#toRecord(row);
  }

  /** The record of an active session for `ready`. */
  describe(session: LiveSession): Omit<SessionRecord, 'url'> {
    const row = this.#rows.live(session.facts.id);
    if (!row) throw new ServiceError('session_not_found');
    return describeSession(row, this.#expiresAtMs(row), session.control);
  }

  /** Newest first. */
  list({ accountId }: Pick<Owner, 'accountId'>, filter: SessionFilter, span: Span): Page<SessionRecord> {
    return mapPage(this.#options.store.list(accountId, filter, span), (row) => this.#toRecord(this.#rows.latest(row)));
  }

  /** The session that an operation acts on. Throws `active_session_not_found`, whichever of the reasons it has. */
  active({ accountId }: Pick<Owner, 'accountId'>, platform: Platform, id: string): LiveSession {
    const session = this.#live.get(id);
    if (session?.facts.accountId !== accountId || session.facts.platform !== platform || session.status !== 'active') {
      throw new ServiceError('active_session_not_found');
    }
    return session;
  }

  /** The session while it lives, for callers that have looked up its record. */
  live(id: string): LiveSession | undefined {
    return this.#live.get(id);
  }

  /** A resource of the session was requested. A session that has ended stays ended. */
  touch(id: string): void {
    this.#live.get(id)?.touch();
  }

  /** Tells an event to the sockets of a session, if it lives. */
  tell(id: string, event: Event): void {
    this.#live.get(id)?.tell(event);
  }

  /**
   * The lease that an operation acts on; `session` is absent when the lease has ended under its session: while that is
   * being released, and for good once its device was lost. Throws `active_session_not_found` for every other session.
   */
  leased({ accountId }: Pick<Owner, 'accountId'>, platform: Platform, id: string): SessionLease {
    const live = this.#live.get(id);
    if (live?.facts.accountId === accountId && live.facts.platform === platform) {
      const { deviceId, leaseId } = live.lease;
      return { deviceId, leaseId, session: live.status === 'active' ? live : undefined };
    }
    const row = this.#rows.find(accountId, id);
    if (row?.platform !== platform || row.status !== 'failed') throw new ServiceError('active_session_not_found');
    return { deviceId: row.deviceId, leaseId: row.leaseId, session: undefined };
  }

  /**
   * Releases a session; idempotent. Throws `session_not_found`, and `store_unavailable` if the session has ended but its record
   * cannot be written yet.
   */
  async release(owner: Owner, id: string): Promise<SessionRecord> {
    const { id: known } = this.read(owner, id);
    const start = this.#starts.get(known);
    const refusal = new ServiceError('active_session_not_found', 'The session was released while its device started.');
    start?.stop({ status: 'released', reason: 'requested', refusal });
    await start?.over;
    const session = this.#live.get(known);
    if (session) await this.#end(session, 'released', 'requested', CLOSE.ended);
    await this.#rows.written(known);
    return this.read(owner, id);
  }

  /** Refuses new sessions and ends all active ones: acknowledgements first, then the sockets. */
  async drain(): Promise<void> {
    this.#draining = true;
    const starts = [...this.#starts.values()];
    for (const start of starts) start.stop({ status: 'failed', reason: 'server_stopped', refusal: draining() });
    await Promise.all(starts.map(({ over }) => over));
    const sessions = [...this.#live.values()];
    await Promise.all(sessions.map((session) => this.#end(session, 'released', 'server_stopped', CLOSE.draining)));
    const { clock, leases } = this.#options;
    await withTimeout(DRAIN_MS_MAX, clock, leases.allBack()).catch(() => undefined);
  }

  /** Goes on with a session of a process before this one, whose device is open again. To be called before anybody is served. */
  takeUp(row: SessionRow, lease: Lease, device: RemoteDevice, apps: AppClaim, terms: SessionTerms): void {
    this.#rows.hold(row);
    this.#claims.set(row.id, new HeldApps(apps, row.installAssets.length));
    this.#begin({ ...row, device: device.descriptor, orientation: device.firstOrientation }, lease, device, terms);
  }

  /** Ends the session as failed after its device was lost. */
  fail(id: string, reason: string): void {
    const session = this.#live.get(id);
    if (session) void this.#end(session, 'failed', reason, CLOSE.ended);
  }

  #knownByKey({ accountId }: Owner, key: string) {
    const row = this.#rows.byIdempotencyKey(accountId, key);
    return row && { digest: row.requestDigest, row: Promise.resolve(row) };
  }

  async #start(
    owner: Owner,
    request: SessionRequest,
    idempotency: { idempotencyKey: string; requestDigest: string } | undefined,
  ): Promise<SessionRow> {
    if (this.#draining) throw draining();
    const { leases, clock, claimApps, fetchApps, snapshotOf } = this.#options;
    const fetching = fetchApps?.(owner, request.installAssets);
    if (fetching !== undefined) await fetching;
    const snapshot = snapshotOf(owner, request);
    // The request is checked before a device is needed.
    const claim = claimApps(owner, request.platform, request.installAssets);
    let lease: Lease | undefined;
    let row: SessionRow;
    let apps: readonly InstallableApp[];
    try {
      lease = leases.acquire(request, snapshot);
      // A caller that repeats a request while it waits for a free device creates nothing.
      const rateLimiter = this.#creationLimiter(owner);
      apps = claim.apps();
      row = {
        ...newSessionRow(owner, request, lease, Math.floor(clock.wallMs()), this.#options.place),
        ...idempotency,
      };
      this.#rows.insert(row);
      // A creation that could not be written is repeated by its caller, and counts once.
      rateLimiter?.charge();
    } catch (error) {
      lease?.end('healthy');
      claim.release();
      throw error;
    }
    this.#claims.set(row.id, new HeldApps(claim, request.installAssets.length));
    const start = new SessionStart(lease.open(request.orientation, apps, row.id, snapshot));
    this.#starts.set(row.id, start);
    try {
      const device = await withTimeout(LIMITS.sessionStartMsMax, clock, start.device);
      const { deviceId } = lease;
      const orientation = snapshot ? device.firstOrientation : row.orientation;
      const active: SessionRow = { ...row, status: 'active', deviceId, device: device.descriptor, orientation };
      return this.#begin(active, lease, device, request);
    } catch (error) {
      // An aborted start and a refusal with a reason for the caller are not internal errors.
      if (!(error instanceof ServiceError)) this.#options.onFault(error, { sessionId: row.id });
      const { status, reason, refusal } = start.abandon(error);
      lease.end('failed');
      this.#releaseApps(row.id);
      // The key made no session, so the retry that the refusal invites can make one.
      this.#rows.giveUp(row.id, { status, releaseReason: reason, releasedAtMs: Math.floor(clock.wallMs()) });
      throw refusal;
    } finally {
      this.#starts.delete(row.id);
      start.finish();
    }
  }

  /**
   * The bucket that the account's next creation is charged to; absent when creations are not limited. Throws
   * `rate_limited`.
   */
  #creationLimiter({ accountId }: Owner): RateLimiter | undefined {
    const rateLimiter = this.#options.creations?.of({ holder: accountId });
    if (!rateLimiter || rateLimiter.holds()) return rateLimiter;
    const { retryAfterSeconds } = rateLimiter;
    throw new ServiceError('rate_limited', 'The account creates too many sessions.', { retryAfterSeconds });
  }

  #begin(row: SessionRow, lease: Lease, device: RemoteDevice, terms: SessionTerms): SessionRow {
    const session = this.#options.createLive(row, lease, device, terms);
    // Not always the device that was on its way when the session was made.
    const { deviceId, device: descriptor, orientation } = row;
    this.#rows.change(row.id, { status: 'active', deviceId, device: descriptor, orientation });
    this.#live.set(row.id, session);
    this.#expiry.watch(session);
    // A device that is already lost reports it at once, so the session must exist before.
    device.listen({
      lost: () => this.fail(row.id, 'device_lost'),
      orientation: (orientation) => {
        session.orientation = orientation;
        this.#rows.change(row.id, { orientation });
        session.tell({ type: 'event', event: 'orientation', orientation });
      },
      displays: (descriptor) => {
        this.#rows.change(row.id, { device: descriptor });
        session.tell({ type: 'event', event: 'displays', displays: [...(descriptor.displays ?? [])] });
      },
      clipboard: () => session.tell({ type: 'event', event: 'clipboard' }),
      crash: (crash) => session.tell({ type: 'event', event: 'crash', ...crash }),
    });
    return row;
  }

  /** Ends the session, in the one order there is. Later calls join the first. */
  #end(session: LiveSession, status: SessionStatus, reason: string, close: CloseReason): Promise<void> {
    const { id } = session.facts;
    const ending = this.#endings.get(id) ?? this.#endOnce(session, status, reason, close);
    this.#endings.set(id, ending);
    return ending;
  }

  async #endOnce(session: LiveSession, status: SessionStatus, reason: string, close: CloseReason): Promise<void> {
    const { clock, onEnding, onEnded, onFault } = this.#options;
    const { id } = session.facts;
    session.status = 'releasing';
    this.#expiry.forget(id);
    this.#rows.change(id, { status: 'releasing' });
    let healthy = status !== 'failed';
    try {
      // Begun before the interactions are ended, and awaited beside them: both may take seconds.
      const ending = onEnding(session).catch(onFault);
      await session.interactions.end();
      await ending;
    } catch (error) {
      healthy = false;
      onFault(error);
    } finally {
      session.status = status;
      // Undoing the session's changes can take a minute. Only the next session on this device waits for it.
      session.control.close();
      session.lease.end(healthy ? 'healthy' : 'failed', this.#close(session.device));
      this.#releaseApps(id);
      const releasedAtMs = Math.floor(clock.wallMs());
      this.#rows.end(id, { status, releaseReason: reason, releasedAtMs, orientation: session.orientation });
      session.tell({ type: 'event', event: 'session.ended', reason });
      session.closeSockets(close);
      this.#live.delete(id);
      this.#endings.delete(id);
      onEnded(session);
    }
  }

  async #close(device: RemoteDevice): Promise<void> {
    try {
      await device.close();
    } catch (error) {
      // A device that is lost cannot be closed: its host cleans up. Anything else is a fault of ours.
      if (!(error instanceof DeviceFault)) this.#options.onFault(error);
      throw error;
    }
  }

  /** Reads an uploaded app and holds it until the session's end. Throws `asset_not_found` and `invalid_interaction`. */
  claimApp(id: string, assetId: string): InstallableApp {
    const { facts } = this.#live.get(id) ?? {};
    const held = this.#claims.get(id);
    if (!facts || !held) throw new ServiceError('active_session_not_found');
    return held.add(assetId, () => this.#options.claimOneApp(facts, facts.platform, assetId));
  }

  #releaseApps(id: string): void {
    this.#claims.get(id)?.release();
    this.#claims.delete(id);
  }

  /** The signing secret has changed, so addresses are signed anew at each request. */
  forgetAddresses(): void {
    this.#urls = new WeakMap();
  }

  #toRecord(row: SessionRow): SessionRecord {
    return toSessionRecord(row, this.#urlOf(row), this.#expiresAtMs(row), this.#live.get(row.id)?.control);
  }

  #urlOf(row: SessionRow): string {
    const known = this.#urls.get(row);
    if (known !== undefined) return known;
    const url = this.#options.viewerUrl(row);
    this.#urls.set(row, url);
    return url;
  }

  #expiresAtMs(row: SessionRow): number {
    const session = this.#live.get(row.id);
    return session ? Math.floor(this.#options.clock.wallMs() + session.remaining.ms) : row.expiresAtMs;
  }
}

const draining = () => new ServiceError('service_draining', undefined, { retryAfterSeconds: 10 });

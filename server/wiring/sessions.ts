import { join } from 'node:path';
import { LIMITS } from '@runcloud/protocol/terms';
import { RateLimiters } from '../account/rate-limiters.ts';
import { placeOf } from '../fleet/subjects.ts';
import { DeadlineWheel } from '../flow/deadline-wheel.ts';
import { SessionInteractions } from '../interaction/session-interactions.ts';
import type { RemoteDevice } from '../link/remote-device.ts';
import { toRecordingRecord } from '../recording/recording-record.ts';
import { ScreenFanOut } from '../screen/screen-fan-out.ts';
import type { Lease } from '../session/lease.ts';
import { LiveSession } from '../session/live-session.ts';
import { RequestLogs } from '../session/request-logs.ts';
import type { SessionTerms } from '../session/session-past.ts';
import { SessionRegistry } from '../session/session-registry.ts';
import { type TakenUp, takeUp } from '../session/take-up.ts';
import type { SessionRow } from '../store/session-row.ts';
import type { AccountBlock } from './accounts.ts';
import type { DeviceBlock } from './devices.ts';
import type { FileBlock } from './files.ts';
import type { Foundation } from './foundation.ts';
import type { HistoryBlock } from './history.ts';

export type SessionBlock = ReturnType<typeof openSessions>;

/** Opens what the next process finds of this one's sessions. */
export function openRequestLogs({ settings, clock, own, onFault }: Foundation): RequestLogs {
  const requestLogs = new RequestLogs({ folder: join(settings.dataDir, 'request-logs'), clock, onFault });
  own(() => requestLogs.close());
  return requestLogs;
}

/** Goes on with the sessions of a process that was killed whose devices run on. Each has its device before anybody can ask for one. */
export async function takeUpSessions(
  { store, clock, logger }: Foundation,
  { leases }: DeviceBlock,
  { assets }: FileBlock,
  requestLogs: RequestLogs,
  registry: SessionBlock,
): Promise<TakenUp> {
  const takenUp = await takeUp(store.sessions.active(), requestLogs.left(), {
    registry,
    leases,
    claimApps: (owner, platform, assetIds) => assets.claim(owner, platform, assetIds),
    clock,
    onLost: (sessionId, reason) => logger.warn({ sessionId, reason }, 'the device of a session is not back'),
  });
  const { length } = takenUp.live;
  if (length > 0) logger.warn({ sessions: length }, 'sessions of a server that was killed go on');
  return takenUp;
}

/** Ends the sessions of a process that was killed which do not go on. To be called once, before the first new session. */
export function endOthers(
  { store, clock, logger }: Foundation,
  requestLogs: RequestLogs,
  { live, lost }: TakenUp,
): void {
  const releasedAtMs = Math.floor(clock.wallMs());
  for (const id of lost) {
    store.sessions.update(id, { status: 'failed', releaseReason: 'device_lost', releasedAtMs });
  }
  const ended = store.sessions.endUnfinished('server_restarted', releasedAtMs, live) + lost.length;
  requestLogs.removeOthers();
  if (ended > 0) logger.warn({ sessions: ended }, 'sessions of a server that was killed have ended');
}

/** Opens the registry of sessions, with the interactions and screens of each live session. */
export function openSessions(
  { settings, clock, store, hostRecords, writes, metrics, signals, scheduler, own, onFault }: Foundation,
  { tokens, viewerUrl }: AccountBlock,
  { leases }: DeviceBlock,
  { recordings, assets, snapshots }: FileBlock,
  history: HistoryBlock,
  requestLogs: RequestLogs,
) {
  const deadlines = new DeadlineWheel(clock, { onFault });
  own(() => deadlines.close());
  const createLive = (row: SessionRow, lease: Lease, device: RemoteDevice, terms: SessionTerms): LiveSession => {
    const { historyTexts = 'length', historyElements = false, past } = terms;
    const written = history.begin(row.id, historyTexts === 'full', past?.history);
    for (const { entry, ending, durationMs } of past?.history.endings ?? []) written.ended(entry, ending, durationMs);
    const { target } = lease;
    const requestLog =
      device.outlives && target
        ? requestLogs.begin({
            sessionId: row.id,
            target: { driver: target.driver, id: target.id },
            historyTexts,
            historyElements,
          })
        : undefined;
    const interactions = new SessionInteractions({
      identity: { sessionId: row.id, platform: row.platform },
      device,
      clock,
      deadlines,
      journal: requestLog?.around(written) ?? written,
      notesElements: historyElements,
      past: past?.requests,
      onEnded: ({ action, ending, durationMs }) => {
        if (ending) metrics.interactionEnded(row.platform, action, ending.status, durationMs);
      },
      onUnresponsive: () => registry.fail(row.id, 'device_unresponsive'),
      turn: (task) => scheduler.addUnbounded(row.accountId, task),
      claimApp: (assetId) => {
        const claim = () => registry.claimApp(row.id, assetId);
        const fetching = assets.fetchMissing(row, [assetId]);
        return fetching ? fetching.then(claim) : claim();
      },
      onFault,
    });
    metrics.sessionStarted(row.platform);
    const screens = new ScreenFanOut({ device, clock, figures: (encoding) => metrics.screens(encoding) });
    const { orientation } = row;
    const session = new LiveSession({ facts: row, lease, device, interactions, screens, orientation }, clock, past);
    requestLogs.follow(row.id, session);
    return session;
  };
  const registry = new SessionRegistry({
    store: hostRecords?.sessions ?? store.sessions,
    writes,
    leases,
    clock,
    fetchApps: (owner, assetIds) => assets.fetchMissing(owner, assetIds),
    claimApps: (owner, platform, assetIds) => assets.claim(owner, platform, assetIds),
    claimOneApp: (owner, platform, assetId) => assets.claimOne(owner, platform, assetId),
    snapshotOf: (owner, { snapshot, platform, deviceModel }) =>
      snapshot === undefined ? undefined : snapshots.start(owner, snapshot, platform, deviceModel),
    creations:
      settings.rateLimit === 'off'
        ? undefined
        : new RateLimiters(LIMITS.sessionCreationsPerSecond, clock, LIMITS.sessionCreationsAtOnce),
    createLive,
    onFault,
    onEnding: ({ facts }) => {
      requestLogs.forget(facts.id);
      return recordings.recordings.endOf(facts.id);
    },
    onEnded: ({ facts }) => {
      history.end(facts.id);
      signals.emit('sessionEnded');
      metrics.sessionEnded(facts.platform);
    },
    place: settings.fleet?.role === 'host' ? placeOf(settings.fleet.hostName) : undefined,
    viewerUrl: ({ id: sessionId, accountId, expiresAtMs }) =>
      viewerUrl(sessionId, tokens.sign({ sessionId, accountId, role: 'control', expiresAtMs })),
  });
  signals.on('tokensRevoked', () => registry.forgetAddresses());
  signals.on('accountRevoked', () => registry.forgetAddresses());
  signals.on('recordingMoved', (row) =>
    registry.tell(row.sessionId, { type: 'event', event: 'recording', recording: toRecordingRecord(row) }),
  );
  return registry;
}

import type { SessionRequest } from '@runcloud/protocol';
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
import { SessionRegistry } from '../session/session-registry.ts';
import type { SessionRow } from '../store/session-row.ts';
import type { AccountBlock } from './accounts.ts';
import type { DeviceBlock } from './devices.ts';
import type { FileBlock } from './files.ts';
import type { Foundation } from './foundation.ts';
import type { HistoryBlock } from './history.ts';

export type SessionBlock = ReturnType<typeof openSessions>;

/** Opens the registry of sessions, with the interactions and screens of each live session. */
export function openSessions(
  { settings, clock, store, hostRecords, writes, metrics, signals, scheduler, own, onFault }: Foundation,
  { tokens, viewerUrl }: AccountBlock,
  { leases }: DeviceBlock,
  { recordings, assets, snapshots }: FileBlock,
  history: HistoryBlock,
) {
  const deadlines = new DeadlineWheel(clock, { onFault });
  own(() => deadlines.close());
  const createLive = (row: SessionRow, lease: Lease, device: RemoteDevice, request: SessionRequest): LiveSession => {
    const interactions = new SessionInteractions({
      identity: { sessionId: row.id, platform: row.platform },
      device,
      clock,
      deadlines,
      journal: history.begin(row.id, request.historyTexts === 'full'),
      notesElements: request.historyElements ?? false,
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
    return new LiveSession({ facts: row, lease, device, interactions, screens, orientation: row.orientation }, clock);
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
    onEnding: ({ facts }) => recordings.recordings.endOf(facts.id),
    onEnded: ({ facts }) => {
      history.end(facts.id);
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

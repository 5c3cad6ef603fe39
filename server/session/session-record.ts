import type { SessionRecord } from '@runcloud/protocol';
import { isoTimestamp } from '../flow/stamp.ts';
import type { SessionRow } from '../store/session-row.ts';

/** What a client sees of a session. `expiresAtMs` is when a live session would end by itself. */
export function toSessionRecord(row: SessionRow, url: string, expiresAtMs: number = row.expiresAtMs): SessionRecord {
  return {
    id: row.id,
    sessionId: row.id,
    platform: row.platform,
    status: row.status,
    url,
    device: { id: row.deviceId, ...row.device },
    leaseId: row.leaseId,
    orientation: row.orientation,
    createdAt: isoTimestamp(row.createdAtMs),
    expiresAt: isoTimestamp(expiresAtMs),
    inactivityTimeoutMs: row.inactivityTimeoutMs,
    hardTimeoutMs: row.hardTimeoutMs,
    installAssets: [...row.installAssets],
    labels: { ...row.labels },
    ...(row.releasedAtMs === undefined ? {} : { releasedAt: isoTimestamp(row.releasedAtMs) }),
    ...(row.releaseReason === undefined ? {} : { releaseReason: row.releaseReason }),
  };
}

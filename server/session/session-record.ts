import type { SessionRecord, SessionRequest } from '@runcloud/protocol';
import { newId } from '@runcloud/protocol/terms';
import { isoTimestamp } from '../flow/timestamp.ts';
import type { ControlLease } from '../interaction/control-lease.ts';
import type { SessionRow } from '../store/session-row.ts';
import type { Lease } from './lease.ts';

/** The account that asks. Every look-up carries it. */
export interface Owner {
  readonly accountId: string;
  readonly organizationId: string;
}

/**
 * The row of a session whose device is about to start.
 * @param place the host's mark in the ids that it makes
 */
export function newSessionRow(
  { accountId, organizationId }: Owner,
  request: SessionRequest,
  lease: Lease,
  createdAtMs: number,
  place = '',
): SessionRow {
  return {
    id: newId('ses', place),
    accountId,
    organizationId,
    platform: request.platform,
    status: 'starting',
    deviceId: lease.deviceId,
    leaseId: lease.leaseId,
    device: lease.descriptor,
    orientation: request.orientation,
    createdAtMs,
    expiresAtMs: createdAtMs + request.hardTimeoutMs,
    inactivityTimeoutMs: request.inactivityTimeoutMs,
    hardTimeoutMs: request.hardTimeoutMs,
    installAssets: request.installAssets,
    embedOrigins: request.embedOrigins,
    labels: request.labels,
  };
}

/**
 * A session as clients see it.
 * @param expiresAtMs when a live session would end by itself
 * @param control of a live session
 */
export function toSessionRecord(
  row: SessionRow,
  url: string,
  expiresAtMs: number,
  control?: ControlLease,
): SessionRecord {
  return Object.assign(describeSession(row, expiresAtMs, control), { url });
}

function describeDevice({ deviceId, device: { displays, ...device } }: SessionRow): SessionRecord['device'] {
  return { id: deviceId, ...device, ...(displays ? { displays: [...displays] } : {}) };
}

/** The record without its signed address, which would let a viewer with the `view` role become a controller. */
export function describeSession(
  row: SessionRow,
  expiresAtMs: number,
  control?: ControlLease,
): Omit<SessionRecord, 'url'> {
  const record: Omit<SessionRecord, 'url'> = {
    id: row.id,
    sessionId: row.id,
    platform: row.platform,
    status: row.status,
    device: describeDevice(row),
    leaseId: row.leaseId,
    orientation: row.orientation,
    createdAt: isoTimestamp(row.createdAtMs),
    expiresAt: isoTimestamp(expiresAtMs),
    inactivityTimeoutMs: row.inactivityTimeoutMs,
    hardTimeoutMs: row.hardTimeoutMs,
    installAssets: [...row.installAssets],
    labels: { ...row.labels },
  };
  if (control && !control.isFree) record.control = control.state();
  if (row.releasedAtMs !== undefined) record.releasedAt = isoTimestamp(row.releasedAtMs);
  if (row.releaseReason !== undefined) record.releaseReason = row.releaseReason;
  return record;
}

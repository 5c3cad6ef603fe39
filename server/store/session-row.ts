import type { DisplayRecord, Orientation, Platform, SessionStatus } from '@runcloud/protocol';
import type { SqlRow } from './row.ts';

/** The description of a session's device, with the same fields for every driver. */
export interface SessionDevice {
  readonly model: string;
  readonly osVersion: string;
  /** Size of the active display in portrait, in pixels. */
  readonly width: number;
  readonly height: number;
  readonly scale: number;
  readonly driver: string;
  /** Of a device with more than one display. */
  readonly displays?: readonly DisplayRecord[];
}

export interface SessionRow {
  readonly id: string;
  readonly accountId: string;
  readonly organizationId: string;
  readonly platform: Platform;
  readonly status: SessionStatus;
  readonly deviceId: string;
  readonly leaseId: string;
  readonly device: SessionDevice;
  readonly orientation: Orientation;
  readonly createdAtMs: number;
  readonly expiresAtMs: number;
  readonly inactivityTimeoutMs: number;
  readonly hardTimeoutMs: number;
  readonly installAssets: readonly string[];
  readonly embedOrigins: readonly string[];
  readonly labels: Readonly<Record<string, string>>;
  /** Unique within the account. */
  readonly idempotencyKey?: string;
  /** Of the request that made the session: tells a repeated request from another one under the same key. */
  readonly requestDigest?: string;
  readonly releasedAtMs?: number;
  readonly releaseReason?: string;
}

/** The row with its structured fields as JSON text. */
export type SessionRecord = Omit<SqlRow<SessionRow>, JsonField> & Record<JsonField, string>;
type JsonField = 'device' | 'installAssets' | 'embedOrigins' | 'labels';

export function toRecord(row: SessionRow): SessionRecord {
  return {
    ...row,
    device: JSON.stringify(row.device),
    installAssets: JSON.stringify(row.installAssets),
    embedOrigins: JSON.stringify(row.embedOrigins),
    labels: JSON.stringify(row.labels),
    idempotencyKey: row.idempotencyKey ?? null,
    requestDigest: row.requestDigest ?? null,
    releasedAtMs: row.releasedAtMs ?? null,
    releaseReason: row.releaseReason ?? null,
  };
}

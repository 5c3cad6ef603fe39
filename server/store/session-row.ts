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

/** The history of a session that has ended, as it lies in the object store. */
export interface StoredHistory {
  readonly byteSize: number;
  /** 64 hexadecimal digits. */
  readonly sha256: string;
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
  /** Absent until its history is in the object store, and once it is deleted there. */
  readonly history?: StoredHistory;
}

/** The row with its structured fields as JSON text. */
export type SessionRecord = Omit<SqlRow<SessionRow>, JsonField | 'history'> &
  Record<JsonField, string> & { history: string | null };
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
    history: row.history ? JSON.stringify(row.history) : null,
  };
}

import type { ErrorCode } from '../../protocol/errors.ts';
import type { Key } from '../../protocol/keys.ts';
import type { Button, Modifier, Orientation, Platform, RenderOption } from '../../protocol/platforms.ts';
import type { ScreenEncoding } from '../../protocol/screen-packet.ts';

/**
 * The records of the contract as plain interfaces, so that a program's type checker needs only this package. A test compares
 * them with the schemas that the service validates with.
 */

export type { Button, ErrorCode, Key, Modifier, Orientation, Platform, RenderOption, ScreenEncoding };

export type Role = 'control' | 'view';
export type Outcome = 'completed' | 'failed' | 'cancelled' | 'timed_out';
export type SessionStatus = 'starting' | 'active' | 'releasing' | 'released' | 'expired' | 'failed';

/** A position as fractions of the display in its current orientation, from 0 to 1; (0, 0) is the top left. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** Specification, section 2.3. */
export interface GestureStep {
  readonly phase: 'begin' | 'move' | 'end';
  /** Positions of one or two fingers; every step has the same number. */
  readonly points: readonly Point[];
  /** Milliseconds to wait before the next step. */
  readonly delayMs?: number | undefined;
}

export interface ErrorBody {
  readonly code: ErrorCode;
  readonly message: string;
  readonly retryable: boolean;
  /** Advice on what you can do next. */
  readonly action?: string;
}

/** The answer to an interaction (specification, section 2.5), and the envelope of every failure. */
export interface Acknowledgement {
  readonly ok: boolean;
  readonly requestId: string;
  readonly sessionId?: string;
  readonly platform?: Platform;
  readonly action?: string;
  readonly status: Outcome;
  /** ISO 8601, UTC, milliseconds. */
  readonly acceptedAt: string;
  readonly completedAt: string;
  readonly durationMs: number;
  /** This and the next field are present only in failures of `openUrl`. */
  readonly device?: string;
  readonly leaseId?: string;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: ErrorBody;
}

/** One display of a device that has several, such as a foldable. */
export interface DisplayRecord {
  readonly name: string;
  /** Width in pixels, in portrait. */
  readonly width: number;
  readonly height: number;
  readonly scale: number;
  /** Whether it shows the apps and takes the input; exactly one display does. */
  readonly active: boolean;
}

export interface DeviceRecord {
  readonly id: string;
  readonly model: string;
  readonly osVersion: string;
  /** Width of the display in pixels, in portrait; of several displays, of the active one. */
  readonly width: number;
  readonly height: number;
  readonly scale: number;
  /** `virtual` for the embedded device. */
  readonly driver: string;
  /** All displays, the main one first; absent on a device with one. */
  readonly displays?: readonly DisplayRecord[];
}

export interface SessionRecord {
  readonly id: string;
  /** Same as `id`. */
  readonly sessionId: string;
  readonly platform: Platform;
  readonly status: SessionStatus;
  /** Signed address of the viewer; keep it secret, like a key. */
  readonly url: string;
  readonly device: DeviceRecord;
  readonly leaseId: string;
  readonly orientation: Orientation;
  readonly createdAt: string;
  readonly expiresAt: string;
  readonly inactivityTimeoutMs: number;
  readonly hardTimeoutMs: number;
  readonly installAssets: readonly string[];
  readonly labels: Readonly<Record<string, string>>;
  readonly releasedAt?: string;
  readonly releaseReason?: string;
}

/** The options of a new session. Durations have a unit: `90s`, `10m`, `2h`. */
export interface CreateSession {
  readonly platform: Platform;
  readonly deviceModel?: string;
  readonly osVersion?: string;
  readonly orientation?: Orientation;
  /** Default `10m`. */
  readonly inactivityTimeout?: string;
  /** Default `2h`. */
  readonly hardTimeout?: string;
  /** Ids of uploaded apps. */
  readonly installAssets?: readonly string[];
  /** Origins of pages that may embed the viewer. */
  readonly embedOrigins?: readonly string[];
  readonly labels?: Readonly<Record<string, string>>;
}

export interface CreateViewerLink {
  readonly role: Role;
  /** A duration; default `1h`. */
  readonly ttl?: string;
  /** Origin of the page that may embed this link. */
  readonly embedOrigin?: string;
}

export interface CreateKeyRequest {
  /** 1 to 64 characters without line breaks. */
  readonly name: string;
  /** A duration such as `720h`; if absent, the key is valid until it is revoked. */
  readonly ttl?: string;
}

export interface ViewerLink {
  readonly id: string;
  readonly role: Role;
  readonly expiresAt: string;
  readonly embedOrigin?: string;
}

export interface CreatedViewerLink extends ViewerLink {
  /** Signed address of the viewer; no later answer contains it. Keep it secret, like a key. */
  readonly url: string;
}

/** Specification, section 2.6. */
export interface OpenUrlResult {
  readonly ok: true;
  readonly platform: Platform;
  readonly sessionId: string;
  readonly device: string;
  readonly leaseId: string;
  readonly url: string;
}

/** The account of the credential. */
export interface Account {
  readonly id: string;
  readonly organizationId: string;
  readonly name: string;
  /** Absent until a password is set. */
  readonly email?: string;
  readonly createdAt: string;
  readonly credential: { readonly kind: 'key' | 'token' | 'dashboard'; readonly id: string };
}

/** An API key, without the key itself. */
export interface KeyRecord {
  readonly id: string;
  readonly name: string;
  readonly createdAt: string;
  readonly expiresAt?: string;
  /** The key, program or browser that created it; absent if the operator did. */
  readonly mintedBy?: string;
  /** May be up to a minute out of date. */
  readonly lastUsedAt?: string;
}

export interface CreatedKey extends KeyRecord {
  /** The key itself; no later answer contains it. */
  readonly key: string;
}

/** A signed-in program, without its tokens. */
export interface TokenRecord {
  readonly id: string;
  /** The name of the program. */
  readonly client: string;
  /** The name that the program gives its machine. */
  readonly deviceName?: string;
  readonly createdAt: string;
  /** The program must sign in again if it makes no call before this time. */
  readonly expiresAt: string;
  readonly lastUsedAt?: string;
}

/** The number of revoked credentials of each kind. */
export interface RevokedAll {
  readonly keys: number;
  readonly tokens: number;
  readonly signIns: number;
  readonly viewerLinks: number;
  /** The new key, if one was requested: the only credential that is left. */
  readonly newKey?: CreatedKey;
}

/** One prerequisite of devices, and whether the service's host has it. */
export interface Finding {
  readonly what: string;
  readonly state: 'ready' | 'missing' | 'not here';
  /** The finding in one line. */
  readonly detail: string;
  /** How to fix it, if something is missing. */
  readonly fix?: string;
}

/** The prerequisites of devices that the service's host has or lacks. */
export interface DoctorReport {
  readonly findings: readonly Finding[];
}

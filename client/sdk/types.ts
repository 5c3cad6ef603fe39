import type { Key } from '../../protocol/keys.ts';
import type { Button, Modifier, Orientation, Platform, RenderOption } from '../../protocol/platforms.ts';
import type { ScreenEncoding } from '../../protocol/screen-packet.ts';

/**
 * The records of the contract as plain interfaces, so that a program's type checker needs nothing but this package.
 * A test holds them against the schemas that the service validates with.
 */

export type { Button, Key, Modifier, Orientation, Platform, RenderOption, ScreenEncoding };

export type Role = 'control' | 'view';
export type Outcome = 'completed' | 'failed' | 'cancelled' | 'timed_out';
export type SessionStatus = 'starting' | 'active' | 'releasing' | 'released' | 'expired' | 'failed';

/** Shares of the display in its current orientation, each from 0 to 1; (0, 0) is the top left. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** Specification, section 2.3. */
export interface GestureStep {
  readonly phase: 'begin' | 'move' | 'end';
  /** One or two fingers, as many in each step. */
  readonly points: readonly Point[];
  /** Milliseconds to wait before the next step. */
  readonly delayMs?: number | undefined;
}

export interface ErrorBody {
  readonly code: string;
  readonly message: string;
  readonly retryable: boolean;
  /** What can be done next. */
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
  /** These two in failures of `openUrl` only. */
  readonly device?: string;
  readonly leaseId?: string;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: ErrorBody;
}

export interface DeviceRecord {
  readonly id: string;
  readonly model: string;
  readonly osVersion: string;
  /** Pixels of the display in portrait. */
  readonly width: number;
  readonly height: number;
  readonly scale: number;
  /** `virtual` for the embedded device. */
  readonly driver: string;
}

export interface SessionRecord {
  readonly id: string;
  /** Repeats `id`. */
  readonly sessionId: string;
  readonly platform: Platform;
  readonly status: SessionStatus;
  /** Signed address of the viewer: keep it like a key. */
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

/** What a new session is to be; durations are written with a unit: `90s`, `10m`, `2h`. */
export interface CreateSession {
  readonly platform: Platform;
  readonly deviceModel?: string;
  readonly osVersion?: string;
  readonly orientation?: Orientation;
  /** `10m` where absent. */
  readonly inactivityTimeout?: string;
  /** `2h` where absent. */
  readonly hardTimeout?: string;
  /** Ids of uploaded apps. */
  readonly installAssets?: readonly string[];
  /** Origins of pages that may embed the viewer. */
  readonly embedOrigins?: readonly string[];
  readonly labels?: Readonly<Record<string, string>>;
}

export interface CreateViewerLink {
  readonly role: Role;
  /** A duration such as `1h`, which is what stands in for it. */
  readonly ttl?: string;
  /** Origin of the page that may embed this link. */
  readonly embedOrigin?: string;
}

export interface CreateKeyRequest {
  /** 1 to 64 characters in one line. */
  readonly name: string;
  /** A duration such as `720h`; it lives until it is revoked where absent. */
  readonly ttl?: string;
}

export interface ViewerLink {
  readonly id: string;
  readonly role: Role;
  readonly expiresAt: string;
  readonly embedOrigin?: string;
}

export interface CreatedViewerLink extends ViewerLink {
  /** Signed address of the viewer, shown this once: keep it like a key. */
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

/** The account that the credential acts as. */
export interface Account {
  readonly id: string;
  readonly organizationId: string;
  readonly name: string;
  /** Absent until somebody has chosen a password. */
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
  /** The key, program or browser that it was made with; absent for one of the operator. */
  readonly mintedBy?: string;
  /** Behind the truth by up to a minute. */
  readonly lastUsedAt?: string;
}

export interface CreatedKey extends KeyRecord {
  /** The key itself, shown this once. */
  readonly key: string;
}

/** A program that somebody let in, without its tokens themselves. */
export interface TokenRecord {
  readonly id: string;
  /** The name of the program. */
  readonly client: string;
  /** What the program says of the machine that it runs on. */
  readonly deviceName?: string;
  readonly createdAt: string;
  /** It has to sign in again when it has not been used until then. */
  readonly expiresAt: string;
  readonly lastUsedAt?: string;
}

/** How many of each were revoked. */
export interface RevokedAll {
  readonly keys: number;
  readonly tokens: number;
  readonly signIns: number;
  readonly viewerLinks: number;
  /** The only credential that is left, where one was asked for. */
  readonly newKey?: CreatedKey;
}

/** One thing that devices need, and whether the host of the service has it. */
export interface Finding {
  readonly what: string;
  readonly state: 'ready' | 'missing' | 'not here';
  /** What was found, in one line. */
  readonly detail: string;
  /** What puts it right, where something is missing. */
  readonly fix?: string;
}

/** What the host of the service offers, and what it lacks. */
export interface DoctorReport {
  readonly findings: readonly Finding[];
}

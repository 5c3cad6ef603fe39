import type { Target } from '../../protocol/actions/action.ts';
import type { ErrorCode } from '../../protocol/errors.ts';
import type { Key } from '../../protocol/keys.ts';
import type { Button, Modifier, Orientation, Platform, RenderOption } from '../../protocol/platforms.ts';
import type { ScreenEncoding } from '../../protocol/screen-packet.ts';
import type { UiRole } from '../../protocol/ui-roles.ts';
import type { UiState } from '../../protocol/ui-states.ts';
import type { Observed } from './observed.ts';

/**
 * The records of the contract as plain interfaces, so that a program's type checker needs only this package. A test compares
 * them with the schemas that the service validates with.
 */

export type {
  Button,
  ErrorCode,
  Key,
  Modifier,
  Observed,
  Orientation,
  Platform,
  RenderOption,
  ScreenEncoding,
  Target,
  UiRole,
  UiState,
};

/** `view` may only watch; `control` may do everything with the session. */
export type Role = 'control' | 'view';
/** How a request ended. `completed`: the device has taken the input, not that the app has reacted. */
export type Outcome = 'completed' | 'failed' | 'cancelled' | 'timed_out';
/** `starting` and `active` sessions have a device; the others have ended, or are about to. */
export type SessionStatus = 'starting' | 'active' | 'releasing' | 'released' | 'expired' | 'failed';

/** A position as fractions of the display in its current orientation, from 0 to 1; (0, 0) is the top left. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** One step of a gesture: the first is `begin`, the last `end`, all between are `move`. */
export interface GestureStep {
  readonly phase: 'begin' | 'move' | 'end';
  /** Positions of one or two fingers; every step has the same number. */
  readonly points: readonly Point[];
  /** Milliseconds to wait before the next step. */
  readonly delayMs?: number | undefined;
}

/** Why a request failed. */
export interface ErrorBody {
  /** What programs decide by. */
  readonly code: ErrorCode;
  /** A sentence for people. */
  readonly message: string;
  /** Whether the same request may succeed later, unchanged. */
  readonly retryable: boolean;
  /** Advice on what you can do next. */
  readonly action?: string;
}

/** How a request ended: the answer to an interaction, and the envelope of every failure. */
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
  /** Of a request with `observe` that completed. */
  readonly observed?: Observed;
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

/** The device of a session. */
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

/** One of those who may have control of a session: a key, a program, a browser, or one socket of a link. */
export interface ControlParticipant {
  readonly id: string;
  /** A name for people. */
  readonly label: string;
  /** Whether it acts for the account that owns the session. */
  readonly owner: boolean;
  /** When it got control, or asked for it. */
  readonly since: string;
}

/** Who has control of a session, and who waits for it, the first first. */
export interface ControlState {
  /** Absent: everybody may send input. `expiresInMs` counts from the last input. */
  readonly holder?: ControlParticipant & { readonly expiresInMs: number };
  readonly waiting: readonly ControlParticipant[];
}

/** Who you are, and who has control now. */
export interface ControlAnswer {
  readonly participant: { readonly id: string; readonly owner: boolean };
  readonly control: ControlState;
}

/** A session as the service keeps it; times are ISO 8601, UTC, with milliseconds. */
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
  /** When the session ends by itself, unless it is used before. */
  readonly expiresAt: string;
  /** Without any use the session ends after this time. */
  readonly inactivityTimeoutMs: number;
  /** The session ends after this time, whether it is used or not. */
  readonly hardTimeoutMs: number;
  /** Ids of the apps that were installed at its start. */
  readonly installAssets: readonly string[];
  readonly labels: Readonly<Record<string, string>>;
  /** Who has control; absent while nobody has it. */
  readonly control?: ControlState;
  /** When it ended; this and the next field are absent until then. */
  readonly releasedAt?: string;
  readonly releaseReason?: string;
}

/** The options of a new session. Durations have a unit: `90s`, `10m`, `2h`. */
export interface CreateSession {
  readonly platform: Platform;
  /** Such as `Virtual iPhone`; default: any device of the platform. */
  readonly deviceModel?: string;
  /** The version of its system; default: any. */
  readonly osVersion?: string;
  /** Name of the snapshot that the device begins with, which has its own orientation; default: a new device. */
  readonly snapshot?: string;
  readonly orientation?: Orientation;
  /** Default `10m`. */
  readonly inactivityTimeout?: string;
  /** Default `2h`. */
  readonly hardTimeout?: string;
  /** Ids of uploaded apps, to install at the start. */
  readonly installAssets?: readonly string[];
  /** Origins of pages that may embed the viewer. */
  readonly embedOrigins?: readonly string[];
  readonly labels?: Readonly<Record<string, string>>;
  /** Whether the history keeps texts, so that it can be replayed, or their length alone; default `length`. */
  readonly historyTexts?: 'length' | 'full';
  /** Whether the history tells what was on the screen before each input, so that a flow can be made of it; default `false`. */
  readonly historyElements?: boolean;
}

/** The options of a new viewer link. */
export interface CreateViewerLink {
  readonly role: Role;
  /** A duration; default `1h`. */
  readonly ttl?: string;
  /** Origin of the page that may embed this link. */
  readonly embedOrigin?: string;
}

/** The options of a new API key. */
export interface CreateKeyRequest {
  /** 1 to 64 characters without line breaks. */
  readonly name: string;
  /** A duration such as `720h`; if absent, the key is valid until it is revoked. */
  readonly ttl?: string;
}

/** A link that shows or controls a session, without its address. */
export interface ViewerLink {
  readonly id: string;
  readonly role: Role;
  readonly expiresAt: string;
  readonly embedOrigin?: string;
}

/** A new viewer link with its address. */
export interface CreatedViewerLink extends ViewerLink {
  /** Signed address of the viewer; no later answer contains it. Keep it secret, like a key. */
  readonly url: string;
}

/** The caller of a request: `link` is a viewer link, `session` the address in the session's record. */
export interface HistoryOrigin {
  readonly kind: 'key' | 'token' | 'dashboard' | 'link' | 'session';
  readonly id?: string;
  readonly transport: 'socket' | 'rest';
}

/** What the history knows of a request; times are ISO 8601, UTC, with milliseconds. */
interface RequestState {
  readonly requestId: string;
  readonly action: string;
  /** `pending` until the end; `unknown` if the service ended before it knew the outcome. */
  readonly status: 'pending' | Outcome | 'unknown';
  readonly acceptedAt: string;
  /** When it left for the device; absent if it never did. */
  readonly dispatchedAt?: string;
  readonly completedAt?: string;
  /** From `acceptedAt` to `completedAt`. */
  readonly durationMs?: number;
  readonly error?: ErrorBody;
  /** The number of its newest input; a picture with this number or a later one shows its effect. */
  readonly inputSeq?: number;
  /** Of a request with `observe`: what was seen of its effect, without the tree once the session has ended. */
  readonly observed?: Observed;
}

/** How a request stands. */
export interface InteractionState extends RequestState {
  /** As in the acknowledgement, for ten minutes after the end. */
  readonly result?: Readonly<Record<string, unknown>>;
}

/** What was on the screen before an input, and under its finger, in words by which it can be found again. */
export interface Touched {
  /** Name of the foreground. */
  readonly app?: string;
  /** The first heading on the screen. */
  readonly heading?: string;
  /** Under the first finger; absent where nothing has a name, and of inputs without a finger. */
  readonly element?: {
    readonly role: UiRole;
    readonly name?: string;
    readonly id?: string;
    /** Which of those with the same id, or else the same name, from 0 at the top; absent of the only one. */
    readonly index?: number;
    readonly frame: UiNode['frame'];
  };
}

/** One request that acted on the device of a session. */
export interface HistoryEntry extends RequestState {
  /** From 1, in the order of acceptance. */
  readonly seq: number;
  /** The action's own fields; a text is told by its length alone, `textCharacters`, unless the session keeps texts. */
  readonly fields: Readonly<Record<string, unknown>>;
  readonly by: HistoryOrigin;
  /** What was on the screen before it, and under its finger; only of sessions with `historyElements`. */
  readonly touched?: Touched;
  /** How many requests just before this one are missing. */
  readonly lostBefore?: number;
}

/** A URL was opened: the device has taken it and has an app for it, not that the app has reacted. */
export interface OpenUrlResult {
  readonly ok: true;
  readonly platform: Platform;
  readonly sessionId: string;
  readonly device: string;
  readonly leaseId: string;
  readonly url: string;
}

/** The text in a device's clipboard. */
export interface ClipboardText {
  /** The first 10,000 characters at most; empty where the clipboard holds no text. */
  readonly text: string;
  /** Present if the clipboard holds more than that. */
  readonly truncated?: true;
}

/** One element on the screen. A flag that is absent is false. */
export interface UiNode {
  /** Names the element within its frame alone; only elements with actions have one. */
  readonly ref?: string;
  readonly role: UiRole;
  readonly name?: string;
  /** Never that of a secure field. */
  readonly value?: string;
  /** The app's own name of the element, the same each time. */
  readonly id?: string;
  /** The part of it that is in sight, in fractions of the display. */
  readonly frame: { readonly x: number; readonly y: number; readonly width: number; readonly height: number };
  readonly disabled?: true;
  readonly selected?: true;
  /** Of a switch or a checkbox. */
  readonly checked?: boolean;
  /** It gets what is typed. */
  readonly focused?: true;
  readonly secure?: true;
  readonly editable?: true;
  /** Part of the bars of the system. */
  readonly system?: true;
  readonly actions?: readonly ('tap' | 'longPress' | 'type' | 'scroll' | 'adjust')[];
  /** How many elements are out of sight before and after, with the names of the next ones. */
  readonly offScreen?: { readonly before: number; readonly after: number; readonly names: readonly string[] };
  readonly children?: readonly UiNode[];
}

/** What is on the screen. */
export interface UiTree {
  /** Number of this frame, which the refs belong to. It expires when an input is sent. */
  readonly frame: number;
  readonly screen: 'on' | 'off';
  /** Name of the foreground. */
  readonly app?: string;
  readonly orientation: Orientation;
  /** The active display, of a device with more than one. */
  readonly display?: string;
  readonly nodeCount: number;
  /** Present if there are more elements than an answer can hold. */
  readonly truncated?: true;
  /** What the device cannot tell of its elements. */
  readonly missing?: readonly string[];
  /** The outermost elements, as they are drawn. */
  readonly nodes: readonly UiNode[];
}

/** What is asked of an element: one of `is`, `text`, `value` and `count`, or else that it is in sight. */
export interface UiCondition {
  readonly target: Target;
  readonly is?: UiState | undefined;
  /** The whole of its name or value, runs of spaces counted as one. */
  readonly text?: string | undefined;
  /** The whole of its value, letter by letter. */
  readonly value?: string | undefined;
  /** How many elements fit. */
  readonly count?: number | undefined;
  /** It is not so. */
  readonly not?: boolean | undefined;
}

/** What is waited for: a condition, or that the screen stands still. */
export type UiWait = UiCondition | { readonly idle: true };

/** Whether something is so on the screen. */
export interface UiAnswer {
  readonly holds: boolean;
  /** Number of the frame, which the ref of the element belongs to; absent for `idle`. */
  readonly frame?: number;
  /** How many elements fit; absent for `idle`. */
  readonly count?: number;
  /** The element that fits, where there is one. */
  readonly element?: Omit<UiNode, 'children' | 'offScreen'>;
  /** What is there instead, where it is not so. */
  readonly found?: string;
  /** Of `idle` alone: whether the screen stood still, or went on moving for 2 seconds. */
  readonly idle?: 'settled' | 'unsettled';
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

/** A new API key with the key itself. */
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
  readonly state: 'ready' | 'missing' | 'unavailable';
  /** The finding in one line. */
  readonly detail: string;
  /** How to fix it, if something is missing. */
  readonly fix?: string;
}

/** The prerequisites of devices that the service's host has or lacks. */
export interface DoctorReport {
  readonly findings: readonly Finding[];
}

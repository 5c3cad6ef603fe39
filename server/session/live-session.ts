import type { CloseReason, Event, Orientation, Platform, Role, SessionStatus } from '@runcloud/protocol';
import { LIMITS } from '@runcloud/protocol/terms';
import type { Clock } from '../flow/clock.ts';
import { hashOfId } from '../flow/id-hash.ts';
import { type Bearer, Quota } from '../flow/quota.ts';
import { ShortLivedMap } from '../flow/short-lived-map.ts';
import { TokenBucket } from '../flow/token-bucket.ts';
import { ControlLease } from '../interaction/control-lease.ts';
import type { Participant } from '../interaction/participant.ts';
import type { SessionInteractions } from '../interaction/session-interactions.ts';
import type { RemoteDevice } from '../link/remote-device.ts';
import type { ScreenFanOut } from '../screen/screen-fan-out.ts';
import { Expiry } from './expiry.ts';
import type { Lease } from './lease.ts';
import type { SessionPast } from './session-past.ts';
import { SharedScreenshots } from './shared-screenshots.ts';
import { SharedThumbnails } from './shared-thumbnails.ts';

/** When more changes of control come than are told at once. */
const CONTROL_TOLD_AFTER_MS = 100;

/** Sockets that are told of a change in one turn of the event loop: each is a write. */
const TOLD_PER_TURN = 16;

/** A socket that is connected to a session, as the session sees it. */
export interface SessionSocket {
  readonly id: string;
  readonly role: Role;
  readonly bearer: Bearer;
  /** Absent for a socket that cannot have control. */
  readonly participant?: Participant | undefined;
  /** Ends its live gestures, since somebody else has control now; absent where there are none. */
  liftTouches?(): void;
  tell(event: Event): void;
  end(reason: CloseReason): void;
}

/** The properties that stay the same for the session's life. */
export interface SessionFacts {
  readonly id: string;
  readonly accountId: string;
  readonly organizationId: string;
  readonly platform: Platform;
  readonly createdAtMs: number;
  readonly inactivityTimeoutMs: number;
  readonly hardTimeoutMs: number;
  readonly embedOrigins: readonly string[];
}

/** How many sockets the bearers of one session may open. */
export const SOCKET_TERMS = {
  things: 'sockets',
  total: LIMITS.socketsPerSession,
  forKeys: LIMITS.socketsForKeys,
  perLink: LIMITS.socketsPerLink,
  kept: { sessionLink: LIMITS.socketsKeptForSessionLink, viewerLink: LIMITS.socketsKeptPerViewerLink },
  retryAfterSeconds: 5,
} as const;

/** An active session: its device is ready for operations. */
export class LiveSession {
  readonly facts: SessionFacts;
  readonly lease: Lease;
  readonly device: RemoteDevice;
  readonly interactions: SessionInteractions;
  readonly screenshots: SharedScreenshots;
  readonly thumbnails: SharedThumbnails;
  readonly screens: ScreenFanOut;
  /** How many sockets each bearer may open. */
  readonly socketQuota: Quota;
  /** How many reads and writes of the clipboard are accepted. */
  readonly clipboardAllowance: TokenBucket;
  /** How many reads of what is on the screen are accepted. */
  readonly uiAllowance: TokenBucket;
  /** Whose input the session takes. */
  readonly control: ControlLease;
  /** How many calls about control are accepted from viewer links. */
  readonly controlAllowance: TokenBucket;
  status: SessionStatus = 'active';
  orientation: Orientation;
  readonly #expiry: Expiry;
  readonly #sockets = new ShortLivedMap<string, SessionSocket>(hashOfId);
  /** They have lost their sockets and may get others: they are told events, and count nowhere. */
  readonly #away = new ShortLivedMap<string, SessionSocket>(hashOfId);
  /** How many changes of control are told at once: each is told to every socket. */
  readonly #controlTellings: TokenBucket;
  #isControlToldLater = false;
  #controlling = 0;

  constructor(
    parts: Pick<LiveSession, 'facts' | 'lease' | 'device' | 'interactions' | 'screens' | 'orientation'>,
    clock: Clock,
    past?: SessionPast,
  ) {
    this.facts = parts.facts;
    this.lease = parts.lease;
    this.device = parts.device;
    this.interactions = parts.interactions;
    this.screenshots = new SharedScreenshots(parts.device, clock);
    this.thumbnails = new SharedThumbnails(parts.device, clock);
    this.screens = parts.screens;
    this.orientation = parts.orientation;
    this.socketQuota = new Quota(SOCKET_TERMS, clock);
    this.clipboardAllowance = new TokenBucket(LIMITS.clipboardCallsPerSecond, clock);
    this.uiAllowance = new TokenBucket(LIMITS.uiReadsPerSecond, clock);
    this.controlAllowance = new TokenBucket(LIMITS.controlCallsPerSecond, clock);
    this.#controlTellings = new TokenBucket(LIMITS.controlCallsPerSecond, clock);
    this.control = new ControlLease({
      clock,
      isConnected: (id) => [...this.#sockets.values()].some(({ participant }) => participant?.id === id),
      onChange: () => this.#tellControl(clock),
      onPassed: ({ id }) => {
        for (const socket of [...this.#sockets.values()]) if (socket.participant?.id !== id) socket.liftTouches?.();
      },
    });
    this.interactions.obey(this.control);
    this.#expiry = new Expiry(parts.facts, clock, past);
  }

  /**
   * Restarts the inactivity time: the session was used without a controlling socket. Such a socket keeps it active by
   * being open.
   */
  touch(): void {
    this.#expiry.touch();
  }

  /** Milliseconds until the session times out without further activity, and which timeout that is. */
  get remaining(): ReturnType<Expiry['remaining']> {
    return this.#expiry.remaining(this.#controlling > 0);
  }

  /** Milliseconds since it was used last. */
  get idleMs(): number {
    return this.#expiry.idleMs(this.#controlling > 0);
  }

  /** The sockets of each role. */
  get viewers(): { readonly control: number; readonly view: number } {
    return { control: this.#controlling, view: this.#sockets.size - this.#controlling };
  }

  connect(socket: SessionSocket): void {
    if (this.#sockets.get(socket.id)) return;
    this.#sockets.set(socket.id, socket);
    this.#away.take(socket.id);
    this.socketQuota.add(socket.bearer);
    if (socket.role === 'control') this.#controlling++;
    if (socket.participant) this.control.returned(socket.participant);
  }

  /** @param mayReturn it is told events until it connects again, or is disconnected for good */
  disconnect(socket: SessionSocket, mayReturn = false): void {
    if (mayReturn) this.#away.set(socket.id, socket);
    else this.#away.take(socket.id);
    if (!this.#sockets.take(socket.id)) return;
    this.socketQuota.giveBack(socket.bearer);
    if (socket.role !== 'control') return;
    this.#controlling--;
    if (socket.participant) this.control.left(socket.participant);
    // A controlling socket counts as activity up to its end.
    this.touch();
  }

  tell(event: Event): void {
    // Whoever is told may lose its socket, or have another one given up.
    for (const socket of [...this.#sockets.values(), ...this.#away.values()]) socket.tell(event);
  }

  /**
   * Tells the sockets that are connected now, a few in each turn of the event loop: hundreds of writes at once would hold up
   * everybody's input. Resolves when all are told.
   */
  async tellInTurns(event: Event): Promise<void> {
    const sockets = [...this.#sockets.values()];
    for (let told = 0; told < sockets.length; told += TOLD_PER_TURN) {
      if (told > 0) await new Promise(setImmediate);
      for (const socket of sockets.slice(told, told + TOLD_PER_TURN)) socket.tell(event);
    }
  }

  /** Changes that come too often are told together, a moment later, as they then stand. */
  #tellControl(clock: Clock): void {
    if (this.#controlTellings.take()) {
      return this.tell({ type: 'event', event: 'control', control: this.control.state() });
    }
    if (this.#isControlToldLater) return;
    this.#isControlToldLater = true;
    clock.schedule(CONTROL_TOLD_AFTER_MS, () => {
      this.#isControlToldLater = false;
      this.#tellControl(clock);
    });
  }

  closeSockets(reason: CloseReason): void {
    for (const socket of [...this.#sockets.values(), ...this.#away.values()]) socket.end(reason);
  }
}

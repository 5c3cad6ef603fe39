import type { CloseReason, Event, Orientation, Platform, Role, SessionStatus } from '@runcloud/protocol';
import type { Clock } from '../flow/clock.ts';
import type { SessionInteractions } from '../interaction/session-interactions.ts';
import type { RemoteDevice } from '../link/remote-device.ts';
import type { ScreenFanOut } from '../screen/screen-fan-out.ts';
import { Expiry } from './expiry.ts';
import type { Lease } from './lease.ts';
import { SharedScreenshots } from './shared-screenshots.ts';
import { SharedThumbnails } from './shared-thumbnails.ts';

/** A socket that is connected to a session, as the session sees it. */
export interface SessionSocket {
  readonly role: Role;
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

/** An active session: its device is ready for operations. */
export class LiveSession {
  readonly facts: SessionFacts;
  readonly lease: Lease;
  readonly device: RemoteDevice;
  readonly interactions: SessionInteractions;
  readonly screenshots: SharedScreenshots;
  readonly thumbnails: SharedThumbnails;
  readonly screens: ScreenFanOut;
  status: SessionStatus = 'active';
  orientation: Orientation;
  readonly #expiry: Expiry;
  readonly #sockets = new Set<SessionSocket>();
  #controlling = 0;

  constructor(
    parts: Pick<LiveSession, 'facts' | 'lease' | 'device' | 'interactions' | 'screens' | 'orientation'>,
    clock: Clock,
  ) {
    this.facts = parts.facts;
    this.lease = parts.lease;
    this.device = parts.device;
    this.interactions = parts.interactions;
    this.screenshots = new SharedScreenshots(parts.device);
    this.thumbnails = new SharedThumbnails(parts.device, clock);
    this.screens = parts.screens;
    this.orientation = parts.orientation;
    this.#expiry = new Expiry(parts.facts, clock);
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

  /** The sockets of each role. */
  get viewers(): { readonly control: number; readonly view: number } {
    return { control: this.#controlling, view: this.#sockets.size - this.#controlling };
  }

  connect(socket: SessionSocket): void {
    if (socket.role === 'control' && !this.#sockets.has(socket)) this.#controlling++;
    this.#sockets.add(socket);
  }

  disconnect(socket: SessionSocket): void {
    if (!this.#sockets.delete(socket) || socket.role !== 'control') return;
    this.#controlling--;
    // A controlling socket counts as activity up to its end.
    this.touch();
  }

  tell(event: Event): void {
    for (const socket of this.#sockets) socket.tell(event);
  }

  closeSockets(reason: CloseReason): void {
    for (const socket of [...this.#sockets]) socket.end(reason);
  }
}

import { CLOSE, LIMITS } from '@runcloud/protocol/terms';
import type { Clock } from '../flow/clock.ts';
import { hashOfId } from '../flow/id-hash.ts';
import { ShortLivedMap } from '../flow/short-lived-map.ts';
import type { LiveSession } from '../session/live-session.ts';
import type { ControlConnection } from './control-connection.ts';
import { RING_TICK_MS, type RingMemory } from './message-ring.ts';
import type { Credential } from './upgrade.ts';

/** Connections without a socket, and kept messages, of all accounts together. */
const AWAY_MAX = 16_384;
const RING_BYTES_MAX = 268_435_456;

/** `resume=<id>.<epoch>.<count>`: the connection, its epoch and how many of its messages the client has. */
const RESUME = /^(con_[0-9A-Za-z]{22})\.(\d{1,9})\.(\d{1,15})$/;

/** What a client says of the connection that it wants to resume. */
export interface ResumeClaim {
  readonly session: LiveSession;
  readonly credential: Credential;
  readonly epoch: number;
  /** How many messages the client has. */
  readonly count: number;
}

export interface Found {
  readonly connection: ControlConnection;
  /** How many messages the client has. */
  readonly count: number;
}

/** Connections in the order in which they lost their sockets, each with the time at which it is given up. */
type Away = ShortLivedMap<string, { readonly connection: ControlConnection; readonly untilMs: number }>;
const nobody = (): Away => new ShortLivedMap(hashOfId);

/** What connections of one account use. */
interface Share {
  readonly away: Away;
  readonly memory: RingMemory;
  connections: number;
  ringBytes: number;
}

/**
 * Every control connection of this process by its id, with a socket or without. One without a socket is kept for a while;
 * past a bound, the one that lost its socket first is given up.
 */
export class ResumableConnections {
  readonly #clock: Clock;
  readonly #byId = new ShortLivedMap<string, ControlConnection>(hashOfId);
  readonly #away = nobody();
  readonly #shares = new Map<string, Share>();
  #ringBytes = 0;
  #isTicking = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get all(): readonly ControlConnection[] {
    return [...this.#byId.values()];
  }

  /**
   * The connection that a client with this credential may resume. Nothing tells why there is none: an unknown one, another
   * client's, and an altered or outdated value look the same.
   */
  find(value: string, session: LiveSession, credential: Credential): Found | undefined {
    const [, id, epoch, count] = RESUME.exec(value) ?? [];
    const connection = id === undefined ? undefined : this.#byId.get(id);
    if (!connection?.mayBeResumed({ session, credential, epoch: Number(epoch), count: Number(count) }))
      return undefined;
    if ((this.#away.get(connection.id)?.untilMs ?? Number.POSITIVE_INFINITY) < this.#clock.monotonicMs())
      return undefined;
    return { connection, count: Number(count) };
  }

  /** The memory of the rings of an account, or of its guests. */
  memoryOf(party: string): RingMemory {
    return this.#shareOf(party).memory;
  }

  add(connection: ControlConnection): void {
    this.#byId.set(connection.id, connection);
    this.#shareOf(connection.credential.party).connections++;
    if (!this.#isTicking) this.#tickLater();
  }

  /** It has lost its socket. */
  left(connection: ControlConnection): void {
    const untilMs = this.#clock.monotonicMs() + LIMITS.resumeWindowMs;
    const { away } = this.#shareOf(connection.credential.party);
    away.set(connection.id, { connection, untilMs });
    this.#away.set(connection.id, { connection, untilMs });
    if (away.size > LIMITS.resumableConnectionsPerAccount) giveUpOldest(away);
    if (this.#away.size > AWAY_MAX) giveUpOldest(this.#away);
  }

  /** It has a socket again. */
  returned(connection: ControlConnection): void {
    this.#away.take(connection.id);
    this.#shares.get(connection.credential.party)?.away.take(connection.id);
  }

  /** It is over. */
  remove(connection: ControlConnection): void {
    this.returned(connection);
    const { party } = connection.credential;
    const share = this.#shares.get(party);
    if (!this.#byId.take(connection.id) || !share) return;
    share.connections--;
    if (share.connections === 0) this.#shares.delete(party);
  }

  #shareOf(party: string): Share {
    const known = this.#shares.get(party);
    if (known) return known;
    const take = (bytes: number) => {
      while (share.ringBytes + bytes > LIMITS.resumeBytesPerAccount) if (!giveUpOldest(share.away)) return false;
      while (this.#ringBytes + bytes > RING_BYTES_MAX) if (!giveUpOldest(this.#away)) return false;
      share.ringBytes += bytes;
      this.#ringBytes += bytes;
      return true;
    };
    const give = (bytes: number) => {
      share.ringBytes -= bytes;
      this.#ringBytes -= bytes;
    };
    const share: Share = { away: nobody(), memory: { take, give }, connections: 0, ringBytes: 0 };
    this.#shares.set(party, share);
    return share;
  }

  /** One timer for all connections; none while there are no connections. */
  #tickLater(): void {
    this.#isTicking = true;
    this.#clock.schedule(RING_TICK_MS, () => {
      const nowMs = this.#clock.monotonicMs();
      for (const { connection, untilMs } of this.#away.values()) {
        if (untilMs > nowMs) break;
        connection.end(CLOSE.moved);
      }
      for (const connection of this.#byId.values()) connection.ring.age();
      if (this.#byId.size > 0) this.#tickLater();
      else this.#isTicking = false;
    });
  }
}

function giveUpOldest(away: Away): boolean {
  const [oldest] = away.values();
  oldest?.connection.end(CLOSE.moved);
  return oldest !== undefined;
}

import type { Principal } from '../account/authenticator.ts';
import type { SentAsset } from '../asset/assets.ts';
import type { ChannelFigures } from '../observe/channel-counts.ts';
import type { StockCount } from '../session/leases.ts';
import type { HeaderName } from '../socket/http.ts';
import type { HostReport } from '../store/host-session-table.ts';

/** What edges and hosts tell each other in heads of frames and beside channels; all of it is JSON. */

/** Who asks, as an edge has established it. */
export interface GrantedCaller {
  readonly principal: Principal;
  /** Of the account: see `ViewerTokens`. */
  readonly accountEpoch: number;
  /** The name that people know the credential by. */
  readonly name?: string;
}

/** The signed part of `OpenHead`: for one channel of one edge, to one start of one host. */
export interface Grant {
  readonly edge: string;
  readonly channel: number;
  readonly host: string;
  readonly epoch: number;
  /** Milliseconds since the epoch. */
  readonly expiresAtMs: number;
  /** Absent for callers that only the host can judge, as by a viewer token. */
  readonly caller?: GrantedCaller;
  /** Who is signed in in the browser that asks; it is no leave to act. */
  readonly browser?: GrantedCaller;
}

export interface WantedAsset {
  readonly accountId: string;
  readonly id: string;
}

export interface OpenHead {
  /** A signed `Grant`. */
  readonly grant: string;
  /**
   * `knows`: whether the host has made a session for an idempotency key, which is the body. `outbox`: what the host has to tell behind a
   * position, which is the body. `asset`: what the host wanted is the body. `drop`: the host is to forget an asset.
   */
  readonly kind: 'http' | 'socket' | 'knows' | 'outbox' | 'asset' | 'drop';
  /** What the call is known by, in the logs of both sides and to its client. */
  readonly requestId: string;
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly headers: Readonly<Partial<Record<HeaderName, string>>>;
  /** The client's address. */
  readonly address: string;
  /** Of `asset` and `drop`; a wanted asset that is unknown has only the fields of `WantedAsset`. */
  readonly asset?: SentAsset | WantedAsset;
  /** More of the body follows. */
  readonly more?: true;
  /** Of a socket: the edge keeps pictures, and further viewers need only their headers; absent from an edge of an earlier version. */
  readonly pictures?: true;
}

export interface ReplyHead {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly bodyBytes?: number;
  readonly close?: boolean;
  /** `file` and `stream` follow as data. */
  readonly body: 'whole' | 'file' | 'stream';
  /** Bytes of a `file`. */
  readonly fileBytes?: number;
}

export interface ClosedHead {
  /** As of RFC 6455. */
  readonly code: number;
  readonly reason: string;
}

/** A host tells the edges every `BEAT_MS` that it is there. */
export interface Presence {
  readonly host: string;
  readonly place: string;
  /** Grows with each start of the host. */
  readonly epoch: number;
  /** Grows with each connection to NATS: channels of an earlier one have ended. */
  readonly connection: number;
  readonly devices: readonly StockCount[];
  readonly sessions: number;
  /** Absent from a host of an earlier version. */
  readonly channels?: ChannelFigures;
  /** The newest position of its outbox; absent from a host of an earlier version. */
  readonly outbox?: number;
  /** It stops. */
  readonly leaving?: true;
}

/** Some of what a host has to tell, in the order of its outbox. */
export interface OutboxPage {
  readonly reports: readonly HostReport[];
  /** How far the host has told with this. */
  readonly position: number;
  readonly more: boolean;
}

/** What the edges tell all hosts; signed. */
export type EdgeNotice =
  | {
      readonly kind: 'here';
      readonly edge: string;
      /** Counts its notices, so that none is taken for another. */
      readonly number: number;
      /** Where clients reach the fleet; empty while the edge does not listen yet. */
      readonly publicUrl: string;
      /** Its channels have ended. */
      readonly leaving?: true;
    }
  | { readonly kind: 'credentialRevoked'; readonly holder: string }
  /** Everything that opened the account before this epoch is revoked. Told again to each host that comes. */
  | { readonly kind: 'accountEpoch'; readonly accountId: string; readonly epoch: number };

export const BEAT_MS = 1_000;
/** A peer that was silent for so long gets nothing new. */
export const AWAY_MS = 2_500;
/** A peer that was silent for so long has lost its channels. */
export const LOST_MS = 10_000;
/** How long a grant opens its channel, for clocks that differ. */
export const GRANT_MS = 60_000;

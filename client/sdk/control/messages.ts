import type { ScreenHeader } from '../../../protocol/screen-packet.ts';
import type { RecordingRecord } from '../files.ts';
import type {
  Acknowledgement,
  Button,
  Orientation,
  RenderOption,
  Role,
  ScreenEncoding,
  SessionRecord,
} from '../types.ts';

/** What the control socket says, as plain interfaces. */

/** A stage of a request's life (protocol, section 4). */
export type Stage =
  | { readonly type: 'accepted'; readonly requestId: string; readonly acceptedAt: string; readonly queued: number }
  | { readonly type: 'dispatched'; readonly requestId: string; readonly inputSeq: number; readonly steps?: number }
  | ({ readonly type: 'result' } & Acknowledgement);

/** Something that happened to the session. A newer service may send others. */
export type SessionEvent =
  | { readonly event: 'session.expiring'; readonly inMs: number }
  | { readonly event: 'session.ended'; readonly reason: string }
  | { readonly event: 'orientation'; readonly orientation: Orientation }
  | { readonly event: 'recording'; readonly recording: RecordingRecord }
  | { readonly event: 'viewers'; readonly viewers: { readonly control: number; readonly view: number } };

/** What this platform, driver and service can do. */
export interface Capabilities {
  readonly actions: readonly string[];
  readonly orientations: readonly Orientation[];
  readonly buttons: readonly Button[];
  readonly renderOptions: readonly RenderOption[];
  /** Caps Lock, Num Lock and Scroll Lock. */
  readonly lockKeys: boolean;
  /** Keys together with modifiers. */
  readonly modifiers: boolean;
  /** Keys and buttons stay down for as long as they are asked to. */
  readonly holds: boolean;
  /** How many can touch at the same time. */
  readonly fingers: 1 | 2;
  /** Gestures of several steps, and live pointers. */
  readonly freeGestures: boolean;
  readonly screenEncodings: readonly ScreenEncoding[];
  readonly openUrl: boolean;
  readonly recording: boolean;
}

/** The first message on every connection. */
export interface Ready {
  readonly role: Role;
  readonly session: Omit<SessionRecord, 'url'>;
  readonly capabilities: Capabilities;
  /** Microseconds since the Unix epoch. */
  readonly serverTimeUs: number;
}

export interface ScreenOptions {
  /** In order of preference; `['h264', 'jpeg']` where absent. */
  readonly encodings?: readonly ScreenEncoding[] | undefined;
  /** Pictures a second, 1 to 60. */
  readonly maxFps?: number | undefined;
  /** Pixels, 64 to 8,192. */
  readonly maxLongEdge?: number | undefined;
  /** 1 to 100. */
  readonly quality?: number | undefined;
  /** Ends the stream. */
  readonly signal?: AbortSignal | undefined;
}

/** One picture of the screen, encoded (protocol, section 10). */
export interface ScreenPacket extends ScreenHeader {
  /** RFC 6381, for `h264`. */
  readonly codec: string | undefined;
  readonly payload: Uint8Array;
}

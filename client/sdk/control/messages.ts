import type { ScreenHeader } from '../../../protocol/screen-packet.ts';
import type { RecordingRecord } from '../files.ts';
import type {
  Acknowledgement,
  Button,
  DisplayRecord,
  Orientation,
  RenderOption,
  Role,
  ScreenEncoding,
  SessionRecord,
} from '../types.ts';

/** Messages of the control socket as plain interfaces. */

/** A stage of a request's life (protocol, section 4). */
export type Stage =
  | { readonly type: 'accepted'; readonly requestId: string; readonly acceptedAt: string; readonly queued: number }
  | { readonly type: 'dispatched'; readonly requestId: string; readonly inputSeq: number; readonly steps?: number }
  | ({ readonly type: 'result' } & Acknowledgement);

/** An event of the session. A newer service may send further events. */
export type SessionEvent =
  | { readonly event: 'session.expiring'; readonly inMs: number }
  | { readonly event: 'session.ended'; readonly reason: string }
  | { readonly event: 'orientation'; readonly orientation: Orientation }
  /** Another display has become active: the device was folded or unfolded. */
  | { readonly event: 'displays'; readonly displays: readonly DisplayRecord[] }
  | { readonly event: 'recording'; readonly recording: RecordingRecord }
  | { readonly event: 'viewers'; readonly viewers: { readonly control: number; readonly view: number } };

/** The capabilities of this platform, driver and service. */
export interface Capabilities {
  readonly actions: readonly string[];
  readonly orientations: readonly Orientation[];
  readonly buttons: readonly Button[];
  readonly renderOptions: readonly RenderOption[];
  /** Caps Lock, Num Lock and Scroll Lock. */
  readonly lockKeys: boolean;
  /** Whether keys can be pressed together with modifiers. */
  readonly modifiers: boolean;
  /** Whether keys and buttons can be held for `durationMs`. */
  readonly holds: boolean;
  /** Number of fingers that can touch at the same time. */
  readonly fingers: 1 | 2;
  /** Whether gestures of several steps and live pointers are supported. */
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
  /** In order of preference; default `['h264', 'jpeg']`. */
  readonly encodings?: readonly ScreenEncoding[] | undefined;
  /** Pictures per second, 1 to 60. */
  readonly maxFps?: number | undefined;
  /** Pixels, 64 to 8,192. */
  readonly maxLongEdge?: number | undefined;
  /** 1 to 100. */
  readonly quality?: number | undefined;
  /** The name of a display of the device, shown even while it is not active; by default the one that is active, now and later. */
  readonly display?: string | undefined;
  /** Ends the stream. */
  readonly signal?: AbortSignal | undefined;
}

/** One picture of the screen, encoded (protocol, section 10). */
export interface ScreenPacket extends ScreenHeader {
  /** RFC 6381, for `h264`. */
  readonly codec: string | undefined;
  /** The display that it shows; `undefined` on a device with one. */
  readonly display: string | undefined;
  readonly payload: Uint8Array;
}

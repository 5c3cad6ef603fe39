import type { ActionName } from '../../../protocol/actions/index.ts';
import type { ScreenHeader } from '../../../protocol/screen-packet.ts';
import type { Completed, Failed } from '../completed.ts';
import type { RecordingRecord } from '../files.ts';
import type {
  Button,
  ControlState,
  DisplayRecord,
  Orientation,
  RenderOption,
  Role,
  ScreenEncoding,
  SessionRecord,
} from '../types.ts';

/** Messages of the control socket as plain interfaces. */

/**
 * A stage of a request's life: the service has accepted it, has given it to the device (`inputSeq` is its number; of a gesture
 * `steps` are done so far), and knows how it ended, which is the last stage.
 */
export type Stage<Name extends ActionName = ActionName> =
  | { readonly type: 'accepted'; readonly requestId: string; readonly acceptedAt: string; readonly queued: number }
  | { readonly type: 'dispatched'; readonly requestId: string; readonly inputSeq: number; readonly steps?: number }
  /** With `observed`, where that was asked for. */
  | ({ readonly type: 'result' } & (Completed<Name> | Failed));

/** An event of the session. A newer service may send further events. */
export type SessionEvent =
  | { readonly event: 'session.expiring'; readonly inMs: number }
  | { readonly event: 'session.ended'; readonly reason: string }
  | { readonly event: 'orientation'; readonly orientation: Orientation }
  /** Another display has become active: the device was folded or unfolded. */
  | { readonly event: 'displays'; readonly displays: readonly DisplayRecord[] }
  /** The clipboard of the device holds another text. Not every device tells. */
  | { readonly event: 'clipboard' }
  /** An app has crashed; the line of the log with this `seq` has its report. Not every device tells. */
  | { readonly event: 'crash'; readonly process: string; readonly seq: number }
  /** Who has control, or who waits for it, changed. */
  | { readonly event: 'control'; readonly control: ControlState }
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
  /** Whether the text in its clipboard can be read and written. */
  readonly clipboard: boolean;
  /** Present if the device tells what is on its screen. */
  readonly ui?: true;
  /** Present if pictures can be added to its photo library. */
  readonly media?: true;
  /** Present if files can be copied to it and from it. */
  readonly files?: true;
  /** Present if its log can be read. */
  readonly logs?: true;
  readonly recording: boolean;
  /** Its state can be kept, and a session started from it; absent where it cannot. */
  readonly snapshots?: true;
}

/** The first message on every connection. */
export interface Ready {
  readonly role: Role;
  readonly session: Omit<SessionRecord, 'url'>;
  /** Who you are for control; absent for the role `view`. */
  readonly participant?: { readonly id: string; readonly owner: boolean };
  readonly capabilities: Capabilities;
  /** Microseconds since the Unix epoch. */
  readonly serverTimeUs: number;
  /** The connection, which outlives its socket; absent on a service that cannot resume. */
  readonly connection?: {
    readonly id: string;
    /** Rises with each socket. */
    readonly epoch: number;
    /** How long it can be resumed without a socket. */
    readonly resumeWindowMs: number;
    /** How many messages of this client the service has received. */
    readonly received: number;
  };
  /** Whether a lost connection goes on; absent on the first socket. */
  readonly resumed?: boolean;
  /** What the service knows of the calls under way, if it does not go on. */
  readonly pending?: readonly { readonly requestId: string; readonly state: 'queued' | 'running' | 'ended' }[];
}

export interface ScreenOptions {
  /** In order of preference; default `['h264', 'jpeg']`. `tiles` has the least delay, and needs a fast link where the whole screen moves. */
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

/** One picture of the screen, encoded. */
export interface ScreenPacket extends ScreenHeader {
  /** RFC 6381, for `h264`. */
  readonly codec: string | undefined;
  /** The display that it shows; `undefined` on a device with one. */
  readonly display: string | undefined;
  /** For `tiles` see `readTiles`. */
  readonly payload: Uint8Array;
}

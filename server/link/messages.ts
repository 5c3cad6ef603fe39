import type { ActionFields, Finding, Orientation, ScreenEncoding } from '@runcloud/protocol';
import type {
  DeviceDescriptor,
  DeviceOptions,
  FoundDevice,
  Inspection,
  OpenedDevice,
  OpenedUrl,
  Point,
  PointerPhase,
} from '../device/driver.ts';
import type { DeviceFaultKind } from '../device/fault.ts';
import type { DeviceQuery, DeviceTarget, ToolEnvironment } from '../device/target.ts';
import type { RecordingFaultFields } from './recording-fault.ts';
import type { CaptureEnding, CaptureSummary, RecordingOrder, RecordingStarted } from './recording-messages.ts';

/**
 * The messages between gateway and host. Plain data only, so that a broker can carry it one day.
 * `device` names an opened device, `call` one question; both are numbers that the gateway gives out.
 */

/** A question and what answers it. */
interface Calls {
  /** About no device that is open: what the host offers and lacks. */
  diagnose: { ask: { readonly tools: ToolEnvironment }; answer: readonly Finding[] };
  /** About no device that is open: what the host has for an entry of the settings. */
  discover: { ask: { readonly query: DeviceQuery }; answer: readonly FoundDevice[] };
  /** About no device that is open: one that nobody has is to be made ready. */
  makeReady: { ask: { readonly target: DeviceTarget }; answer: DeviceDescriptor };
  /** `waitedMs` of the time that a session has for its start have gone by already. */
  open: { ask: { readonly options: DeviceOptions; readonly waitedMs: number }; answer: OpenedDevice };
  close: { ask: object; answer: undefined };
  perform: {
    ask: { readonly request: ActionFields; readonly inputSeq: number; readonly wantsSteps: boolean };
    answer: Readonly<Record<string, unknown>> | undefined;
  };
  pointer: {
    ask: { readonly phase: PointerPhase; readonly points: readonly Point[]; readonly inputSeq: number };
    answer: undefined;
  };
  openUrl: { ask: { readonly url: string; readonly inputSeq: number }; answer: OpenedUrl };
  releaseAll: { ask: object; answer: undefined };
  screenshot: { ask: object; answer: Screenshot };
  inspect: { ask: object; answer: Inspection };
  /** Begins a stream of pictures; the gateway numbers it. It lasts until `unwatch`, or as long as the device. */
  watch: { ask: { readonly stream: number; readonly profile: ScreenProfile }; answer: undefined };
  unwatch: { ask: { readonly stream: number }; answer: undefined };
  /** The next picture of the stream is to be decodable by itself; one comes soon, also of a still screen. */
  keyPicture: { ask: { readonly stream: number }; answer: undefined };
  /** Records the screen until `stopRecording` or its own end; the gateway numbers it. Answered when the first picture is on disk. */
  startRecording: { ask: { readonly recording: number; readonly order: RecordingOrder }; answer: RecordingStarted };
  /** Answered when all is on disk. May be asked again; then, and after the recording's own end, the answer is the same. */
  stopRecording: { ask: { readonly recording: number }; answer: CaptureSummary };
  thumbnail: { ask: object; answer: Thumbnail };
}

/** How a screen is wanted. Viewers that want the same share one stream and one encoder. */
export interface ScreenProfile {
  readonly encoding: ScreenEncoding;
  /** Pixels of the longer edge at most; the device's own size when absent. */
  readonly maxLongEdge?: number;
  /** 1 to 100. */
  readonly quality: number;
  /** Pictures a second at most. */
  readonly maxFps: number;
}

/** One encoded picture of a stream. Its bytes cross by transfer. */
export interface StreamPicture {
  /** Decodable without any picture before it. */
  readonly key: boolean;
  /** The screen is as it was in the picture before: a repeated key picture. */
  readonly unchanged: boolean;
  readonly encoding: ScreenEncoding;
  /** RFC 6381, for `h264`. */
  readonly codec?: string;
  readonly orientation: Orientation;
  /** The newest interaction whose input the device had received when this picture was taken. */
  readonly inputSeq: number;
  /** Microseconds since the Unix epoch. */
  readonly capturedAtUs: number;
  /** Pixels of the encoded picture. */
  readonly width: number;
  readonly height: number;
  /** Runs of the stream's encoder so far, this one included. */
  readonly encodings: number;
  /** Best in `payloadMemory`. The gateway writes the packet's header before it, there or in a copy. */
  readonly payload: Uint8Array<ArrayBuffer>;
}

export interface Screenshot {
  readonly png: Uint8Array;
  readonly width: number;
  readonly height: number;
  readonly inputSeq: number;
}

/** The display in small. */
export interface Thumbnail {
  readonly jpeg: Uint8Array;
  readonly width: number;
  readonly height: number;
  /** Of the picture: an equal number is an equal picture. */
  readonly version: number;
}

export type CallKind = keyof Calls;
export type Ask<Kind extends CallKind> = Calls[Kind]['ask'];
export type Answer<Kind extends CallKind> = Calls[Kind]['answer'];

export type Question = {
  [Kind in CallKind]: { readonly kind: Kind; readonly call: number; readonly device: number } & Ask<Kind>;
}[CallKind];

export type ToHost =
  | Question
  /** Ends a running call; its answer still comes. */
  | { readonly kind: 'cancel'; readonly call: number };

export interface LinkFault {
  readonly kind: DeviceFaultKind;
  readonly message: string;
  readonly dispatchedSteps?: number;
  /** Of the questions about recordings. */
  readonly recording?: RecordingFaultFields;
  /** Words for the log alone. */
  readonly cause?: string;
}

export type FromHost =
  | { readonly kind: 'answer'; readonly call: number; readonly value: unknown }
  | { readonly kind: 'fault'; readonly call: number; readonly fault: LinkFault }
  | { readonly kind: 'steps'; readonly call: number; readonly steps: number }
  | { readonly kind: 'orientation'; readonly device: number; readonly orientation: Orientation }
  | { readonly kind: 'picture'; readonly stream: number; readonly picture: StreamPicture }
  /** The stream has ended by itself: its device is gone or its encoder failed. */
  | { readonly kind: 'streamEnded'; readonly stream: number; readonly reason: string }
  /** The recording has ended by itself. */
  | { readonly kind: 'recordingEnded'; readonly recording: number; readonly ending: CaptureEnding }
  | { readonly kind: 'lost'; readonly device: number; readonly reason: string };

/** One end of a connection that keeps order. Messages go in batches: several small ones cost one hop. */
export interface Port<Out, In> {
  send(batch: readonly Out[], transfer: readonly ArrayBuffer[]): void;
  onReceive(listener: (batch: readonly In[]) => void): void;
  /** The other end is gone; nothing comes any more. */
  onClosed(listener: (reason: string) => void): void;
  /** Settles when the other end is gone. */
  close(): Promise<void>;
}

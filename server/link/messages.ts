import type {
  ActionFields,
  ClipboardText,
  Finding,
  LogQuery,
  Observed,
  Orientation,
  ScreenEncoding,
  Target,
  Touched,
  UiAnswer,
  UiCondition,
  UiFormat,
  UiOutline,
  UiTree,
  UiWait,
} from '@runcloud/protocol';
import type { InstallableApp } from '../device/app-package.ts';
import type {
  DeviceDescriptor,
  DeviceOptions,
  FoundDevice,
  Inspection,
  KeptFile,
  MediaFile,
  OpenedDevice,
  OpenedUrl,
  Point,
  PointerPhase,
} from '../device/driver.ts';
import type { DeviceFaultKind, TargetFaultKind } from '../device/fault.ts';
import type { FileOrder } from '../device/files.ts';
import type { Crash } from '../device/logs.ts';
import type { DeviceQuery, DeviceTarget, ToolEnvironment } from '../device/target.ts';
import type { RecordingFaultFields } from './recording-fault.ts';
import type { CaptureEnding, CaptureSummary, RecordingOrder, RecordingStarted } from './recording-messages.ts';

/**
 * The messages between gateway and host. Only plain data, so that they can be sent over a network.
 * `device` is the number of an opened device, `call` that of a call; the gateway assigns both.
 */

/** Where an input touches the screen: at a point, or an element. */
export type TouchPlace = Point | Target;

interface PerformAsk {
  readonly request: ActionFields;
  readonly inputSeq: number;
  readonly wantsSteps: boolean;
  /** Of an installation. */
  readonly app?: InstallableApp;
}

/** Each call with its answer. */
interface Calls {
  /** Without a device: checks the host's prerequisites. */
  diagnose: { ask: { readonly tools: ToolEnvironment }; answer: readonly Finding[] };
  /** Without a device: finds the host's devices for an entry of the settings. */
  discover: { ask: { readonly query: DeviceQuery }; answer: readonly FoundDevice[] };
  /** Without a device: makes an unleased device ready. */
  makeReady: { ask: { readonly target: DeviceTarget }; answer: DeviceDescriptor };
  /** `waitedMs`: the part of the session's start time that has already passed. */
  open: { ask: { readonly options: DeviceOptions; readonly waitedMs: number }; answer: OpenedDevice };
  close: { ask: object; answer: undefined };
  perform: {
    ask: PerformAsk;
    answer: Readonly<Record<string, unknown>> | undefined;
  };
  /** Performs an input whose effect `observed` then asks for. */
  performObserved: {
    ask: PerformAsk;
    answer: Readonly<Record<string, unknown>> | undefined;
  };
  /** What was seen of the effect of an input that was completed last. */
  observed: { ask: { readonly inputSeq: number }; answer: Observed };
  pointer: {
    ask: { readonly phase: PointerPhase; readonly points: readonly Point[]; readonly inputSeq: number };
    answer: true;
  };
  openUrl: { ask: { readonly url: string; readonly inputSeq: number }; answer: OpenedUrl };
  /** Writes the text if there is one, and reads what the clipboard then holds. */
  clipboard: { ask: { readonly text: string | undefined }; answer: ClipboardText };
  /** Keeps the state of the device in a new file. */
  keep: { ask: { readonly file: string }; answer: KeptFile };
  /** Adds a picture or a video to the photo library. */
  addMedia: { ask: { readonly media: MediaFile }; answer: { readonly readBack: boolean } };
  /** Reads a folder, or reads, writes or deletes a file. */
  files: { ask: { readonly order: FileOrder }; answer: object };
  /** Reads the log. */
  logs: { ask: { readonly order: LogQuery }; answer: { readonly json: string } };
  /** Reads what is on the screen. */
  ui: { ask: { readonly format: UiFormat }; answer: UiTree | UiOutline };
  /** Looks once whether something is so on the screen. */
  checkUi: { ask: { readonly condition: UiCondition }; answer: UiAnswer };
  /** Answered when it is so; a cancelled one with an `aborted` fault that tells what is there instead. */
  waitUi: { ask: { readonly wait: UiWait }; answer: UiAnswer };
  /** What is on the screen, and where an input is about to touch it, in the turn of what is asked next. */
  touchedAt: { ask: { readonly place: TouchPlace | undefined }; answer: Touched | undefined };
  releaseAll: { ask: object; answer: undefined };
  /** `settled` waits until the picture stands still, at most 2 seconds. */
  screenshot: { ask: { readonly settled: boolean }; answer: Screenshot };
  inspect: { ask: object; answer: Inspection };
  /** Starts a stream of pictures, numbered by the gateway. It ends with `unwatch` or with the device. */
  watch: { ask: { readonly stream: number; readonly profile: ScreenProfile }; answer: undefined };
  unwatch: { ask: { readonly stream: number }; answer: undefined };
  /** Bounds the bytes of a stream in H.264 per millisecond, as long as nobody on the host needs all of it; without a rate it has no bound. */
  streamRate: { ask: { readonly stream: number; readonly bytesPerMs?: number }; answer: undefined };
  /** Requests a key picture; one comes soon, even if the screen is still. */
  keyPicture: { ask: { readonly stream: number }; answer: undefined };
  /** Records the screen until `stopRecording` or its own end; numbered by the gateway. Answered at the first picture on disk. */
  startRecording: { ask: { readonly recording: number; readonly order: RecordingOrder }; answer: RecordingStarted };
  /** Answered when everything is on disk. Idempotent, also after the recording's own end. */
  stopRecording: { ask: { readonly recording: number }; answer: CaptureSummary };
  /** A smaller picture; `settled` as of a screenshot. */
  thumbnail: { ask: { readonly longEdge: SmallEdge; readonly settled: boolean }; answer: Thumbnail };
}

/** The parameters of a screen stream. Viewers with equal parameters share one stream and one encoder. */
export interface ScreenProfile {
  readonly encoding: ScreenEncoding;
  /** Maximum length of the longer edge in pixels; default: the device's own size. */
  readonly maxLongEdge?: number;
  /** 1 to 100. */
  readonly quality: number;
  /** Maximum number of pictures per second. */
  readonly maxFps: number;
  /** The name of the display; default: the active one. */
  readonly display?: string;
}

/** One encoded picture of a stream. Its bytes cross by transfer. */
export interface StreamPicture {
  /** Decodable without any picture before it. */
  readonly key: boolean;
  /** The screen is unchanged since the previous picture: a repeated key picture. */
  readonly unchanged: boolean;
  readonly encoding: ScreenEncoding;
  /** RFC 6381, for `h264`. */
  readonly codec?: string;
  readonly orientation: Orientation;
  /** The display that it shows; absent on devices with one. */
  readonly display?: string;
  /** The newest interaction whose input the device had received when this picture was taken. */
  readonly inputSeq: number;
  /** Microseconds since the Unix epoch. */
  readonly capturedAtUs: number;
  /** Pixels of the encoded picture. */
  readonly width: number;
  readonly height: number;
  /** Number of encodings of the stream so far, including this one. */
  readonly encodings: number;
  /** Preferably from `payloadMemory`: the gateway writes the packet's header before it, otherwise into a copy. */
  readonly payload: Uint8Array<ArrayBuffer>;
}

export interface Screenshot {
  readonly png: Uint8Array;
  readonly width: number;
  readonly height: number;
  readonly inputSeq: number;
}

/** Pixels of the long edge of smaller pictures: of overviews, and of what a language model is shown. */
export type SmallEdge = 480 | 768;

/** A smaller picture of the display. */
export interface Thumbnail {
  readonly jpeg: Uint8Array;
  readonly width: number;
  readonly height: number;
  /** Version of the picture: equal versions are equal pictures. */
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
  /** Cancels a running call; its answer still comes. */
  | { readonly kind: 'cancel'; readonly call: number };

export interface LinkFault {
  readonly kind: DeviceFaultKind;
  readonly message: string;
  readonly dispatchedSteps?: number;
  /** Only where an action names an element that cannot be used. */
  readonly target?: TargetFaultKind;
  /** Only for calls about recordings. */
  readonly recording?: RecordingFaultFields;
  /** Details for the log only. */
  readonly cause?: string;
}

export type FromHost =
  | { readonly kind: 'answer'; readonly call: number; readonly value: unknown }
  | { readonly kind: 'fault'; readonly call: number; readonly fault: LinkFault }
  | { readonly kind: 'steps'; readonly call: number; readonly steps: number }
  | { readonly kind: 'orientation'; readonly device: number; readonly orientation: Orientation }
  /** Another display is active. */
  | { readonly kind: 'displays'; readonly device: number; readonly descriptor: DeviceDescriptor }
  /** The clipboard holds another text. */
  | { readonly kind: 'clipboard'; readonly device: number }
  /** An app has crashed. */
  | { readonly kind: 'crash'; readonly device: number; readonly crash: Crash }
  | { readonly kind: 'picture'; readonly stream: number; readonly picture: StreamPicture }
  /** The stream has ended by itself: its device was lost or its encoder failed. */
  | { readonly kind: 'streamEnded'; readonly stream: number; readonly reason: string }
  /** The recording has ended by itself. */
  | { readonly kind: 'recordingEnded'; readonly recording: number; readonly ending: CaptureEnding }
  | { readonly kind: 'lost'; readonly device: number; readonly reason: string };

/** One end of an ordered connection. Messages are sent in batches, so that several small ones cost one hop. */
export interface Port<Out, In> {
  send(batch: readonly Out[], transfer: readonly ArrayBuffer[]): void;
  onReceive(listener: (batch: readonly In[]) => void): void;
  /** The other end has closed; no further messages come. */
  onClosed(listener: (reason: string) => void): void;
  /** Settles when the other end has closed. */
  close(): Promise<void>;
}

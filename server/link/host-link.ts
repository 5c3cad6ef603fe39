import type { Orientation } from '@runcloud/protocol';
import { DeviceFault } from '../device/fault.ts';
import { throwUncaught } from '../flow/throw-uncaught.ts';
import type { LogIds } from '../observe/log-ids.ts';
import { type LinkLog, NO_LOG } from './link-log.ts';
import type { Answer, Ask, CallKind, FromHost, Port, StreamPicture, ToHost } from './messages.ts';
import { Outbox } from './outbox.ts';
import { PendingCalls } from './pending-calls.ts';
import { RecordingFault, recordingLost } from './recording-fault.ts';
import type { CaptureEnding } from './recording-messages.ts';

/** A question that went to the host. */
export interface LinkCall<Kind extends CallKind> {
  readonly id: number;
  readonly answered: Promise<Answer<Kind>>;
}

/** Who waits for the answer to one question. It hears one of the two ends, once, and never before the call returns. */
export interface CallObserver<Kind extends CallKind> {
  /** Named in the log when the call fails by a fault of ours. */
  readonly requestId?: string;
  answered(value: Answer<Kind>): void;
  failed(fault: DeviceFault | RecordingFault): void;
  steps?(steps: number): void;
}

/** A question that has still to get its number. */
export type Unnumbered<Kind extends CallKind> = Ask<Kind> & {
  readonly kind: Kind;
  call: number;
  readonly device: number;
};

interface Pending {
  readonly question: Unnumbered<CallKind>;
  readonly observer: CallObserver<never>;
  readonly about: LogIds;
}

interface OpenStream {
  readonly device: number;
  readonly listener: PictureSink;
}

interface OpenRecording {
  readonly device: number;
  readonly listener: RecordingListener;
  readonly about: LogIds;
}

export interface HostLinkOptions {
  /** Told of what a receiver or listener throws: what others are told in the same batch still comes. */
  readonly onFault?: (error: unknown) => void;
  /** For our own faults on the host's side, and for lost devices. */
  readonly log?: LinkLog;
}

const NOTHING: LogIds = {};

/** Hears a device's own messages, which answer nothing. */
export interface DeviceListener {
  /** The device is gone, alone or with its host. Told at most once, and last. */
  lost(reason: string): void;
  orientation(orientation: Orientation): void;
}

/** Hears a stream until it ends. */
export interface PictureSink {
  picture(picture: StreamPicture): void;
  /** Told at most once, and last; not after `endStream`. */
  ended(reason: string): void;
}

/** Hears a recording's own messages. */
export interface RecordingListener {
  /** It ended without being asked to. Told at most once; not after `endRecording`. */
  ended(ending: CaptureEnding): void;
}

/** The gateway's side of the link to one host: questions, their answers, and the host's own messages. */
export class HostLink {
  readonly #port: Port<ToHost, FromHost>;
  readonly #outbox: Outbox<ToHost>;
  /** Their receivers hear of a loss when all that is lost has been told. */
  readonly #calls = new PendingCalls<Pending>(({ observer }, reason) => {
    queueMicrotask(() => observer.failed(unreachable(reason)));
  });
  readonly #streams = new PendingCalls<OpenStream>(({ listener }, reason) => listener.ended(reason));
  readonly #recordings = new PendingCalls<OpenRecording>((recording, reason) => {
    this.#conclude(recording, { fault: recordingLost(reason) });
  });
  readonly #log: LinkLog;
  readonly #listeners = new Map<number, { readonly listener: DeviceListener; readonly about: LogIds }>();
  /** Devices that were lost while nobody listened, and why: the next listener is told. */
  readonly #lostUnheard = new Map<number, string>();
  /** Closed from this side: what is lost by that is no news. */
  #isEnding = false;

  constructor(port: Port<ToHost, FromHost>, { onFault = throwUncaught, log = NO_LOG }: HostLinkOptions = {}) {
    this.#port = port;
    this.#log = log;
    this.#outbox = new Outbox(port);
    port.onReceive((batch) => {
      for (const message of batch) {
        try {
          this.#receive(message);
        } catch (error) {
          onFault(error);
        }
      }
    });
    port.onClosed((reason) => this.#close(reason));
  }

  /** Why nothing more can be asked; `undefined` while the host lives. */
  get closedReason(): string | undefined {
    return this.#calls.endedReason;
  }

  /**
   * Asks; the promise rejects with a `DeviceFault`, about recordings also with a `RecordingFault`, and settles even when the
   * host dies.
   * @param about named in the log when the call fails by a fault of ours
   */
  ask<Kind extends CallKind>(kind: Kind, device: number, fields: Ask<Kind>, about?: LogIds): LinkCall<Kind> {
    let id = 0;
    const answered = new Promise<Answer<Kind>>((resolve, reject) => {
      const question: Unnumbered<Kind> = { ...fields, kind, call: 0, device };
      id = this.begin(question, { answered: resolve, failed: reject }, about);
    });
    return { id, answered };
  }

  /**
   * Asks, and tells the receiver; gives the question its number and returns that. What is asked often is spared the
   * promises and copies of `ask`.
   */
  begin<Kind extends CallKind>(
    question: Unnumbered<Kind>,
    observer: CallObserver<Kind>,
    about: LogIds = NOTHING,
  ): number {
    const call = this.#calls.begin({ question, observer, about });
    question.call = call;
    if (this.#calls.endedReason === undefined) this.#outbox.push(question as unknown as ToHost);
    return call;
  }

  /** Asks the host to end a call; its answer still comes. Ended calls are ignored. */
  cancel(call: number): void {
    if (this.#calls.get(call)) this.#outbox.push({ kind: 'cancel', call });
  }

  /** Hears what this device says from now on; of one that is lost already, that it is. */
  listen(device: number, listener: DeviceListener, about: LogIds = NOTHING): void {
    const lost = this.#lostUnheard.get(device) ?? this.closedReason;
    if (lost === undefined) return void this.#listeners.set(device, { listener, about });
    this.#lostUnheard.delete(device);
    listener.lost(lost);
  }

  /** Numbers a stream of this device; what it says goes to the listener from now on. */
  openStream(device: number, listener: PictureSink): number {
    return this.#streams.begin({ device, listener });
  }

  /** The stream says nothing any more. Tells whether it would have. */
  endStream(stream: number): boolean {
    return this.#streams.take(stream) !== undefined;
  }

  /** Numbers a recording of this device; its end goes to the listener. */
  openRecording(device: number, listener: RecordingListener, about: LogIds = NOTHING): number {
    return this.#recordings.begin({ device, listener, about });
  }

  /** The recording's own end is not told any more. */
  endRecording(recording: number): void {
    this.#recordings.take(recording);
  }

  /** Nothing that concerns this device is told any more. */
  forget(device: number): void {
    this.#listeners.delete(device);
    this.#lostUnheard.delete(device);
  }

  /** Settles when the host is gone; all callers are told at once. */
  close(): Promise<void> {
    this.#isEnding = true;
    const closed = this.#port.close();
    this.#close('the link was closed');
    return closed;
  }

  #receive(message: FromHost): void {
    if (message.kind === 'lost') return this.#lose(message.device, message.reason);
    if (message.kind === 'orientation') {
      return this.#listeners.get(message.device)?.listener.orientation(message.orientation);
    }
    if (message.kind === 'picture') return this.#streams.get(message.stream)?.listener.picture(message.picture);
    if (message.kind === 'streamEnded') return this.#streams.take(message.stream)?.listener.ended(message.reason);
    if (message.kind === 'recordingEnded')
      return this.#conclude(this.#recordings.take(message.recording), message.ending);
    if (message.kind === 'steps') return this.#calls.get(message.call)?.observer.steps?.(message.steps);
    const pending = this.#calls.take(message.call);
    if (!pending) return;
    const { observer, question, about } = pending;
    if (message.kind === 'answer') return observer.answered(message.value as never);
    const { kind, message: sentence, dispatchedSteps, recording, cause } = message.fault;
    if (cause !== undefined) {
      const { requestId } = observer;
      const ids = requestId === undefined ? about : { ...about, requestId };
      this.#log.error({ ...ids, call: question.kind, cause }, 'a device failed to carry out a call');
    }
    if (recording) return observer.failed(new RecordingFault(recording));
    observer.failed(new DeviceFault(kind, sentence, dispatchedSteps));
  }

  #lose(device: number, reason: string): void {
    this.#calls.failThose(({ question }) => question.device === device, reason);
    this.#streams.failThose((stream) => stream.device === device, reason);
    this.#recordings.failThose((recording) => recording.device === device, reason);
    const opened = this.#listeners.get(device);
    if (!opened) return void this.#lostUnheard.set(device, reason);
    this.#listeners.delete(device);
    if (!this.#isEnding) this.#log.error({ ...opened.about, reason }, 'a device was lost');
    opened.listener.lost(reason);
  }

  #conclude(recording: OpenRecording | undefined, ending: CaptureEnding): void {
    if (!recording) return;
    if ('fault' in ending && !this.#isEnding) {
      const { fault, ...cause } = ending;
      this.#log.error({ ...recording.about, ...fault, ...cause }, 'a recording ended by a fault');
    }
    recording.listener.ended(ending);
  }

  #close(reason: string): void {
    if (this.closedReason !== undefined) return;
    this.#calls.end(reason);
    this.#streams.end(reason);
    this.#recordings.end(reason);
    for (const device of [...this.#listeners.keys()]) this.#lose(device, reason);
  }
}

const unreachable = (reason: string) => new DeviceFault('unreachable', `The device's host does not answer: ${reason}.`);

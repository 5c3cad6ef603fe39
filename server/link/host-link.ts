import type { Orientation } from '@runcloud/protocol';
import type { DeviceDescriptor } from '../device/driver.ts';
import { DeviceFault, TargetFault } from '../device/fault.ts';
import type { Crash } from '../device/logs.ts';
import { throwUncaught } from '../flow/throw-uncaught.ts';
import type { LogIds } from '../observe/log-ids.ts';
import { type LinkLog, NO_LOG } from './link-log.ts';
import type { Answer, Ask, CallKind, FromHost, Port, StreamPicture, ToHost } from './messages.ts';
import { Outbox } from './outbox.ts';
import { PendingCalls } from './pending-calls.ts';
import { RecordingFault, recordingLost } from './recording-fault.ts';
import type { CaptureEnding } from './recording-messages.ts';
import { YoungPackets } from './young-packets.ts';

/** A pending call to the host. */
export interface LinkCall<Kind extends CallKind> {
  readonly id: number;
  readonly answered: Promise<Answer<Kind>>;
}

/** Receives the outcome of one call: exactly one of the two methods is called, once, and never before the call returns. */
export interface CallObserver<Kind extends CallKind> {
  /** Ids for the log if the call fails with an internal error. */
  readonly requestId?: string;
  answered(value: Answer<Kind>): void;
  failed(fault: DeviceFault | RecordingFault): void;
  steps?(steps: number): void;
}

/** A call without its number. */
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
  /** Called with an error that a receiver or listener throws; the rest of the batch is still delivered. */
  readonly onFault?: (error: unknown) => void;
  /** Logs internal errors of the host, and lost devices. */
  readonly log?: LinkLog;
}

const NOTHING: LogIds = {};

/** Receives the events of a device. */
export interface DeviceListener {
  /** The device is lost, alone or with its host. Called at most once, and last. */
  lost(reason: string): void;
  orientation(orientation: Orientation): void;
  /** Another display is active. */
  displays?(descriptor: DeviceDescriptor): void;
  /** The clipboard holds another text. */
  clipboard?(): void;
  /** An app has crashed. */
  crash?(crash: Crash): void;
}

/** Receives the pictures of a stream until it ends. */
export interface PictureSink {
  picture(picture: StreamPicture): void;
  /** Called at most once, and last; not after `endStream`. */
  ended(reason: string): void;
}

/** Receives the events of a recording. */
export interface RecordingListener {
  /** The recording ended by itself. Called at most once; not after `endRecording`. */
  ended(ending: CaptureEnding): void;
}

/** The gateway's side of the link to one host: calls, their answers, and the host's events. */
export class HostLink {
  readonly #port: Port<ToHost, FromHost>;
  readonly #outbox: Outbox<ToHost>;
  /** Receivers of lost devices' calls; notified after all losses are known. */
  readonly #calls = new PendingCalls<Pending>(({ observer }, reason) => {
    queueMicrotask(() => observer.failed(unreachable(reason)));
  });
  readonly #packets = new YoungPackets();
  readonly #streams = new PendingCalls<OpenStream>(({ listener }, reason) => listener.ended(reason));
  readonly #recordings = new PendingCalls<OpenRecording>((recording, reason) => {
    this.#conclude(recording, { fault: recordingLost(reason) });
  });
  readonly #log: LinkLog;
  readonly #listeners = new Map<number, { readonly listener: DeviceListener; readonly about: LogIds }>();
  /** Devices lost without a listener, with the reason; the next listener is notified. */
  readonly #lostUnheard = new Map<number, string>();
  /** Closed from this side, so the losses are expected. */
  #isEnding = false;
  #batches = 0;
  #batch = 0;

  constructor(port: Port<ToHost, FromHost>, { onFault = throwUncaught, log = NO_LOG }: HostLinkOptions = {}) {
    this.#port = port;
    this.#log = log;
    this.#outbox = new Outbox(port);
    port.onReceive((batch) => {
      this.#batch = ++this.#batches;
      for (const message of batch) {
        try {
          this.#receive(message);
        } catch (error) {
          onFault(error);
        }
      }
      this.#batch = 0;
    });
    port.onClosed((reason) => this.#close(reason));
  }

  /** The number of the batch whose messages are being delivered, which have come at one moment; 0 between batches. */
  get batch(): number {
    return this.#batch;
  }

  /** Why the host has ended; `undefined` while it is alive. */
  get closedReason(): string | undefined {
    return this.#calls.endedReason;
  }

  /**
   * Calls the host. Rejects with a `DeviceFault`, for recordings also with a `RecordingFault`; settles even if the host dies.
   * @param about ids for the log if the call fails with an internal error
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
   * Calls the host and notifies the receiver; returns the number of the call. Frequent calls avoid the promises and copies of
   * `ask`.
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

  /** Cancels a call; its answer still comes. Ended calls are ignored. */
  cancel(call: number): void {
    if (this.#calls.get(call)) this.#outbox.push({ kind: 'cancel', call });
  }

  /** Listens to the events of a device from now on; a device that is already lost is reported. */
  listen(device: number, listener: DeviceListener, about: LogIds = NOTHING): void {
    const lost = this.#lostUnheard.get(device) ?? this.closedReason;
    if (lost === undefined) return void this.#listeners.set(device, { listener, about });
    this.#lostUnheard.delete(device);
    listener.lost(lost);
  }

  /** Numbers a stream of a device; its pictures go to the listener. */
  openStream(device: number, listener: PictureSink): number {
    return this.#streams.begin({ device, listener });
  }

  /** Removes a stream's listener; tells whether the stream was active. */
  endStream(stream: number): boolean {
    return this.#streams.take(stream) !== undefined;
  }

  /** Numbers a recording of a device; its end goes to the listener. */
  openRecording(device: number, listener: RecordingListener, about: LogIds = NOTHING): number {
    return this.#recordings.begin({ device, listener, about });
  }

  /** Removes a recording's listener. */
  endRecording(recording: number): void {
    this.#recordings.take(recording);
  }

  /** Removes all listeners of a device. */
  forget(device: number): void {
    this.#listeners.delete(device);
    this.#lostUnheard.delete(device);
  }

  /** Ends the host and fails all calls at once; settles when the host has ended. */
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
    if (message.kind === 'displays') {
      return this.#listeners.get(message.device)?.listener.displays?.(message.descriptor);
    }
    if (message.kind === 'clipboard') return this.#listeners.get(message.device)?.listener.clipboard?.();
    if (message.kind === 'crash') return this.#listeners.get(message.device)?.listener.crash?.(message.crash);
    if (message.kind === 'picture') {
      this.#packets.received(message.picture.payload.byteLength);
      return this.#streams.get(message.stream)?.listener.picture(message.picture);
    }
    if (message.kind === 'streamEnded') return this.#streams.take(message.stream)?.listener.ended(message.reason);
    if (message.kind === 'recordingEnded')
      return this.#conclude(this.#recordings.take(message.recording), message.ending);
    if (message.kind === 'steps') return this.#calls.get(message.call)?.observer.steps?.(message.steps);
    const pending = this.#calls.take(message.call);
    if (!pending) return;
    const { observer, question, about } = pending;
    if (message.kind === 'answer') return observer.answered(message.value as never);
    const { kind, message: sentence, dispatchedSteps, target, recording, cause } = message.fault;
    if (cause !== undefined) {
      const { requestId } = observer;
      const ids = requestId === undefined ? about : { ...about, requestId };
      this.#log.error({ ...ids, call: question.kind, cause }, 'a device failed to carry out a call');
    }
    if (recording) return observer.failed(new RecordingFault(recording));
    if (target) return observer.failed(new TargetFault(target, sentence));
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

import type { Orientation } from '@runcloud/protocol';
import type { DeviceDescriptor } from '../device/driver.ts';
import { DeviceFault, TargetFault } from '../device/fault.ts';
import type { Crash } from '../device/logs.ts';
import { LazyAbort } from './lazy-abort.ts';
import { causeOf } from './link-log.ts';
import type { FromHost, LinkFault, Port, Question, StreamPicture, ToHost } from './messages.ts';
import { Outbox } from './outbox.ts';
import { RecordingFault } from './recording-fault.ts';
import type { CaptureEnding } from './recording-messages.ts';

/** Handles the calls to a host. */
export interface HostService {
  /**
   * Handles a call synchronously if possible; `undefined` for every other call. Absent: all calls are asynchronous.
   */
  answerNow?(question: Question): unknown;
  /** Handles one call; `abort.signal` is aborted when the gateway cancels it. */
  answer(question: Question, abort: LazyAbort, onStep: (steps: number) => void): Promise<unknown>;
  onLost(listener: (device: number, reason: string) => void): void;
  onOrientation(listener: (device: number, orientation: Orientation) => void): void;
  /** Called with the device's new description when another display is active. */
  onDisplays(listener: (device: number, descriptor: DeviceDescriptor) => void): void;
  /** Called soon after a device's clipboard holds another text. */
  onClipboard(listener: (device: number) => void): void;
  /** Called when an app of a device has crashed. */
  onCrash(listener: (device: number, crash: Crash) => void): void;
  /** The sink of the streams that `watch` starts. */
  onStreams(sink: NumberedPictureSink): void;
  /** Called at most once for each recording that ends by itself. */
  onRecordingEnded(listener: (recording: number, ending: CaptureEnding) => void): void;
}

export interface NumberedPictureSink {
  /** Takes over the payload's memory. */
  picture(stream: number, picture: StreamPicture): void;
  ended(stream: number, reason: string): void;
}

/** Minimum interval of progress reports, that of a display; the next report covers the steps in between. */
const STEPS_INTERVAL_MS = 16;

/** The host's side of the link: receives calls, gives each an abort signal, and sends the answers back. */
export function serveHost(port: Port<FromHost, ToHost>, service: HostService): void {
  const outbox = new Outbox<FromHost>(port);
  const running = new Map<number, LazyAbort>();

  /** Handles a call synchronously and tells whether it did: most calls are taps, and a promise costs more than a tap. */
  const answeredNow = (question: Question): boolean => {
    try {
      const value = service.answerNow?.(question);
      if (value === undefined) return false;
      outbox.push({ kind: 'answer', call: question.call, value });
    } catch (error) {
      outbox.push({ kind: 'fault', call: question.call, fault: toFault(error, false) });
    }
    return true;
  };

  const run = async (question: Question) => {
    const { call } = question;
    const abort = new LazyAbort();
    running.set(call, abort);
    let toldMs = 0;
    try {
      const value = await service.answer(question, abort, (steps) => {
        const nowMs = performance.now();
        if (nowMs - toldMs < STEPS_INTERVAL_MS) return;
        toldMs = nowMs;
        outbox.push({ kind: 'steps', call, steps });
      });
      outbox.push({ kind: 'answer', call, value }, transferable(value));
    } catch (error) {
      outbox.push({ kind: 'fault', call, fault: toFault(error, abort.aborted) });
    } finally {
      running.delete(call);
    }
  };

  service.onLost((device, reason) => outbox.push({ kind: 'lost', device, reason }));
  service.onOrientation((device, orientation) => outbox.push({ kind: 'orientation', device, orientation }));
  service.onDisplays((device, descriptor) => outbox.push({ kind: 'displays', device, descriptor }));
  service.onClipboard((device) => outbox.push({ kind: 'clipboard', device }));
  service.onCrash((device, { process, seq }) => outbox.push({ kind: 'crash', device, crash: { process, seq } }));
  service.onStreams({
    picture: (stream, picture) => outbox.push({ kind: 'picture', stream, picture }, picture.payload.buffer),
    ended: (stream, reason) => outbox.push({ kind: 'streamEnded', stream, reason }),
  });
  service.onRecordingEnded((recording, ending) => outbox.push({ kind: 'recordingEnded', recording, ending }));
  port.onReceive((batch) => {
    for (const message of batch) {
      if (message.kind === 'cancel') running.get(message.call)?.abort();
      else if (!answeredNow(message)) void run(message);
    }
  });
}

function transferable(value: unknown): ArrayBuffer | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const bytes = 'png' in value ? value.png : 'jpeg' in value ? value.jpeg : undefined;
  return bytes instanceof Uint8Array && bytes.buffer instanceof ArrayBuffer ? bytes.buffer : undefined;
}

/** Only the messages of a `DeviceFault` and a `RecordingFault` reach callers; other errors are internal and only logged. */
function toFault(error: unknown, aborted: boolean): LinkFault {
  if (error instanceof DeviceFault) {
    const { kind, message, dispatchedSteps } = error;
    const target = error instanceof TargetFault ? { target: error.target } : {};
    return { kind, message, ...(dispatchedSteps === undefined ? {} : { dispatchedSteps }), ...target };
  }
  if (error instanceof RecordingFault) {
    const { message, fields: recording, cause } = error;
    return { kind: 'failed', message, recording, ...(cause === undefined ? {} : { cause: causeOf(cause) }) };
  }
  if (aborted) return { kind: 'aborted', message: 'The call was ended.' };
  return { kind: 'failed', message: 'The device failed to carry out the call.', cause: causeOf(error) };
}

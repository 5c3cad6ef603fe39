import { DeviceFault } from '../device/fault.ts';
import type { LogIds } from '../observe/log-ids.ts';
import type { HostLink, RecordingListener } from './host-link.ts';
import { RecordingFault, recordingLost } from './recording-fault.ts';
import type { CaptureEnding, CaptureSummary, RecordingOrder, RecordingStarted } from './recording-messages.ts';

/** A recording whose first picture is on disk. */
export interface DeviceRecording extends RecordingStarted {
  /**
   * Ends the capture; settles when everything is on disk. The listener is not called afterwards. Idempotent; for a recording that
   * has ended by itself it returns how. Rejects with a `RecordingFault`.
   */
  stop(): Promise<CaptureSummary>;
}

/** Starts a recording of a device; settles when the first picture is on disk. Rejects with a `RecordingFault`. */
export async function startRecording(
  link: HostLink,
  device: number,
  order: RecordingOrder,
  listener: RecordingListener,
  about: LogIds = {},
): Promise<DeviceRecording> {
  let ending: CaptureEnding | undefined;
  let begun = false;
  const recording = link.openRecording(
    device,
    {
      ended: (how) => {
        ending = how;
        if (begun) listener.ended(how);
      },
    },
    about,
  );
  const stop = async () => {
    if (ending) return toSummary(ending);
    link.endRecording(recording);
    return link.ask('stopRecording', device, { recording }, about).answered.catch(refuse);
  };
  try {
    const started = await link.ask('startRecording', device, { recording, order }, about).answered;
    begun = true;
    // Start and end may arrive in the same batch; the caller is notified of the start first.
    if (ending) setImmediate(listener.ended.bind(listener, ending));
    return { ...started, stop };
  } catch (error) {
    link.endRecording(recording);
    return refuse(error);
  }
}

function toSummary(ending: CaptureEnding): CaptureSummary {
  if ('summary' in ending) return ending.summary;
  throw new RecordingFault(ending.fault);
}

/** Converts any fault to a `RecordingFault`. */
function refuse(error: unknown): never {
  if (error instanceof DeviceFault && error.kind === 'unreachable') {
    throw new RecordingFault(recordingLost(error.message));
  }
  if (error instanceof DeviceFault) {
    const { message } = error;
    throw new RecordingFault({ stage: 'capture', code: 'capture_interrupted', message, retryable: false });
  }
  throw error;
}

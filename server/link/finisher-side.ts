import { Semaphore } from '../flow/semaphore.ts';
import { causeOf } from './link-log.ts';
import type { Port } from './messages.ts';
import { Outbox } from './outbox.ts';
import { RecordingFault, type RecordingStage } from './recording-fault.ts';
import type {
  FinishedRecording,
  FinishOrder,
  FromFinisher,
  PosterOrder,
  StoreOrder,
  ToFinisher,
  VerifyOrder,
} from './recording-messages.ts';

/** Handles the calls to a finisher. All methods reject with a `RecordingFault`; other errors are internal. */
export interface FinisherService {
  finish(order: FinishOrder): Promise<FinishedRecording>;
  verify(order: VerifyOrder): Promise<boolean>;
  makePoster(order: PosterOrder): Promise<Uint8Array>;
  /** A call to the object store, and what it tells. */
  store(order: StoreOrder): Promise<string | undefined>;
}

/** Well below the time after which the gateway considers a silent finisher hung. */
const ALIVE_INTERVAL_MS = 1_000;
/** Concurrent verifications, of files and of what is fetched: each needs a buffer, and more would not be faster. */
const VERIFICATIONS = 4;
/** Concurrent uploads: each holds a part in memory. */
const UPLOADS = 2;

type Asked = Exclude<ToFinisher, { readonly kind: 'close' }>;

/** The finisher's side of its link: one recording is finished at a time; beside it a few are verified, and one poster is made. */
export function serveFinisher(port: Port<FromFinisher, ToFinisher>, service: FinisherService): void {
  const outbox = new Outbox<FromFinisher>(port);
  const finishing = new Semaphore(1);
  const picturing = new Semaphore(1);
  const verifying = new Semaphore(VERIFICATIONS);
  const uploading = new Semaphore(UPLOADS);
  let running = 0;
  let closing = false;
  let ticking: NodeJS.Timeout | undefined;

  const answer = async (message: Asked): Promise<FromFinisher> => {
    const { kind, call } = message;
    try {
      if (kind === 'finish') {
        return { kind: 'finished', call, recording: await finishing.run(() => service.finish(message.order)) };
      }
      if (kind === 'poster') {
        return { kind: 'poster-made', call, jpeg: await picturing.run(() => service.makePoster(message.order)) };
      }
      if (kind === 'store') {
        const asked = () => service.store(message.order);
        const { act } = message.order;
        // A download does not wait for uploads.
        const told = await (act === 'put' ? uploading.run(asked) : act === 'get' ? verifying.run(asked) : asked());
        return { kind: 'store-done', call, ...(told === undefined ? {} : { told }) };
      }
      return { kind: 'verified', call, same: await verifying.run(() => service.verify(message.order)) };
    } catch (error) {
      const fault = toFault(error, STAGES[kind]);
      const { cause } = fault;
      return { kind: 'fault', call, fault: fault.fields, ...(cause === undefined ? {} : { cause: causeOf(cause) }) };
    }
  };
  const run = async (message: Asked) => {
    running++;
    // Sent from the event loop, so that the gateway notices work that blocks it for too long.
    ticking ??= setInterval(() => outbox.push({ kind: 'alive' }), ALIVE_INTERVAL_MS);
    outbox.push(await answer(message));
    running--;
    if (running > 0) return;
    clearInterval(ticking);
    ticking = undefined;
    if (closing) void port.close();
  };
  port.onReceive((batch) => {
    for (const message of batch) {
      if (message.kind !== 'close') {
        void run(message);
        continue;
      }
      closing = true;
      if (running === 0) void port.close();
    }
  });
}

const STAGES = { finish: 'finalize', verify: 'verify', poster: 'verify', store: 'store' } as const;

function toFault(error: unknown, stage: RecordingStage): RecordingFault {
  if (error instanceof RecordingFault) return error;
  const message = 'The recording could not be finished.';
  return new RecordingFault({ stage, code: 'storage_error', message, retryable: true }, error);
}

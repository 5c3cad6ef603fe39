import { type Bounds, FILE_STEP_BYTES } from './bounds.ts';
import type { Deadline } from './deadline.ts';

/**
 * The bytes of an upload as `fetch` takes them. Each step has the time limit `silenceMs`, the answer `uploadedMs`. The time
 * limit pauses while the upload waits for the caller's own source.
 */
export function uploadBody(
  source: ReadableStream<Uint8Array>,
  deadline: Deadline,
  { silenceMs, uploadedMs }: Bounds,
): ReadableStream<Uint8Array> {
  const reader = source.getReader();
  let rest = new Uint8Array(0) as Uint8Array;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        while (rest.length === 0) {
          deadline.hold();
          const { done, value } = await reader.read();
          if (done) {
            deadline.go(uploadedMs);
            controller.close();
            return;
          }
          rest = value;
        }
        deadline.go(silenceMs);
        controller.enqueue(rest.subarray(0, FILE_STEP_BYTES));
        rest = rest.subarray(FILE_STEP_BYTES);
      },
      cancel: (reason) => reader.cancel(reason),
    },
    // A step is asked for when the one before has been taken, and not ahead.
    { highWaterMark: 0 },
  );
}

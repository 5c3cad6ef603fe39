import type { Deadline } from './deadline.ts';

/** The value of `Content-Length` in bytes; `undefined` if it is absent or malformed. */
export function lengthOf({ headers }: Response): number | undefined {
  const text = headers.get('Content-Length') ?? '';
  const length = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  return Number.isSafeInteger(length) ? length : undefined;
}

/**
 * The whole body of an answer; `undefined` if it has more than `bytesMax`: the rest is not read. Rejects at the deadline,
 * even if `fetch` ignores its signal.
 */
export async function readBytes(
  response: Response,
  bytesMax: number,
  deadline: Deadline,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const { body } = response;
  if (body === null) return new Uint8Array(0);
  // A compressed body is longer than its Content-Length, so the bytes are counted as they arrive.
  const promised = lengthOf(response) ?? 0;
  const reader = body.getReader();
  // One buffer that doubles: many small chunks must not need more memory than their bytes.
  let bytes = new Uint8Array(Math.min(promised, bytesMax, FIRST_BYTES));
  let count = 0;
  try {
    while (promised <= bytesMax) {
      const { done, value } = await deadline.within(reader.read());
      if (done) return bytes.subarray(0, count);
      if (count + value.length > bytesMax) return undefined;
      if (count + value.length > bytes.length) bytes = grown(bytes, count, count + value.length, bytesMax);
      bytes.set(value, count);
      count += value.length;
    }
    return undefined;
  } finally {
    reader.cancel().catch(() => undefined);
  }
}

const FIRST_BYTES = 1_048_576;

function grown(
  bytes: Uint8Array<ArrayBuffer>,
  count: number,
  wanted: number,
  bytesMax: number,
): Uint8Array<ArrayBuffer> {
  const larger = new Uint8Array(Math.min(bytesMax, Math.max(wanted, 2 * bytes.length)));
  larger.set(bytes.subarray(0, count));
  return larger;
}

/** The whole body as text (UTF-8), as `readBytes`. */
export async function readText(response: Response, bytesMax: number, deadline: Deadline): Promise<string | undefined> {
  const bytes = await readBytes(response, bytesMax, deadline);
  return bytes && new TextDecoder().decode(bytes);
}

/** Emulation prevention (ITU-T H.264, 7.4.1), so that no three bytes of a unit look like a start code. */

const ESCAPE = 3;

/** Removes the emulation prevention bytes from a unit. */
export function unescapeUnit(unit: Uint8Array): Uint8Array {
  const bytes: number[] = [];
  let zeros = 0;
  for (const byte of unit) {
    if (zeros >= 2 && byte === ESCAPE) {
      zeros = 0;
      continue;
    }
    zeros = byte === 0 ? zeros + 1 : 0;
    bytes.push(byte);
  }
  return Uint8Array.from(bytes);
}

/** Inserts emulation prevention bytes into a payload. */
export function escapePayload(payload: Uint8Array): Uint8Array {
  const bytes: number[] = [];
  let zeros = 0;
  for (const byte of payload) {
    if (zeros >= 2 && byte <= ESCAPE) {
      bytes.push(ESCAPE);
      zeros = 0;
    }
    zeros = byte === 0 ? zeros + 1 : 0;
    bytes.push(byte);
  }
  return Uint8Array.from(bytes);
}

import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Position } from './page.ts';

/** The purpose, in `SecretTable`, of the secret of cursors. */
export const CURSOR_PURPOSE = 'list-cursor';

const POSITION_BYTES = 12;
const SEAL_BYTES = 16;
/** Seal and position in base64url without padding. */
const CURSOR = /^[A-Za-z0-9_-]{38}$/;

/**
 * Opaque page cursors. A cursor is valid only for its own list and reveals nothing, such as the total number of items of all
 * accounts. The seal is a MAC of list and position; the position is encrypted with a key stream derived from the seal.
 */
export class Cursors {
  readonly #secret: Uint8Array;

  /** @param secret at least 32 random bytes */
  constructor(secret: Uint8Array) {
    this.#secret = secret;
  }

  /** @param list identifies the list, including its owner and filters */
  seal(list: string, { createdAtMs, number }: Position): string {
    const position = Buffer.alloc(POSITION_BYTES);
    position.writeUIntBE(createdAtMs, 0, 6);
    position.writeUIntBE(number, 6, 6);
    const seal = this.#sealOf(list, position);
    return Buffer.concat([seal, this.#hide(seal, position)]).toString('base64url');
  }

  /** `undefined` for a text that is not a cursor of this list. */
  open(list: string, cursor: string): Position | undefined {
    if (!CURSOR.test(cursor)) return undefined;
    const bytes = Buffer.from(cursor, 'base64url');
    const seal = bytes.subarray(0, SEAL_BYTES);
    const position = this.#hide(seal, bytes.subarray(SEAL_BYTES));
    if (!timingSafeEqual(seal, this.#sealOf(list, position))) return undefined;
    return { createdAtMs: position.readUIntBE(0, 6), number: position.readUIntBE(6, 6) };
  }

  #sealOf(list: string, position: Uint8Array): Buffer {
    return createHmac('sha256', this.#secret)
      .update(`seal ${list}\n`)
      .update(position)
      .digest()
      .subarray(0, SEAL_BYTES);
  }

  /** Encrypts or decrypts a position (XOR). */
  #hide(seal: Uint8Array, position: Uint8Array): Buffer {
    const pad = createHmac('sha256', this.#secret).update('hide ').update(seal).digest();
    return Buffer.from(position.map((byte, index) => byte ^ (pad[index] ?? 0)));
  }
}

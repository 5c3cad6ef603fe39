import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Position } from './page.ts';

/** Of the secret that cursors are made with. */
export const CURSOR_PURPOSE = 'list-cursor';

const POSITION_BYTES = 12;
const SEAL_BYTES = 16;
/** Base64url of both, without padding. */
const CURSOR = /^[A-Za-z0-9_-]{38}$/;

/**
 * Positions as clients carry them from page to page. A cursor opens the one list that it was made for, and tells its
 * holder nothing: how many items there are in all is no tenant's business. The seal is made of list and position, and
 * the position is hidden by what only the seal's maker can derive from it.
 */
export class Cursors {
  readonly #secret: Uint8Array;

  /** @param secret at least 32 random bytes */
  constructor(secret: Uint8Array) {
    this.#secret = secret;
  }

  /** @param list names the list, its owner and its filters included */
  seal(list: string, { createdAtMs, number }: Position): string {
    const position = Buffer.alloc(POSITION_BYTES);
    position.writeUIntBE(createdAtMs, 0, 6);
    position.writeUIntBE(number, 6, 6);
    const seal = this.#sealOf(list, position);
    return Buffer.concat([seal, this.#hide(seal, position)]).toString('base64url');
  }

  /** `undefined` for what is no cursor of this list. */
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

  /** Hides a position, or shows a hidden one. */
  #hide(seal: Uint8Array, position: Uint8Array): Buffer {
    const pad = createHmac('sha256', this.#secret).update('hide ').update(seal).digest();
    return Buffer.from(position.map((byte, index) => byte ^ (pad[index] ?? 0)));
  }
}

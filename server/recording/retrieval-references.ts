import { createHmac, timingSafeEqual } from 'node:crypto';
import { LIMITS } from '@runcloud/protocol/terms';
import type { Clock } from '../flow/clock.ts';

/** The secret of `SecretTable` that signs retrieval references, and nothing else. */
export const RETRIEVAL_REFERENCE_PURPOSE = 'retrieval-reference';

const SECRET_BYTES_MIN = 32;

/** Version, expiry in milliseconds since the Unix epoch, HMAC-SHA-256 in base64url without padding. */
const REFERENCE = /^v1\.([1-9][0-9]{0,15})\.([A-Za-z0-9_-]{43})$/;

/** Whether it has the form of a reference: whoever signed it can verify it. */
export const isReference = (text: string): boolean => REFERENCE.test(text);

function checkedSecret(secret: Uint8Array): Uint8Array {
  if (secret.byteLength < SECRET_BYTES_MIN) throw new RangeError(`A signing secret has ${SECRET_BYTES_MIN} bytes`);
  return secret;
}

/**
 * Signs and verifies references that open one recording's file for a minute to any holder. References are not stored.
 */
export class RetrievalReferences {
  readonly #secret;
  readonly #clock;

  /** @param secret the present one, asked for at each use; it has at least 32 bytes, and a shorter one throws a `RangeError` */
  constructor(secret: () => Uint8Array, clock: Pick<Clock, 'wallMs'>) {
    this.#secret = () => checkedSecret(secret());
    this.#secret();
    this.#clock = clock;
  }

  sign(recordingId: string): string {
    const expiresAtMs = Math.floor(this.#clock.wallMs()) + LIMITS.recordingReferenceMs;
    return `v1.${expiresAtMs}.${this.#signatureOf(recordingId, String(expiresAtMs))}`;
  }

  /** True when the reference is valid for the recording now. */
  verify(recordingId: string, reference: string): boolean {
    const [, expiry, signature] = REFERENCE.exec(reference) ?? [];
    if (expiry === undefined || signature === undefined) return false;
    // The texts are compared, not the bytes they stand for: base64url has spare bits, so bytes have several texts.
    const expected = this.#signatureOf(recordingId, expiry);
    if (!timingSafeEqual(Buffer.from(signature, 'latin1'), Buffer.from(expected, 'latin1'))) return false;
    return Number(expiry) > this.#clock.wallMs();
  }

  #signatureOf(recordingId: string, expiry: string): string {
    const message = JSON.stringify(['runcloud retrieval-reference v1', recordingId, expiry]);
    return createHmac('sha256', this.#secret()).update(message).digest('base64url');
  }
}

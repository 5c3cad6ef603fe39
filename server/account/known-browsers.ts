import { createHmac, timingSafeEqual } from 'node:crypto';
import { randomBase62 } from '@runcloud/protocol/terms';
import type { Clock } from '../flow/clock.ts';

/** The purpose, in `SecretTable`, of the secret that signs the marks of browsers. */
export const KNOWN_BROWSER_PURPOSE = 'known-browser';
/** How long a browser is known after its last sign-in. */
export const KNOWN_BROWSER_LIFE_MS = 180 * 86_400_000;
/** 130 bits: unique. */
const ID_CHARACTERS = 22;

/** A browser that signed in to an account before. */
export interface KnownBrowser {
  readonly accountId: string;
  /** Unique id. */
  readonly id: string;
}

/** Version, account, browser, expiry in seconds since the epoch; then HMAC-SHA-256 in base64url. */
const MARK = /^v1\.(acc_[A-Za-z0-9]{1,64})\.([A-Za-z0-9]{1,64})\.([0-9]{1,12})\.([A-Za-z0-9_-]{43})$/;

/**
 * Signed marks of browsers that have signed in before. A mark is not a credential: it only gives the browser its own count of
 * failed sign-ins, so that wrong passwords from elsewhere do not lock out the user. Marks are not stored on the server.
 */
export class KnownBrowsers {
  readonly #secret: () => Uint8Array;
  readonly #clock: Pick<Clock, 'wallMs'>;

  /** @param secret read at each use, so that a rotation invalidates all marks at once */
  constructor(secret: () => Uint8Array, clock: Pick<Clock, 'wallMs'>) {
    this.#secret = secret;
    this.#clock = clock;
  }

  /** The mark of a browser that has just signed in. */
  mark(accountId: string): string {
    const endSeconds = Math.floor((this.#clock.wallMs() + KNOWN_BROWSER_LIFE_MS) / 1_000);
    const claims = `v1.${accountId}.${randomBase62(ID_CHARACTERS)}.${endSeconds}`;
    return `${claims}.${this.#signatureOf(claims)}`;
  }

  /** `undefined` for a mark that is malformed, altered, signed with another secret or expired. */
  read(mark: string | undefined): KnownBrowser | undefined {
    const [, accountId, id, endSeconds, signature] = MARK.exec(mark ?? '') ?? [];
    if (mark === undefined || accountId === undefined || id === undefined || signature === undefined) return undefined;
    const expected = this.#signatureOf(mark.slice(0, -signature.length - 1));
    if (!timingSafeEqual(Buffer.from(signature, 'latin1'), Buffer.from(expected, 'latin1'))) return undefined;
    return Number(endSeconds) * 1_000 > this.#clock.wallMs() ? { accountId, id } : undefined;
  }

  #signatureOf(claims: string): string {
    return createHmac('sha256', this.#secret()).update(`runcloud known-browser ${claims}`).digest('base64url');
  }
}

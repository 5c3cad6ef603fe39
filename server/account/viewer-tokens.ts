import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Clock } from '../flow/clock.ts';

export type ViewerRole = 'control' | 'view';

/** The claims of a viewer token: a role in one session until `expiresAtMs` (Unix epoch). */
export interface ViewerClaims {
  readonly sessionId: string;
  readonly accountId: string;
  readonly role: ViewerRole;
  readonly expiresAtMs: number;
  /** The viewer link of the token. */
  readonly linkId?: string;
  /** The origin of the page that may frame the viewer. */
  readonly embedOrigin?: string;
}

/** The purpose, in `SecretTable`, of the secret that signs viewer tokens. */
export const VIEWER_TOKEN_PURPOSE = 'viewer-token';

/** Limit of a token's length, since it is part of an address. */
export const VIEWER_TOKEN_BYTES_MAX = 1_024;
const SECRET_BYTES_MIN = 32;

/** Version, then the claims as a JSON array, then HMAC-SHA-256 (32 bytes), both in base64url without padding. */
const TOKEN = /^v1\.([A-Za-z0-9_-]{1,960})\.([A-Za-z0-9_-]{43})$/;

type ClaimTuple = [string, string, ViewerRole, number, string | null, string | null];

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.length > 0;
}

function isClaimTuple(value: unknown): value is ClaimTuple {
  if (!Array.isArray(value) || value.length !== 6) return false;
  const [sessionId, accountId, role, expiresAtMs, linkId, embedOrigin]: unknown[] = value;
  return (
    isText(sessionId) &&
    isText(accountId) &&
    (role === 'control' || role === 'view') &&
    Number.isSafeInteger(expiresAtMs) &&
    (linkId === null || isText(linkId)) &&
    (embedOrigin === null || isText(embedOrigin))
  );
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function checkedSecret(secret: Uint8Array): Uint8Array {
  if (secret.byteLength < SECRET_BYTES_MIN) throw new RangeError(`A signing secret has ${SECRET_BYTES_MIN} bytes`);
  return secret;
}

/** The session that a token claims to be for, unverified: whoever made the token can verify it. */
export function sessionNamedBy(token: string | undefined): string | undefined {
  const [, payload] = TOKEN.exec(token ?? '') ?? [];
  const tuple = payload === undefined ? undefined : parseJson(Buffer.from(payload, 'base64url').toString());
  return isClaimTuple(tuple) ? tuple[0] : undefined;
}

/** Signs and verifies viewer tokens. Tokens are not stored. */
export class ViewerTokens {
  readonly #secret;
  readonly #clock;
  readonly #epochOf;

  /**
   * @param epochOf epoch of an account, from 0; tokens of an earlier epoch are invalid
   * @param secret current secret, read at each use; throws a `RangeError` if it has fewer than 32 bytes, so that an empty one
   * never signs anything
   */
  constructor(
    secret: () => Uint8Array,
    clock: Pick<Clock, 'wallMs'>,
    epochOf: (accountId: string) => number = () => 0,
  ) {
    this.#epochOf = epochOf;
    this.#secret = () => checkedSecret(secret());
    this.#secret();
    this.#clock = clock;
  }

  /** Throws a `RangeError` for claims of a wrong kind, or too long for `VIEWER_TOKEN_BYTES_MAX`. */
  sign(claims: ViewerClaims): string {
    const { sessionId, accountId, role, expiresAtMs, linkId = null, embedOrigin = null } = claims;
    const tuple: ClaimTuple = [sessionId, accountId, role, expiresAtMs, linkId, embedOrigin];
    if (!isClaimTuple(tuple)) throw new RangeError('Viewer claims have a wrong kind');
    const payload = Buffer.from(JSON.stringify(tuple)).toString('base64url');
    const token = `v1.${payload}.${this.#signatureOf(payload, accountId)}`;
    if (!TOKEN.test(token)) throw new RangeError(`Viewer claims do not fit ${VIEWER_TOKEN_BYTES_MAX} bytes`);
    return token;
  }

  /** The signed claims; `undefined` for a token that is malformed, altered, signed with another secret or expired. */
  verify(token: string): ViewerClaims | undefined {
    const [, payload, signature] = TOKEN.exec(token) ?? [];
    if (payload === undefined || signature === undefined) return undefined;
    // The signature depends on the account's epoch, so the claims are read before they are verified.
    const tuple = parseJson(Buffer.from(payload, 'base64url').toString());
    if (!isClaimTuple(tuple)) return undefined;
    // The texts are compared, not the decoded bytes: base64url has unused bits, so several texts decode to the same bytes.
    const expected = this.#signatureOf(payload, tuple[1]);
    if (!timingSafeEqual(Buffer.from(signature, 'latin1'), Buffer.from(expected, 'latin1'))) return undefined;
    const [sessionId, accountId, role, expiresAtMs, linkId, embedOrigin] = tuple;
    if (expiresAtMs <= this.#clock.wallMs()) return undefined;
    return {
      sessionId,
      accountId,
      role,
      expiresAtMs,
      ...(linkId !== null && { linkId }),
      ...(embedOrigin !== null && { embedOrigin }),
    };
  }

  #signatureOf(payload: string, accountId: string): string {
    const epoch = this.#epochOf(accountId);
    const signed = `runcloud viewer-token v1.${payload}${epoch === 0 ? '' : `.${epoch}`}`;
    return createHmac('sha256', this.#secret()).update(signed).digest('base64url');
  }
}

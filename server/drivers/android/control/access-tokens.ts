import { generateKeyPairSync, type JsonWebKey, type KeyObject, randomUUID, sign } from 'node:crypto';

/**
 * Whose name the tokens bear: the emulator's own list (`emulator_access.json`) lets this issuer call what its token names, and
 * nothing else.
 */
export const ISSUER = 'gradle-utp-emulator-control';
/** Lifetime of a token, which is checked only at the start of a call; bounds the damage of a leak. */
const VALID_S = 600;

const encode = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url');

/** A key pair of this process for one emulator, and the JSON Web Tokens (RFC 7519) that it signs with ES256 (RFC 7518). */
export class AccessTokens {
  /** The public half, as an emulator reads it (RFC 7517). */
  readonly publicKey: JsonWebKey & { readonly kid: string };
  readonly #private: KeyObject;
  readonly #audience: readonly string[];
  #token = '';
  #renewAtS = 0;

  /** @param audience paths of the methods that the tokens are for */
  constructor(audience: readonly string[]) {
    const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    this.#private = privateKey;
    this.#audience = audience;
    const kid = randomUUID();
    this.publicKey = { ...publicKey.export({ format: 'jwk' }), kid, alg: 'ES256', use: 'sig', key_ops: ['verify'] };
  }

  /**
   * A token that is good for some minutes to come.
   * @param wallMs now, since the Unix epoch
   */
  token(wallMs: number): string {
    const nowS = Math.floor(wallMs / 1_000);
    // A clock that was set back makes a token that is not good yet.
    if (nowS < this.#renewAtS && nowS >= this.#renewAtS - VALID_S / 2) return this.#token;
    this.#renewAtS = nowS + VALID_S / 2;
    // The emulator refuses a header that tells the type.
    const header = encode({ alg: 'ES256', kid: this.publicKey.kid });
    const claims = encode({ iss: ISSUER, aud: this.#audience, iat: nowS, exp: nowS + VALID_S });
    const signed = `${header}.${claims}`;
    const signature = sign('sha256', Buffer.from(signed), { key: this.#private, dsaEncoding: 'ieee-p1363' });
    this.#token = `${signed}.${signature.toString('base64url')}`;
    return this.#token;
  }
}

import { createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';

/**
 * What an edge says, signed with Ed25519 (RFC 8032): hosts act for an account because an edge says who asks, and hold no
 * credential of any account.
 */

/** The purpose, in `SecretTable`, of the edges' private key. */
export const FLEET_KEY_PURPOSE = 'fleet';

/** An Ed25519 private key in PKCS #8 is this, then its 32 bytes (RFC 8410, section 7). */
const PRIVATE_HEAD = Buffer.from('302e020100300506032b657004220420', 'hex');
/** An Ed25519 public key in SubjectPublicKeyInfo is this, then its 32 bytes (RFC 8410, section 4). */
const PUBLIC_HEAD = Buffer.from('302a300506032b6570032100', 'hex');
const KEY_BYTES = 32;
/** 32 bytes in base64url. */
export const FLEET_KEY = /^[A-Za-z0-9_-]{43}$/;

/** Signs in the name of the fleet's edges. */
export class GrantSigner {
  readonly #key: KeyObject;
  /** What hosts know the edges by; no secret. */
  readonly publicKey: string;

  /** @param seed the 32 bytes of the private key */
  constructor(seed: Uint8Array) {
    if (seed.byteLength !== KEY_BYTES) throw new RangeError(`An Ed25519 key has ${KEY_BYTES} bytes`);
    this.#key = createPrivateKey({ key: Buffer.concat([PRIVATE_HEAD, seed]), format: 'der', type: 'pkcs8' });
    const spki = createPublicKey(this.#key).export({ format: 'der', type: 'spki' });
    this.publicKey = spki.subarray(PUBLIC_HEAD.byteLength).toString('base64url');
  }

  sign(claims: object): string {
    const text = Buffer.from(JSON.stringify(claims));
    return `${text.toString('base64url')}.${sign(null, text, this.#key).toString('base64url')}`;
  }
}

/** Verifies what the fleet's edges have signed. */
export class GrantVerifier {
  readonly #key: KeyObject;

  /** @param publicKey as `GrantSigner.publicKey` */
  constructor(publicKey: string) {
    const der = Buffer.concat([PUBLIC_HEAD, Buffer.from(publicKey, 'base64url')]);
    this.#key = createPublicKey({ key: der, format: 'der', type: 'spki' });
  }

  /** The claims; `undefined` for what no edge has signed. */
  verify<Claims>(signed: unknown): Claims | undefined {
    if (typeof signed !== 'string') return undefined;
    const [text = '', signature = '', ...rest] = signed.split('.');
    const bytes = Buffer.from(text, 'base64url');
    if (rest.length > 0 || !verify(null, bytes, this.#key, Buffer.from(signature, 'base64url'))) return undefined;
    return JSON.parse(bytes.toString()) as Claims;
  }
}

import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { ServiceError } from '@runcloud/protocol/terms';

/** What scrypt is to cost (RFC 7914): memory is 128 · N · r bytes, work grows with N · r · p. */
export interface ScryptCost {
  /** Base-2 logarithm of N. */
  readonly logN: number;
  readonly r: number;
  readonly p: number;
}

/** One of the settings that OWASP's Password Storage Cheat Sheet names as equals: 32 MiB, about a quarter of a second. */
export const SCRYPT_COST: ScryptCost = { logN: 15, r: 8, p: 3 };

const SALT_BYTES = 16;
const HASH_BYTES = 32;
/** Half of the thread pool: files and pictures need the other half. */
const RUNNING_MAX = 2;
/** Callers beyond are told to come again: nobody waits much longer than ten seconds. */
const WAITING_MAX = 64;
const BUSY_SECONDS = 10;

const STORED = /^scrypt\$([0-9]{1,2})\$([0-9]{1,3})\$([0-9]{1,3})\$([A-Za-z0-9_-]{22})\$([A-Za-z0-9_-]{43})$/;

export interface Verdict {
  readonly matches: boolean;
  /** It was made at another cost than new ones: to be made again while the password is at hand. */
  readonly outdated: boolean;
}

/** Hashes passwords by scrypt on the thread pool. A stored hash carries its own cost and salt. */
export class PasswordHasher {
  readonly #cost: ScryptCost;
  readonly #nobodys: string;
  #running = 0;
  readonly #waiting: (() => void)[] = [];

  constructor(cost: ScryptCost = SCRYPT_COST) {
    this.#cost = cost;
    this.#nobodys = stored(cost, randomBytes(SALT_BYTES), randomBytes(HASH_BYTES));
  }

  /** The text to store. Rejects with `rate_limited` when too many wait. */
  async hash(password: string): Promise<string> {
    const salt = randomBytes(SALT_BYTES);
    return stored(this.#cost, salt, await this.#derive(password, salt, this.#cost));
  }

  /** Takes as long without a stored hash as with one: the time does not tell whether there is an account. */
  async verify(password: string, storedHash: string | undefined): Promise<Verdict> {
    const { cost, salt, hash } = parse(storedHash ?? this.#nobodys);
    const matches = timingSafeEqual(await this.#derive(password, salt, cost), hash) && storedHash !== undefined;
    const { logN, r, p } = this.#cost;
    return { matches, outdated: cost.logN !== logN || cost.r !== r || cost.p !== p };
  }

  async #derive(password: string, salt: Uint8Array, { logN, r, p }: ScryptCost): Promise<Buffer> {
    await this.#turn();
    try {
      const N = 2 ** logN;
      // OpenSSL counts some bytes beside the table itself.
      const maxmem = 128 * N * r * 2;
      return await new Promise((resolve, reject) => {
        // The same text can be typed as different characters, depending on the keyboard (RFC 8265).
        scrypt(password.normalize('NFC'), salt, HASH_BYTES, { N, r, p, maxmem }, (error, key) => {
          if (error) reject(error);
          else resolve(key);
        });
      });
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#running--;
    }
  }

  #turn(): Promise<void> | undefined {
    if (this.#running < RUNNING_MAX) {
      this.#running++;
      return undefined;
    }
    if (this.#waiting.length >= WAITING_MAX) {
      throw new ServiceError('rate_limited', 'Too many people sign in at once.', { retryAfterSeconds: BUSY_SECONDS });
    }
    return new Promise((resolve) => this.#waiting.push(resolve));
  }
}

function stored({ logN, r, p }: ScryptCost, salt: Buffer, hash: Buffer): string {
  return ['scrypt', logN, r, p, salt.toString('base64url'), hash.toString('base64url')].join('$');
}

function parse(text: string): { cost: ScryptCost; salt: Buffer; hash: Buffer } {
  const [, logN, r, p, salt, hash] = STORED.exec(text) ?? [];
  if (salt === undefined || hash === undefined) throw new Error('A stored password hash cannot be read');
  return {
    cost: { logN: Number(logN), r: Number(r), p: Number(p) },
    salt: Buffer.from(salt, 'base64url'),
    hash: Buffer.from(hash, 'base64url'),
  };
}

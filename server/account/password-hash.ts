import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { ServiceError } from '@runcloud/protocol/terms';
import { FairSemaphore, type Requester } from '../flow/fair-semaphore.ts';

/** Cost parameters of scrypt (RFC 7914): memory is 128 · N · r bytes, work grows with N · r · p. */
export interface ScryptCost {
  /** Base-2 logarithm of N. */
  readonly logN: number;
  readonly r: number;
  readonly p: number;
}

/** One of the equivalent settings of OWASP's Password Storage Cheat Sheet: 32 MiB, about a quarter of a second. */
export const SCRYPT_COST: ScryptCost = { logN: 15, r: 8, p: 3 };

const SALT_BYTES = 16;
const HASH_BYTES = 32;
/**
 * Concurrent hashes: one for unknown and one for known callers. Together they use half of the thread pool; the other half is
 * for files and pictures. A known caller shares the processors with at most one unknown caller.
 */
const RUNNING_MAX = 1;
/** Maximum number of waiting hashes; bounds the wait to about ten seconds. Further callers get `rate_limited`. */
export const WAITING_MAX = 32;
const BUSY_SECONDS = 10;

const STORED = /^scrypt\$([0-9]{1,2})\$([0-9]{1,3})\$([0-9]{1,3})\$([A-Za-z0-9_-]{22})\$([A-Za-z0-9_-]{43})$/;

/** The caller of a hash, for fair queueing: hashes of one source run one at a time, and sources are served round robin. */
export interface Asker extends Requester {
  /** Whether the caller has proved its identity before and is not too frequent: it has a queue of its own. */
  readonly isKnown: boolean;
}

export interface Verdict {
  readonly matches: boolean;
  /** The stored hash has outdated cost parameters and should be replaced. */
  readonly outdated: boolean;
}

/** Hashes passwords by scrypt on the thread pool. A stored hash carries its own cost and salt. */
export class PasswordHasher {
  readonly #cost: ScryptCost;
  readonly #nobodys: string;
  readonly #known = createSemaphore();
  readonly #unknown = createSemaphore();

  constructor(cost: ScryptCost = SCRYPT_COST) {
    this.#cost = cost;
    this.#nobodys = stored(cost, randomBytes(SALT_BYTES), randomBytes(HASH_BYTES));
  }

  /** Returns the text to store. Rejects with `rate_limited` if too many hashes wait. */
  async hash(password: string, asker: Asker): Promise<string> {
    const salt = randomBytes(SALT_BYTES);
    return stored(this.#cost, salt, await this.#derive(password, salt, this.#cost, asker));
  }

  /** Compares a password. Takes the same time without a stored hash, so that it does not reveal whether an account exists. */
  async verify(password: string, storedHash: string | undefined, asker: Asker): Promise<Verdict> {
    const { cost, salt, hash } = parse(storedHash ?? this.#nobodys);
    const matches = timingSafeEqual(await this.#derive(password, salt, cost, asker), hash) && storedHash !== undefined;
    const { logN, r, p } = this.#cost;
    return { matches, outdated: cost.logN !== logN || cost.r !== r || cost.p !== p };
  }

  #derive(password: string, salt: Uint8Array, { logN, r, p }: ScryptCost, asker: Asker): Promise<Buffer> {
    const N = 2 ** logN;
    // OpenSSL needs some memory beside the table itself.
    const maxmem = 128 * N * r * 2;
    const work = () =>
      new Promise<Buffer>((resolve, reject) => {
        // NFC: keyboards produce different code points for the same text (RFC 8265).
        scrypt(password.normalize('NFC'), salt, HASH_BYTES, { N, r, p, maxmem }, (error, key) => {
          if (error) reject(error);
          else resolve(key);
        });
      });
    return (asker.isKnown ? this.#known : this.#unknown).run(asker, work);
  }
}

function createSemaphore(): FairSemaphore {
  const onFull = () =>
    new ServiceError('rate_limited', 'Too many sign-ins at once.', { retryAfterSeconds: BUSY_SECONDS });
  return new FairSemaphore({ runningMax: RUNNING_MAX, waitingMax: WAITING_MAX, onFull });
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

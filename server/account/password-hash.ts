import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { ServiceError } from '@runcloud/protocol/terms';
import { FairSemaphore, type Requester } from '../flow/fair-semaphore.ts';

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
/**
 * One of strangers and one of those who are known: together half of the thread pool, whose other half files and pictures
 * need. Whoever is known shares the processors with one stranger at most, and so takes twice as long at most.
 */
const RUNNING_MAX = 1;
/** Callers beyond are told to come again: nobody waits much longer than ten seconds. */
export const WAITING_MAX = 32;
const BUSY_SECONDS = 10;

const STORED = /^scrypt\$([0-9]{1,2})\$([0-9]{1,3})\$([0-9]{1,3})\$([A-Za-z0-9_-]{22})\$([A-Za-z0-9_-]{43})$/;

/** For whom a password is hashed: works of one source are done one after the other, and sources take turns. */
export interface Asker extends Requester {
  /** Whether they have proved who they are before, and do not ask all the time: they wait behind no stranger. */
  readonly isKnown: boolean;
}

export interface Verdict {
  readonly matches: boolean;
  /** It was made at another cost than new ones: to be made again while the password is at hand. */
  readonly outdated: boolean;
}

/** Hashes passwords by scrypt on the thread pool. A stored hash carries its own cost and salt. */
export class PasswordHasher {
  readonly #cost: ScryptCost;
  readonly #nobodys: string;
  readonly #known = createSemaphore();
  readonly #strangers = createSemaphore();

  constructor(cost: ScryptCost = SCRYPT_COST) {
    this.#cost = cost;
    this.#nobodys = stored(cost, randomBytes(SALT_BYTES), randomBytes(HASH_BYTES));
  }

  /** The text to store. Rejects with `rate_limited` when too many wait. */
  async hash(password: string, asker: Asker): Promise<string> {
    const salt = randomBytes(SALT_BYTES);
    return stored(this.#cost, salt, await this.#derive(password, salt, this.#cost, asker));
  }

  /** Takes as long without a stored hash as with one: the time does not tell whether there is an account. */
  async verify(password: string, storedHash: string | undefined, asker: Asker): Promise<Verdict> {
    const { cost, salt, hash } = parse(storedHash ?? this.#nobodys);
    const matches = timingSafeEqual(await this.#derive(password, salt, cost, asker), hash) && storedHash !== undefined;
    const { logN, r, p } = this.#cost;
    return { matches, outdated: cost.logN !== logN || cost.r !== r || cost.p !== p };
  }

  #derive(password: string, salt: Uint8Array, { logN, r, p }: ScryptCost, asker: Asker): Promise<Buffer> {
    const N = 2 ** logN;
    // OpenSSL counts some bytes beside the table itself.
    const maxmem = 128 * N * r * 2;
    const work = () =>
      new Promise<Buffer>((resolve, reject) => {
        // The same text can be typed as different characters, depending on the keyboard (RFC 8265).
        scrypt(password.normalize('NFC'), salt, HASH_BYTES, { N, r, p, maxmem }, (error, key) => {
          if (error) reject(error);
          else resolve(key);
        });
      });
    return (asker.isKnown ? this.#known : this.#strangers).run(asker, work);
  }
}

function createSemaphore(): FairSemaphore {
  const onFull = () =>
    new ServiceError('rate_limited', 'Too many people sign in at once.', { retryAfterSeconds: BUSY_SECONDS });
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

import { join } from 'node:path';
import { noKey, signedOut } from '../failure.ts';
import { FileLock } from './file-lock.ts';
import { OAuth, type Tokens } from './oauth.ts';
import { TokenFile } from './token-file.ts';

/** Tokens are renewed when they have less than this left: whatever is asked with one is over by then. */
const RENEWED_BEFORE_MS = 120_000;

/** This user's sign-in to one service. */
export class SignIn {
  readonly oauth: OAuth;
  readonly #baseUrl: string;
  readonly #file: TokenFile;
  readonly #lock: FileLock;
  readonly #interrupt: AbortSignal;

  /**
   * @param folder where tokens are kept
   * @param answerMs milliseconds for one answer of the service
   */
  constructor(folder: string, baseUrl: string, interrupt: AbortSignal, answerMs?: number) {
    this.oauth = new OAuth(baseUrl, answerMs);
    this.#baseUrl = baseUrl;
    this.#file = new TokenFile(folder);
    this.#lock = new FileLock(join(folder, 'tokens.lock'));
    this.#interrupt = interrupt;
  }

  /**
   * A token that is good for a while. Of all processes of this user one renews it, and the others get what it got: a
   * refresh token that is used twice ends the sign-in.
   */
  async accessToken(): Promise<string> {
    const known = await this.#file.read(this.#baseUrl);
    if (!known) throw noKey();
    if (isFresh(known)) return known.accessToken;
    return this.#lock.hold(this.#interrupt, () => this.#renew());
  }

  /** Keeps the tokens of a new sign-in, and ends the one before. */
  async keep(tokens: Tokens): Promise<void> {
    const former = await this.#lock.hold(this.#interrupt, async () => {
      const read = await this.#file.read(this.#baseUrl);
      await this.#file.write(this.#baseUrl, tokens);
      return read;
    });
    // The old sign-in is not used any more; if it cannot be revoked, it expires.
    if (former) await this.oauth.revoke(former.refreshToken, this.#interrupt).catch(() => undefined);
  }

  /**
   * Deletes the tokens and revokes them; `false` if there were none. Rejects if the revocation fails; the tokens are deleted in any
   * case.
   */
  async end(): Promise<boolean> {
    const former = await this.#lock.hold(this.#interrupt, async () => {
      const read = await this.#file.read(this.#baseUrl);
      if (read) await this.#file.remove(this.#baseUrl);
      return read;
    });
    if (former) await this.oauth.revoke(former.refreshToken, this.#interrupt);
    return former !== undefined;
  }

  async #renew(): Promise<string> {
    // Another process may have renewed or ended it before this one got the lock.
    const known = await this.#file.read(this.#baseUrl);
    if (!known) throw noKey();
    if (isFresh(known)) return known.accessToken;
    const renewed = await this.oauth.refresh(known.refreshToken);
    if ('refused' in renewed) {
      if (renewed.refused !== 'invalid_grant') throw signedOut(renewed.description);
      await this.#file.remove(this.#baseUrl);
      throw signedOut('The sign-in has ended.');
    }
    await this.#file.write(this.#baseUrl, renewed);
    return renewed.accessToken;
  }
}

const isFresh = ({ expiresAt }: Tokens): boolean => Date.parse(expiresAt) - Date.now() > RENEWED_BEFORE_MS;

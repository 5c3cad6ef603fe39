/** Why an account or a key could not be created or changed; always an error of the caller. */
export type AccountErrorReason = 'invalid' | 'taken' | 'unknown' | 'revoked';

export class AccountError extends Error {
  override readonly name = 'AccountError';
  readonly reason: AccountErrorReason;

  constructor(reason: AccountErrorReason, message: string) {
    super(message);
    this.reason = reason;
  }
}

/** Why an account or a key could not be made or changed; always the caller's to mend. */
export type AccountErrorReason = 'invalid' | 'taken' | 'unknown' | 'revoked';

export class AccountError extends Error {
  override readonly name = 'AccountError';
  readonly reason: AccountErrorReason;

  constructor(reason: AccountErrorReason, message: string) {
    super(message);
    this.reason = reason;
  }
}

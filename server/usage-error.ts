/** A command was called in a wrong way; the message is one line that says how. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

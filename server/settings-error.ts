/** An invalid setting; the message is one line that names it. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
}

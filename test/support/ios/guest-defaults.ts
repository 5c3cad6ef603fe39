import type { Guest } from './guest.ts';
import type { XcrunAnswer } from './xcrun-answer.ts';

const USAGE: XcrunAnswer = { exitCode: 255, stderr: "Command line interface to a user's defaults.\n" };

/**
 * `defaults` in the guest, for the preferences of all apps (`man defaults`, `-g`): the language and the locale. The virtual phone takes
 * up the locale at once, where a simulator's apps would when they are launched.
 */
export function answerDefaults(guest: Guest, [verb, domain, key, ...values]: readonly string[]): XcrunAnswer {
  if (domain !== '-g' || key === undefined) return USAGE;
  if (verb === 'read' && values.length === 0) {
    const locale = guest.phone.settings.locale;
    if (key === 'AppleLocale') return { stdout: `${locale.replace(/-([A-Z]{2}|[0-9]{3})$/, '_$1')}\n` };
    if (key === 'AppleLanguages') return { stdout: `(\n    "${locale}"\n)\n` };
    return {
      exitCode: 1,
      stderr: `The domain/default pair of (kCFPreferencesAnyApplication, ${key}) does not exist\n`,
    };
  }
  if (verb !== 'write') return USAGE;
  if (key === 'AppleLanguages' && values[0] === '-array' && values.length === 2) return {};
  if (key !== 'AppleLocale' || values.length !== 1) return USAGE;
  guest.phone.settings.setLocale((values[0] ?? '').replaceAll('_', '-'));
  return {};
}

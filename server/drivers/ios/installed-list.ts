import { parseOpenStep } from 'plist';
import { isBundleIdentifier } from './frontmost.ts';

/** An app of a simulator. */
export interface InstalledBundle {
  readonly bundle: string;
  readonly name: string | undefined;
  readonly version: string | undefined;
  readonly isSystem: boolean;
}

type Fields = Readonly<Record<string, unknown>>;

/**
 * Reads `simctl listapps`: a property list in the old style of NeXT, in which other characters than those of ASCII are written as
 * `\Uxxxx`, which the library does not know. Throws for what is none.
 */
export function readInstalledList(text: string): readonly InstalledBundle[] {
  const plain = text.replace(/\\(\\|U([0-9a-fA-F]{4}))/g, (whole, _, hex) =>
    hex === undefined ? whole : String.fromCharCode(Number.parseInt(hex, 16)),
  );
  const list = parseOpenStep(plain) as unknown;
  if (typeof list !== 'object' || list === null || Array.isArray(list)) throw new TypeError('no list of apps');
  return Object.entries(list as Fields).flatMap(([bundle, value]) => {
    if (!isBundleIdentifier(bundle) || typeof value !== 'object' || value === null) return [];
    const { CFBundleDisplayName, CFBundleName, CFBundleShortVersionString, CFBundleVersion, ApplicationType } =
      value as Fields;
    return [
      {
        bundle,
        name: textOf(CFBundleDisplayName) ?? textOf(CFBundleName),
        version: textOf(CFBundleShortVersionString) ?? textOf(CFBundleVersion),
        isSystem: ApplicationType !== 'User',
      },
    ];
  });
}

/** Names of other people's apps may be as long as they like. */
const TEXT_CHARACTERS_MAX = 200;

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value.slice(0, TEXT_CHARACTERS_MAX) : undefined;

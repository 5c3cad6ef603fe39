import type { CommandAnswer } from './guest-commands.ts';

/** What each app of the stand-in asks for in its manifest. */
const REQUESTED = ['INTERNET', 'CAMERA', 'ACCESS_FINE_LOCATION', 'ACCESS_COARSE_LOCATION', 'READ_MEDIA_IMAGES'].map(
  (name) => `android.permission.${name}`,
);
/** Those that people decide of; the others come with the installation. */
const RUNTIME = REQUESTED.slice(1);
const FLAGS = ['user-set', 'user-fixed', 'review-required', 'revoked-compat', 'revoke-when-requested'];

interface Kept {
  granted: boolean;
  readonly flags: Set<string>;
}

/** The runtime permissions of apps, as the package manager of Android 14 keeps and tells them. */
export class AppPermissions {
  readonly #apps = new Map<string, Map<string, Kept>>();

  /** @param granted whether it was installed with `-g` */
  installed(app: string, granted: boolean): void {
    this.#apps.set(app, new Map(RUNTIME.map((name) => [name, { granted, flags: new Set() }])));
  }

  /** Also when its data is cleared, which takes back what a person has decided. */
  reset(app: string): void {
    if (this.#apps.has(app)) this.installed(app, false);
  }

  removed(app: string): void {
    this.#apps.delete(app);
  }

  /** Plain data, which later changes leave as it is. */
  save(): ReadonlyMap<string, ReadonlyMap<string, Kept>> {
    return structuredClone(this.#apps);
  }

  restore(saved: ReturnType<AppPermissions['save']>): void {
    this.#apps.clear();
    for (const [app, kept] of structuredClone(saved)) this.#apps.set(app, new Map(kept));
  }

  /** `undefined` for other verbs of `pm`. */
  answer(verb: string, [app = '', name = '', ...flags]: readonly string[]): CommandAnswer | undefined {
    if (!['grant', 'revoke', 'set-permission-flags', 'clear-permission-flags'].includes(verb)) return undefined;
    const failed = (kind: string, words: string) => ({
      code: 255,
      out: `\nException occurred while executing '${verb}':\njava.lang.${kind}: ${words}\n`,
    });
    const kept = this.#apps.get(app);
    if (!kept) return failed('IllegalArgumentException', `Unknown package: ${app}`);
    const permission = kept.get(name);
    if (!permission) return failed('SecurityException', `Package ${app} has not requested permission ${name}`);
    if (verb === 'grant') permission.granted = true;
    if (verb === 'revoke') permission.granted = false;
    if (!verb.endsWith('-flags')) return {};
    if (flags.length === 0 || flags.some((flag) => !FLAGS.includes(flag)))
      return { code: 1, out: 'Error: unknown flag\n' };
    for (const flag of flags) {
      if (verb === 'set-permission-flags') permission.flags.add(flag);
      else permission.flags.delete(flag);
    }
    return {};
  }

  dump(app: string): string {
    const kept = this.#apps.get(app);
    if (!kept) return `Unable to find package: ${app}\n`;
    const flagsOf = ({ flags }: Kept) =>
      ['USER_SENSITIVE_WHEN_GRANTED', ...[...flags].map((flag) => flag.replaceAll('-', '_').toUpperCase())].join('|');
    return [
      'Packages:',
      `  Package [${app}] (3f1c2d7):`,
      '    appId=10234',
      '    requested permissions:',
      ...REQUESTED.map((name) => `      ${name}`),
      '    install permissions:',
      '      android.permission.INTERNET: granted=true',
      '    User 0: ceDataInode=131 installed=true hidden=false suspended=false',
      '      gids=[3003]',
      '      runtime permissions:',
      ...[...kept].map(([name, one]) => `        ${name}: granted=${one.granted}, flags=[ ${flagsOf(one)}]`),
      '    User 10: ceDataInode=0 installed=true hidden=false suspended=false',
      '      runtime permissions:',
      ...[...kept].map(([name]) => `        ${name}: granted=true, flags=[ USER_SET]`),
      '',
    ].join('\n');
  }
}

import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { KeyReport, Report } from './guest-phone.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

export const journalOf = (folder: string, avd: string): string => join(folder, `${avd}.journal`);

/** Inputs that reached an emulator, with the times of its own clock. */
export interface Journal {
  readonly reports: readonly Report[];
  readonly keys: readonly KeyReport[];
  readonly texts: readonly string[];
  readonly violations: readonly string[];
}

export interface EmulatorHost {
  /** The environment variables of this host for a service. */
  readonly tools: Readonly<Record<string, string>>;
  /** Emulators that were started, oldest first. */
  starts(): readonly { readonly avd: string; readonly pid: number }[];
  journal(avd: string): Journal;
  remove(): void;
}

/**
 * A host with an Android SDK whose `emulator` is a stand-in, which runs in processes of its own, and with these AVDs.
 * @param saveMs how long a guest stands still while its state is kept
 */
export function emulatorHost(avds: readonly string[], saveMs = 100): EmulatorHost {
  const folder = mkdtempSync(join(tmpdir(), 'runcloud-sdk-'));
  const program = join(folder, 'sdk/emulator/emulator');
  mkdirSync(join(folder, 'sdk/emulator'), { recursive: true });
  const file = join(ROOT, 'test/support/android/emulator-program.ts');
  writeFileSync(
    program,
    `#!/bin/sh\nexport STAND_IN_SAVE_MS=${saveMs}\ncd '${ROOT}' && exec '${process.execPath}' --import tsx '${file}' "$@"\n`,
  );
  chmodSync(program, 0o755);
  mkdirSync(join(folder, 'avd'));
  for (const avd of avds) {
    writeFileSync(join(folder, 'avd', `${avd}.ini`), `path=${folder}/avd/${avd}.avd\n`);
    mkdirSync(join(folder, 'avd', `${avd}.avd`));
  }
  const lines = (path: string) => (existsSync(path) ? readFileSync(path, 'utf8').split('\n').slice(0, -1) : []);
  return {
    tools: {
      PATH: process.env.PATH ?? '/usr/bin:/bin',
      HOME: folder,
      XDG_RUNTIME_DIR: folder,
      ANDROID_HOME: join(folder, 'sdk'),
      ANDROID_AVD_HOME: join(folder, 'avd'),
    },
    starts: () =>
      lines(join(folder, 'starts.log')).map((line) => {
        const [avd = '', pid] = line.split(' ');
        return { avd, pid: Number(pid) };
      }),
    journal(avd) {
      const entries = lines(journalOf(folder, avd)).map((line) => JSON.parse(line));
      const of = (kind: string) => entries.filter((entry) => entry.kind === kind).map(({ what }) => what);
      return { reports: of('reports'), keys: of('keys'), texts: of('texts'), violations: of('violations') };
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

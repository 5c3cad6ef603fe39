import { existsSync, readdirSync } from 'node:fs';
import { homedir, userInfo } from 'node:os';
import { isAbsolute, join } from 'node:path';
import type { ToolEnvironment } from '../../../device/target.ts';
import { isOwnFolder, readOwnFile } from '../../process/own-file.ts';

/** The folder in which an emulator accepts public keys of its control service's callers. Absolute paths. */
export interface KeyExchange {
  /** Each file `*.jwk` in it is a set of keys. */
  readonly folder: string;
  /** The file in which the emulator tells the keys that it goes by. */
  readonly active: string;
}

/** A running emulator, from the file by which it makes itself known. */
export interface RunningEmulator {
  readonly pid: number;
  readonly avd: string;
  /** Port of its console; its name for adb is `emulator-<consolePort>`. */
  readonly consolePort: number;
  readonly adbPort: number;
  /** Absent when its control service is off. */
  readonly grpcPort?: number;
  /** Secret. */
  readonly grpcToken?: string;
  readonly grpcKeys?: KeyExchange;
}

const FILE_NAME = /^pid_(\d{1,9})(?:_info)?\.ini$/;
/** Such a file has about a kilobyte. */
const FILE_BYTES_MAX = 65_536;
const FILES_MAX = 256;

/** Below a folder that differs from system to system. */
const PLACE = ['avd', 'running'] as const;

/** Where emulators of this user make themselves known: below the first of these folders that there is. */
function runningParents(tools: ToolEnvironment): string[] {
  const home = tools.HOME ?? homedir();
  const { uid, username } = userInfo();
  const parents =
    process.platform === 'darwin'
      ? [join(home, 'Library/Caches/TemporaryItems')]
      : [tools.XDG_RUNTIME_DIR, `/run/user/${uid}`, join(home, '.android'), join('/tmp', `android-${username}`)];
  return parents.flatMap((parent) => parent || []);
}

/**
 * The discovery folders of emulators that other users can write to. They are not trusted: some are in `/tmp`, where any user may
 * create them, and a file there decides where input is sent.
 */
export function distrustedFolders(tools: ToolEnvironment): string[] {
  return runningParents(tools)
    .filter((parent) => existsSync(join(parent, ...PLACE)) && !isOwnUpTo(parent))
    .map((parent) => join(parent, ...PLACE));
}

const isOwnUpTo = (parent: string): boolean =>
  PLACE.map((_, depth) => join(parent, ...PLACE.slice(0, depth + 1)))
    .concat(parent)
    .every(isOwnFolder);

/** The emulators that run on this host, each once. */
export function runningEmulators(tools: ToolEnvironment): RunningEmulator[] {
  const found = new Map<number, RunningEmulator & { readonly changedMs: number }>();
  for (const parent of runningParents(tools).filter(isOwnUpTo)) {
    const folder = join(parent, ...PLACE);
    for (const name of filesOf(folder)) {
      const emulator = readEmulator(join(folder, name), Number(FILE_NAME.exec(name)?.[1]));
      const known = emulator && found.get(emulator.consolePort);
      // A port belongs to the emulator that wrote its file last.
      if (emulator && (!known || known.changedMs < emulator.changedMs)) found.set(emulator.consolePort, emulator);
    }
  }
  return [...found.values()].sort((one, other) => one.consolePort - other.consolePort);
}

function filesOf(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => FILE_NAME.test(name))
      .slice(0, FILES_MAX);
  } catch {
    return [];
  }
}

function readEmulator(file: string, pid: number): (RunningEmulator & { readonly changedMs: number }) | undefined {
  try {
    // Dead emulators leave their files behind.
    process.kill(pid, 0);
    const known = readOwnFile(file, FILE_BYTES_MAX);
    if (!known) return undefined;
    const { text, changedMs } = known;
    const fields = parseIni(text);
    const consolePort = port(fields.get('port.serial'));
    const adbPort = port(fields.get('port.adb'));
    const avd = fields.get('avd.id') ?? fields.get('avd.name');
    if (consolePort === undefined || adbPort === undefined || !avd) return undefined;
    const grpcPort = port(fields.get('grpc.port'));
    const grpcToken = fields.get('grpc.token');
    const grpcKeys = keyExchange(fields.get('grpc.jwks'), fields.get('grpc.jwk_active'));
    return {
      pid,
      avd,
      consolePort,
      adbPort,
      changedMs,
      ...(grpcPort === undefined ? {} : { grpcPort }),
      ...(grpcToken ? { grpcToken } : {}),
      ...(grpcKeys ? { grpcKeys } : {}),
    };
  } catch {
    return undefined;
  }
}

/** Lines of `key=value`; what is none is passed over. */
export function parseIni(text: string): Map<string, string> {
  return new Map(
    text.split(/\r?\n/).flatMap((line) => {
      const at = line.indexOf('=');
      return at > 0 ? [[line.slice(0, at).trim(), line.slice(at + 1).trim()] as const] : [];
    }),
  );
}

const keyExchange = (folder = '', active = ''): KeyExchange | undefined =>
  isAbsolute(folder) && isAbsolute(active) ? { folder, active } : undefined;

function port(text: string | undefined): number | undefined {
  const number = /^\d{1,5}$/.test(text ?? '') ? Number(text) : 0;
  return number > 0 && number <= 65_535 ? number : undefined;
}

import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Environment } from '../../../server/settings.ts';
import { FileService } from './adb-files.ts';
import { StandInAdbd } from './adbd.ts';
import { AvdSnapshots } from './avd-snapshots.ts';
import { ControlService } from './control-service.ts';
import { EmulatorConsole } from './emulator-console.ts';
import { FOLD_DISPLAYS } from './fold-displays.ts';
import { GuestCommands } from './guest-commands.ts';
import { GuestPhone } from './guest-phone.ts';
import { GuestSystem } from './guest-system.ts';
import type { StandInKeys } from './key-exchange.ts';

export interface StandInOptions {
  /** Without it there is no control service. */
  readonly control?: 'new' | 'old' | 'none';
  readonly token?: string;
  /** It takes keys, and tokens that they sign. */
  readonly keys?: StandInKeys;
  /** Of the control service; any free one where absent. */
  readonly grpcPort?: number;
  /** The folder of its AVD, in which it keeps snapshots. */
  readonly content?: string;
  /** It has two displays. */
  readonly foldable?: true;
  /** It is this process, and not only for this process's tests. */
  readonly own?: boolean;
}

let lastConsole = 20_000 + (process.pid % 2_000) * 4;

/** A whole emulator as this host sees one: its file, its control service, its adb daemon, and a phone behind them. */
export class StandInEmulator {
  readonly guest: GuestPhone;
  readonly system: GuestSystem;
  readonly adbd: StandInAdbd;
  readonly control: ControlService | undefined;
  readonly avd: string;
  /** Of its own once it has started. */
  consolePort: number;
  readonly console: EmulatorConsole;
  readonly #commands: GuestCommands;
  readonly #options: StandInOptions;
  #process: ReturnType<typeof spawn> | undefined;
  #file = '';

  constructor(avd: string, options: StandInOptions = {}) {
    this.avd = avd;
    this.#options = options;
    this.guest = new GuestPhone(options.foldable ? FOLD_DISPLAYS : []);
    lastConsole += 2;
    this.consolePort = lastConsole;
    this.console = new EmulatorConsole(this.guest);
    this.system = new GuestSystem(this.guest, avd);
    this.#commands = new GuestCommands(this.system.answer);
    this.adbd = new StandInAdbd(this.#commands.path);
    this.adbd.service = (name) =>
      name === 'sync:' ? (peer) => new FileService(this.system.disk, peer) : this.system.scrcpy.service(name);
    if (options.content !== undefined) {
      const snapshots = new AvdSnapshots(this.system, options.content, this.adbd);
      snapshots.boot();
      this.console.snapshots = (words) => snapshots.answer(words);
    }
    const { control = 'new', token, keys, grpcPort = 0 } = options;
    this.control =
      control === 'none'
        ? undefined
        : new ControlService(this.guest, {
            old: control === 'old',
            ...(token === undefined ? {} : { token }),
            ...(keys ? { keys } : {}),
          });
    if (this.control) this.control.port = grpcPort;
  }

  /** @param folder XDG_RUNTIME_DIR and HOME of the service under test */
  async start(folder: string): Promise<void> {
    await this.#commands.listen();
    await this.adbd.listen();
    await this.control?.listen();
    this.consolePort = await this.console.listen(folder, this.consolePort);
    // The file is named after a process that lives as long as the emulator does.
    this.#process = this.#options.own ? undefined : spawn('/bin/sleep', ['600'], { stdio: 'ignore' });
    mkdirSync(join(folder, 'avd/running'), { recursive: true });
    this.#file = join(folder, 'avd/running', `pid_${this.#process?.pid ?? process.pid}.ini`);
    this.announce();
  }

  announce(): void {
    const lines = [
      `port.serial=${this.consolePort}`,
      `port.adb=${this.adbd.port}`,
      `avd.name=${this.avd}`,
      `avd.id=${this.avd}`,
      ...(this.control ? [`grpc.port=${this.control.port}`] : []),
      ...(this.#options.token === undefined ? [] : [`grpc.token=${this.#options.token}`]),
      ...(this.#options.keys
        ? [`grpc.jwks=${this.#options.keys.folder}`, `grpc.jwk_active=${this.#options.keys.active}`]
        : []),
      'cmdline="emulator" "-avd"',
    ];
    writeFileSync(this.#file, `${lines.join('\n')}\n`);
  }

  stop(): void {
    rmSync(this.#file, { force: true });
    this.#process?.kill('SIGKILL');
    this.control?.close();
    this.console.close();
    this.adbd.close();
    this.#commands.close();
    this.system.scrcpy.close();
    this.guest.phone.close();
  }
}

export interface StandInHost {
  readonly environment: Environment;
  readonly emulators: readonly StandInEmulator[];
  /** Where emulators of this host make themselves known. */
  readonly folder: string;
  stop(): void;
}

/** A host with stand-ins of emulators, and the settings that let the service find them. */
export async function standInHost(
  count: number,
  options: StandInOptions = { token: 'c3RhbmQtaW4=' },
): Promise<StandInHost> {
  const folder = mkdtempSync(join(tmpdir(), 'runcloud-emulators-'));
  const emulators = Array.from({ length: count }, (_, index) => new StandInEmulator(`Stand_In_${index + 1}`, options));
  for (const emulator of emulators) await emulator.start(folder);
  return {
    folder,
    emulators,
    environment: {
      RUNCLOUD_DEVICES: 'android-emulator:auto',
      PATH: process.env.PATH ?? '/usr/bin:/bin',
      HOME: folder,
      XDG_RUNTIME_DIR: folder,
    },
    stop() {
      for (const emulator of emulators) emulator.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

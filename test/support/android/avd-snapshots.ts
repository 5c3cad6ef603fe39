import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { deserialize, serialize } from 'node:v8';
import type { VirtualPhone } from '../../../server/phone/phone.ts';
import type { StandInAdbd } from './adbd.ts';
import type { AppPermissions } from './app-permissions.ts';
import type { GuestSystem } from './guest-system.ts';

/** How long a guest stands still until its memory is written. */
const SAVE_MS = Number(process.env.STAND_IN_SAVE_MS);

/** What a guest has on its disk. */
interface Disk {
  readonly settings: ReadonlyMap<string, string>;
  readonly packages: ReadonlySet<string>;
  readonly permissions: ReturnType<AppPermissions['save']>;
  readonly night: string;
  readonly files: ReadonlyMap<string, Buffer>;
  readonly folders: ReadonlySet<string>;
  readonly links: ReadonlyMap<string, string>;
  readonly rows: GuestSystem['media']['rows'];
}

interface State {
  readonly disk: Disk;
  /** What runs, and is shown. */
  readonly phone: ReturnType<VirtualPhone['save']>;
}

/** The console's `avd snapshot`, with the states in the folder of the AVD as emulators have them. */
export class AvdSnapshots {
  readonly #system: GuestSystem;
  readonly #folder: string;
  readonly #disk: string;
  readonly #adbd: Pick<StandInAdbd, 'still' | 'hangUp'>;

  /**
   * @param content the folder of the AVD
   * @param adbd the guest's end of adb, of which another state knows no connection
   */
  constructor(system: GuestSystem, content: string, adbd: Pick<StandInAdbd, 'still' | 'hangUp'>) {
    this.#system = system;
    this.#folder = join(content, 'snapshots');
    this.#disk = join(content, 'userdata.img');
    this.#adbd = adbd;
  }

  /** A start without a snapshot finds the disk as it was; of what changes on it, what a snapshot has brought is enough here. */
  boot(): void {
    if (existsSync(this.#disk)) this.#restoreDisk((deserialize(readFileSync(this.#disk)) as State).disk);
  }

  /** How the commands below `avd snapshot` are answered. */
  async answer([verb, name]: readonly string[]): Promise<string> {
    if (verb === 'list') return this.#list();
    if (name === undefined || !/^[\w.-]+$/.test(name)) return "KO: argument missing, try 'avd snapshot'\r\n";
    if (verb === 'save') await this.#save(name);
    else if (verb !== 'load' && verb !== 'del') return 'KO: bad sub-command\r\n';
    else if (!existsSync(this.#path(name))) {
      return `KO: Device 'userdata' does not have the requested snapshot '${name}'\r\n`;
    } else if (verb === 'del') rmSync(join(this.#folder, name), { recursive: true });
    else {
      try {
        this.#load(name);
      } catch {
        return `KO: Failed to load snapshot '${name}'\r\n`;
      }
    }
    return 'OK\r\n';
  }

  #list(): string {
    const names = existsSync(this.#folder) ? readdirSync(this.#folder) : [];
    if (names.length === 0) return 'There is no snapshot available.\r\nOK\r\n';
    const lines = names.map((name) => `--        ${name.padEnd(20)}   1.9G 2026-01-01 00:00:00   00:00:01.000\r\n`);
    return `List of snapshots present on all disks:\r\nID        TAG   VM SIZE   DATE   VM CLOCK\r\n${lines.join('')}OK\r\n`;
  }

  async #save(name: string): Promise<void> {
    const { settings, packages, permissions, night, disk, media, guest } = this.#system;
    const { files, folders, links } = disk;
    const kept = {
      settings,
      packages,
      permissions: permissions.save(),
      night,
      files,
      folders,
      links,
      rows: media.rows,
    };
    const state: State = { disk: kept, phone: guest.phone.save() };
    const bytes = serialize(state);
    this.#adbd.still = true;
    await sleep(SAVE_MS);
    this.#adbd.still = false;
    mkdirSync(join(this.#folder, name), { recursive: true });
    writeFileSync(this.#path(name), bytes);
  }

  #load(name: string): void {
    const { disk, phone } = deserialize(readFileSync(this.#path(name))) as State;
    this.#adbd.hangUp();
    this.#restoreDisk(disk);
    this.#system.guest.phone.restore(phone);
    copyFileSync(this.#path(name), this.#disk);
  }

  #restoreDisk({ settings, packages, permissions, night, files, folders, links, rows }: Disk): void {
    const { settings: own, packages: installed, disk, media } = this.#system;
    refill(own, settings);
    refill(disk.files, files);
    refill(disk.links, links);
    installed.clear();
    for (const name of packages) installed.add(name);
    disk.folders.clear();
    for (const folder of folders) disk.folders.add(folder);
    media.rows.splice(0, media.rows.length, ...rows);
    this.#system.permissions.restore(permissions);
    this.#system.night = night;
  }

  #path(name: string): string {
    return join(this.#folder, name, 'ram.bin');
  }
}

function refill<V>(map: Map<string, V>, from: ReadonlyMap<string, V>): void {
  map.clear();
  for (const [name, value] of from) map.set(name, value);
}

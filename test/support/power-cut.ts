import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const SOURCE = fileURLToPath(new URL('power-cut.c', import.meta.url));

/** Compiles the library; says why it cannot be done here. */
function compile(folder: string): string | undefined {
  if (process.platform !== 'linux') return 'NO LD_PRELOAD: power cuts are NOT tested';
  try {
    execFileSync('cc', ['-shared', '-fPIC', '-O1', '-o', join(folder, 'power-cut.so'), SOURCE, '-ldl'], {
      stdio: 'pipe',
    });
    return undefined;
  } catch (error) {
    return `NO C COMPILER: power cuts are NOT tested (${String(error).split('\n', 1)[0]})`;
  }
}

/** A data directory, and beside it what a power cut at this moment would leave of its database. */
export class PowerCut {
  readonly #folder = mkdtempSync(join(tmpdir(), 'runcloud-power-cut-'));
  /** Why there is none here. */
  readonly missing: string | undefined;
  #cuts = 0;

  constructor() {
    mkdirSync(join(this.#folder, 'kept'));
    this.missing = compile(this.#folder);
  }

  get dataDir(): string {
    return join(this.#folder, 'data');
  }

  /** The environment of a server's process. A disk that lies acknowledges writes of the log without storing them. */
  environment({ lies = false } = {}): Record<string, string> {
    return {
      LD_PRELOAD: join(this.#folder, 'power-cut.so'),
      POWER_CUT_OF: join(this.dataDir, 'runcloud.db'),
      POWER_CUT_KEEPS: join(this.#folder, 'kept'),
      ...(lies ? { POWER_CUT_LIES: '1' } : {}),
    };
  }

  /** The power goes now: a new data directory with what is left. */
  cut(): string {
    const left = join(this.#folder, `left-${++this.#cuts}`);
    mkdirSync(left);
    const kept = join(this.#folder, 'kept');
    for (const name of readdirSync(kept)) {
      // A file that has been removed since is missing, too: SQLite syncs the folder before it relies on the removal.
      if (!existsSync(join(this.dataDir, name))) continue;
      cpSync(join(kept, name), join(left, name));
    }
    if (!existsSync(join(left, 'runcloud.db'))) throw new Error('not even the database was ever synced');
    return left;
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

import { fileURLToPath } from 'node:url';
import { killGroup, spawnChild } from '../drivers/process/children.ts';
import {
  ANSWER_CHARACTERS_MAX,
  type PackageAnswer,
  type PackageQuestion,
  readPackageLine,
} from '../link/package-lines.ts';
import { ProcessLauncher, type ProcessLauncherOptions } from '../link/process-launcher.ts';
import { type ProcessPort, portToProcess } from '../link/process-port.ts';

/** Of V8, in the thread that reads. A package that needs more is refused. */
const HEAP_MB = 256;
/** Of everything together. Node.js and its threads reserve some four of the six GiB, and use little of them. */
const ADDRESS_SPACE_KIB = 6 * 2 ** 20;
/** A process that has used half of this is replaced; one package may use up to two minutes. */
const CPU_S = 600;
/** It writes no file but what the compiler keeps. In blocks of 512 bytes. */
const FILE_BLOCKS = 4_096;
const OPEN_FILES = 64;

/** Limits that the shell cannot set on this system stay as they are, and so do limits that are lower already. */
const SCRIPT = `
cd /
ulimit -c 0
ulimit -t ${CPU_S}
ulimit -f ${FILE_BLOCKS}
ulimit -n ${OPEN_FILES}
ulimit -v ${ADDRESS_SPACE_KIB}
exec "$@"
`;

/** One decoder at a time, and no pools of memory for each of many threads: both count as address space. */
const ENVIRONMENT = { LANG: 'C', MALLOC_ARENA_MAX: '2', UV_THREADPOOL_SIZE: '2', VIPS_CONCURRENCY: '1' };
const GUARD = fileURLToPath(new URL('./package-guard.mjs', import.meta.url));
const LAUNCHER = fileURLToPath(new URL('./launcher.mjs', import.meta.url));

/** The whole environment of the processes and of their launcher. */
function environment(): Record<string, string> {
  const { PATH = '/usr/bin:/bin', TMPDIR } = process.env;
  return { ...ENVIRONMENT, PATH, ...(TMPDIR === undefined ? {} : { TMPDIR }) };
}

/** Starts the launcher of the processes that read packages. It ends with the service, however that ends. */
export function startPackageLauncher(options: Pick<ProcessLauncherOptions, 'clock' | 'onLost'>): ProcessLauncher {
  return new ProcessLauncher({
    ...options,
    launch: () => spawnChild(process.execPath, [LAUNCHER], environment(), ['ignore', 'ignore', 'ignore', 'ipc']),
    kill: killGroup,
  });
}

/**
 * Starts a process that reads packages. Packages are read by native libraries, and made by strangers: what goes wrong in
 * there ends this process and no more. It has none of the service's environment and descriptors, and bounds of the system
 * on memory, processor time, files and what it writes. It ends with its launcher, however that ends.
 */
export function startPackageProcess(
  launcher: Pick<ProcessLauncher, 'start'>,
  heapMb = HEAP_MB,
): ProcessPort<PackageQuestion, PackageAnswer> {
  const node = [process.execPath, '--disable-wasm-trap-handler', GUARD, String(heapMb), String(CPU_S * 500)];
  const args = ['-c', SCRIPT, 'sh', ...node];
  return portToProcess(launcher.start({ program: '/bin/sh', args, environment: environment() }), {
    decode: readPackageLine,
    lineCharactersMax: ANSWER_CHARACTERS_MAX,
  });
}

// Run by npm after an install: removes files of installed packages that the service can never read, over 100 MB of them.
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const { platform, arch } = process;
const PACKAGES = fileURLToPath(new URL('../node_modules/', import.meta.url));

/** Node.js 20, the first version that the service runs on. */
const MODULES_MIN = 115;

/** @param {string} name of a file such as `uws_linux_x64_115.node` */
function isOtherBinary(name) {
  const [, itsPlatform, itsArch, modules] = /^uws_(\w+)_(\w+)_(\d+)\.node$/.exec(name) ?? [];
  return modules !== undefined && !(itsPlatform === platform && itsArch === arch && Number(modules) >= MODULES_MIN);
}

/** @param {readonly string[]} weights of the fonts in folders such as `400Regular_Italic` that are kept, upright */
function isOtherWeight(weights) {
  return (/** @type {string} */ name) => {
    const [, weight, italic] = /^(\d00)[A-Za-z]+(_Italic)?$/.exec(name) ?? [];
    return weight !== undefined && (italic !== undefined || !weights.includes(weight));
  };
}

/** Folders in packages, with what is of no use in each. A package that is not installed, or has changed, is left as it is. */
const USELESS = [
  // One package has the binaries of all platforms and Node.js versions.
  { folder: 'uWebSockets.js/binaries', isUseless: isOtherBinary },
  // Second copies, which nothing loads.
  { folder: 'uWebSockets.js/dist', isUseless: (name) => name.endsWith('.node') },
  {
    folder: '@julusian/jpeg-turbo/prebuilds',
    isUseless: (name) => !name.startsWith(`jpeg-turbo-${platform}-${arch}`),
  },
  // The source code of SQLite, and what its compiler left behind.
  { folder: 'better-sqlite3', isUseless: (name) => name === 'deps' },
  { folder: 'better-sqlite3/build/Release', isUseless: (name) => name !== 'better_sqlite3.node' },
  // Weights that the phone does not draw (`phone/text/faces.ts`).
  { folder: '@expo-google-fonts/inter', isUseless: isOtherWeight(['400', '500', '600', '700']) },
  { folder: '@expo-google-fonts/noto-emoji', isUseless: isOtherWeight(['500']) },
  // Copies for bundlers; Node.js loads the ones beside them.
  ...['@aws-sdk', '@smithy'].flatMap((scope) =>
    namesIn(join(PACKAGES, scope)).map((name) => ({
      folder: `${scope}/${name}`,
      isUseless: (/** @type {string} */ part) => part === 'dist-es',
    })),
  ),
];

for (const { folder, isUseless } of USELESS) {
  const path = join(PACKAGES, folder);
  for (const name of namesIn(path)) if (isUseless(name)) rmSync(join(path, name), { recursive: true, force: true });
}

// Source maps, which lead to sources that are not installed.
for (const entry of entriesBelow(PACKAGES)) {
  if (entry.isFile() && /\.(c|m)?(js|css|ts)\.map$/.test(entry.name))
    rmSync(join(entry.parentPath ?? entry.path, entry.name), { force: true });
}

/** @param {string} path of a folder that may be absent */
function entriesBelow(path) {
  try {
    return readdirSync(path, { recursive: true, withFileTypes: true });
  } catch {
    return [];
  }
}

/** @param {string} path of a folder that may be absent */
function namesIn(path) {
  try {
    return readdirSync(path);
  } catch {
    return [];
  }
}

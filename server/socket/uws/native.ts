import type uWS from 'uWebSockets.js';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

type Library = typeof uWS;

const require = createRequire(import.meta.url);

/**
 * The native library, if there is a build of it for this Node.js and system. Without one npm's package would load a slow
 * replacement with other semantics, and say so on the console; so its file is looked for first.
 */
export function nativeSockets(): Library | undefined {
  if (!hasBuild()) return undefined;
  const library = require('uWebSockets.js') as Library;
  return Function.prototype.toString.call(library.App).includes('[native code]') ? library : undefined;
}

/** The packages of npm and of the official releases keep their builds in different folders. */
function hasBuild(): boolean {
  if (process.env.UWS_USE_FALLBACK !== undefined) return false;
  const { platform, arch, versions } = process;
  const name = `uws_${platform}_${arch}_${versions.modules}.node`;
  try {
    const folder = dirname(require.resolve('uWebSockets.js'));
    return [folder, join(folder, '../binaries')].some((place) => existsSync(join(place, name)));
  } catch {
    return false;
  }
}

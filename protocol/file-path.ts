import { isWellFormed } from './characters.ts';
import { LIMITS } from './limits.ts';

/**
 * Paths of files on devices: names between slashes, below a root. A name is data: it reaches the device byte for byte, in UTF-8, or
 * is refused here. Nothing is decoded, normalised or folded.
 */

const encoder = new TextEncoder();
const bytesOf = (text: string): number => encoder.encode(text).length;

/** Why a path is refused, as the rest of a sentence that begins with the field's name; `undefined` if it may be used. */
export function filePathFault(path: string): string | undefined {
  if (path.includes('\0')) return 'has a NUL character, which no name can have';
  if (!isWellFormed(path)) return 'has half of a surrogate pair, which stands for no character';
  if (path.startsWith('/')) return 'is absolute; it must begin below the root';
  if (bytesOf(path) > LIMITS.filePathBytes) return `has more than ${LIMITS.filePathBytes} bytes in UTF-8`;
  for (const name of path.split('/')) {
    if (name === '') return path === '' ? 'names no file' : 'has an empty name between slashes, or behind the last one';
    if (name === '.' || name === '..') return `has the name "${name}", which stands for another folder`;
    if (bytesOf(name) > LIMITS.fileNameBytes) return `has a name of more than ${LIMITS.fileNameBytes} bytes in UTF-8`;
  }
  return undefined;
}

/** The id of the app whose folder a root is; `undefined` for the shared folder. */
export const appOfRoot = (root: string): string | undefined =>
  root.startsWith('app:') ? root.slice('app:'.length) : undefined;

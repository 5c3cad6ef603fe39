import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { DeviceFault } from '../../device/fault.ts';
import type { ToolEnvironment } from '../../device/target.ts';

/** The absolute path of a program: in one of `folders`, which go first, or in the PATH of `tools`. */
export function findProgram(name: string, tools: ToolEnvironment, folders: readonly string[] = []): string | undefined {
  const searched = [...folders, ...(tools.PATH ?? '').split(delimiter)].filter((folder) => folder !== '');
  return searched.map((folder) => join(folder, name)).find(isProgram);
}

/**
 * The same for a program that has to be there.
 * @param remedy how to get it, as the end of the sentence that refuses
 */
export function requireProgram(
  name: string,
  remedy: string,
  tools: ToolEnvironment,
  folders: readonly string[] = [],
): string {
  const found = findProgram(name, tools, folders);
  if (found === undefined) throw new DeviceFault('unavailable', `the program \`${name}\` is missing: ${remedy}`);
  return found;
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

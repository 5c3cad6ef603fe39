import type { FileKind, FilePlace } from '@runcloud/protocol';
import { appOfRoot, LIMITS } from '@runcloud/protocol/terms';
import { DeviceFault } from './fault.ts';

/** Refusals that all drivers say alike. Names stand in them as JSON writes them: a message is one line, whatever a name has in it. */

/** "in the folder of com.example.shop". */
export function inRoot(root: string): string {
  const app = appOfRoot(root);
  return app === undefined ? 'in the shared folder' : `in the folder of ${app}`;
}

const failed = (sentence: string) => new DeviceFault('failed', sentence);

export const notThere = ({ root, path }: FilePlace) => failed(`There is no ${JSON.stringify(path)} ${inRoot(root)}.`);

const WORDS: Readonly<Record<FileKind, string>> = {
  file: 'a file',
  folder: 'a folder',
  link: 'a link, which is not followed',
  other: 'neither a file nor a folder',
};

/** @param wanted what it would have to be */
export const isKind = ({ root, path }: FilePlace, kind: FileKind, wanted?: FileKind) =>
  failed(
    `${path === '' ? 'The root' : JSON.stringify(path)} ${inRoot(root)} is ${WORDS[kind]}${wanted ? `, and no ${wanted}` : ''}.`,
  );

export const notEmpty = ({ root, path }: FilePlace) =>
  failed(`The folder ${JSON.stringify(path)} ${inRoot(root)} is not empty.`);

export const tooLong = ({ root, path }: FilePlace, byteSize: number) =>
  failed(`${JSON.stringify(path)} ${inRoot(root)} has ${byteSize} bytes; ${LIMITS.fileBytes} are allowed.`);

export const ended = () => new DeviceFault('aborted', 'The call was ended.');

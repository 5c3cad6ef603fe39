import {
  ChangeFileQuery,
  checkChangeFileQuery,
  checkFileQuery,
  checkFolderQuery,
  DeletedFile,
  FileList,
  FileQuery,
  FolderQuery,
  PushedFile,
} from '../device-files.ts';
import { LIMITS } from '../limits.ts';
import { byKey, get, put, query, remove } from './parts.ts';
import type { Route } from './route.ts';

const FILES = '/service/{platform}/{sessionId}/files';
const CONTENT = `${FILES}/content` as const;
const MIB = LIMITS.fileBytes / 2 ** 20;

export const FILE_ROUTES = {
  listFiles: {
    ...get(FILES, 'List a folder of the device'),
    description:
      'The folder that the device shares among its apps, or that of an app, or a folder below. Reads take their turn behind the interactions ' +
      'that were accepted before. Links are told as such, and a path that leads through one is refused. A device without a way to its ' +
      'files answers `unsupported_action`.',
    ...byKey('activeSession'),
    query: query(FolderQuery, checkFolderQuery),
    action: 'file.list',
    answers: { 200: { description: 'What is in it', schema: FileList } },
  },
  pullFile: {
    ...get(CONTENT, 'Read a file of the device'),
    description: `Its bytes, at most ${MIB} MiB: they are all here before the answer begins, so that it is whole.`,
    ...byKey('activeSession'),
    query: query(FileQuery, checkFileQuery),
    action: 'file.pull',
    answers: { 200: { description: 'The file', mediaType: 'application/octet-stream' } },
  },
  pushFile: {
    ...put(CONTENT, 'Write a file of the device', 'none'),
    description:
      `The body is the file itself, at most ${MIB} MiB. It is there whole or not at all, in the place of a file of this name, with the folders ` +
      'of its path; a session may be refused what could not be taken back at its end. The answer is what the device tells of it then.',
    ...byKey('activeSession'),
    query: query(ChangeFileQuery, checkChangeFileQuery),
    action: 'file.push',
    body: { kind: 'stream', mediaTypes: ['application/octet-stream'], bytesMax: LIMITS.fileBytes },
    answers: { 200: { description: 'The device has it', schema: PushedFile } },
  },
  deleteFile: {
    ...remove(FILES, 'Delete a file of the device', 'none'),
    description: 'A file, a link, which leaves what it leads to, or an empty folder.',
    ...byKey('activeSession'),
    query: query(ChangeFileQuery, checkChangeFileQuery),
    action: 'file.delete',
    answers: { 200: { description: 'The device has it no more', schema: DeletedFile } },
  },
} as const satisfies Record<string, Route>;

import { type Static, type TObject, Type } from '@sinclair/typebox';
import { ACTION_LIMITS } from './action-limits.ts';
import { oneOf } from './compile-check.ts';
import { type Checked, fault } from './fault.ts';
import { text, timestamp, whole } from './fields.ts';
import { filePathFault } from './file-path.ts';
import { LIMITS } from './limits.ts';
import { queryCheck } from './listing.ts';
import { InputQuery } from './queries.ts';

/** `link`: a symbolic link, which is told and can be deleted, and which nothing follows. */
export const FILE_KINDS = ['file', 'folder', 'link', 'other'] as const;
export type FileKind = (typeof FILE_KINDS)[number];

const ROOT = {
  pattern: `^(?:shared|app:[A-Za-z0-9][A-Za-z0-9._-]{0,${ACTION_LIMITS.appIdCharacters.max - 1}})$`,
  words: '"shared", or "app:" and the identifier of an app',
  description:
    '`shared`: the folder that the device shares among its apps; `app:` and the identifier of an app: its own folder',
  examples: ['app:com.example.shop'],
} as const;

const PATH = {
  maxLength: LIMITS.filePathBytes,
  words: `a path of at most ${LIMITS.filePathBytes} bytes in UTF-8`,
  description:
    `Names between slashes, below the root: each 1 to ${LIMITS.fileNameBytes} bytes in UTF-8, neither \`.\` nor \`..\`, without NUL; ` +
    'anything else in a name is data',
  examples: ['Documents/report.pdf'],
};

const PLACE = { root: Type.String(ROOT), path: Type.String(PATH) };

export const FileEntry = Type.Object(
  {
    name: text('Its name, byte for byte as the device has it', 'report.pdf'),
    kind: oneOf(FILE_KINDS, { description: '`link`: a symbolic link, which is not followed' }),
    byteSize: Type.Optional(whole('Size of a file in bytes', 48_213)),
    modifiedAt: Type.Optional(timestamp('Its last change, where the device tells')),
  },
  { $id: 'FileEntry', additionalProperties: false, description: 'What is in a folder of a device' },
);
export type FileEntry = Static<typeof FileEntry>;

export const FileList = Type.Object(
  {
    ...PLACE,
    entries: Type.Array(FileEntry, { description: 'By name' }),
    truncated: Type.Optional(
      Type.Literal(true, {
        description: `Present if the folder has more than ${LIMITS.filesListed} entries; the first are told`,
      }),
    ),
    unnamed: Type.Optional(whole('How many entries have names that are no UTF-8, and are not told; absent if none', 1)),
  },
  { $id: 'FileList', additionalProperties: false },
);
export type FileList = Static<typeof FileList>;

export const PushedFile = Type.Object(
  {
    ...PLACE,
    byteSize: whole('Its size on the device, as that tells', 48_213),
    modifiedAt: FileEntry.properties.modifiedAt,
  },
  { $id: 'PushedFile', additionalProperties: false, description: 'A file that the device has' },
);
export type PushedFile = Static<typeof PushedFile>;

export const DeletedFile = Type.Object(
  { ...PLACE, kind: oneOf(FILE_KINDS, { description: 'What it was' }) },
  { $id: 'DeletedFile', additionalProperties: false, description: 'What the device has no more' },
);
export type DeletedFile = Static<typeof DeletedFile>;

export const FolderQuery = Type.Object(
  {
    root: Type.Optional(Type.String({ ...ROOT, default: 'shared' })),
    path: Type.Optional(Type.String({ ...PATH, description: 'The folder; default: the root itself' })),
  },
  { $id: 'FolderQuery', additionalProperties: false },
);

export const FileQuery = Type.Object(
  { root: Type.Optional(Type.String({ ...ROOT, default: 'shared' })), path: PLACE.path },
  { $id: 'FileQuery', additionalProperties: false },
);

export const ChangeFileQuery = Type.Object(
  { ...FileQuery.properties, ...InputQuery.properties },
  { $id: 'ChangeFileQuery', additionalProperties: false },
);

/** Where a file is, or a folder. */
export interface FilePlace {
  readonly root: string;
  /** Empty for the root itself. */
  readonly path: string;
}

type Texts = Readonly<Record<string, string>>;

function placeCheck<S extends TObject>(schema: S, isFolder = false) {
  const check = queryCheck(schema);
  return (values: Texts): Checked<FilePlace & { readonly force?: 'true' }> => {
    const checked = check(values);
    if (!checked.ok) return checked;
    const { root = 'shared', path = '', ...others } = checked.value as Partial<FilePlace>;
    const wrong = isFolder && path === '' ? undefined : filePathFault(path);
    return wrong ? { ok: false, fault: fault('path', wrong) } : { ok: true, value: { root, path, ...others } };
  };
}

// PURE lets a bundler drop the checks where they are not used.
export const checkFolderQuery = /* @__PURE__ */ placeCheck(FolderQuery, true);
export const checkFileQuery = /* @__PURE__ */ placeCheck(FileQuery);
export const checkChangeFileQuery = /* @__PURE__ */ placeCheck(ChangeFileQuery);

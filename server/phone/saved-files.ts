import { type Fault, fault } from '@runcloud/protocol';
import { filePathFault } from '@runcloud/protocol/terms';
import { type Static, Type } from '@sinclair/typebox';
import { PHONE_FILES } from './files.ts';

/** A file of a phone, or a folder, which comes before what is in it and has no bytes. */
export const savedFile = Type.Object(
  {
    /** As in the contract. */
    root: Type.String(),
    path: Type.String(),
    modifiedMs: Type.Number({ minimum: 0 }),
    base64: Type.Optional(Type.String({ pattern: '^[A-Za-z0-9+/]*={0,2}$' })),
  },
  { additionalProperties: false },
);
export type SavedFile = Static<typeof savedFile>;

/** The first thing that keeps a list of them from being the files of a phone. @param roots that it may have */
export function savedFilesFault(files: readonly SavedFile[], roots: ReadonlySet<string>): Fault | undefined {
  /** What is known of each place: whether it is a folder. */
  const known = new Map<string, boolean>([...roots].map((root) => [`${root}/`, true]));
  let bytes = 0;
  for (const [index, { root, path, base64 }] of files.entries()) {
    const at = (message: string) => fault(`files[${index}]`, message);
    if (!roots.has(root)) return at('is of no root of the phone');
    const wrong = filePathFault(path);
    if (wrong) return fault(`files[${index}].path`, wrong);
    const place = `${root}/${path}`;
    const above = path.includes('/') ? place.slice(0, place.lastIndexOf('/')) : `${root}/`;
    if (known.get(above) !== true) return at('is in no folder of the list');
    if (known.has(place)) return at('is there twice');
    known.set(place, base64 === undefined);
    bytes += Buffer.byteLength(base64 ?? '', 'base64');
  }
  if (files.length > PHONE_FILES.entriesMax) return fault('files', 'has more entries than a phone');
  return bytes > PHONE_FILES.bytesMax ? fault('files', 'has more bytes than a phone') : undefined;
}

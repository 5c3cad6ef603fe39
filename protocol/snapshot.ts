import { type Static, Type } from '@sinclair/typebox';
import { compileCheck, oneOf } from './compile-check.ts';
import type { Checked } from './fault.ts';
import { id, text, timestamp, whole } from './fields.ts';
import { NEXT } from './listing.ts';
import { PLATFORMS } from './platforms.ts';

/** Safe in a path and on a command line. */
export const SNAPSHOT_NAME_PATTERN = '^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$';

export const snapshotName = (description: string) =>
  Type.String({
    pattern: SNAPSHOT_NAME_PATTERN,
    words: '1 to 64 letters, digits, ".", "_" and "-", of which the first is a letter or a digit',
    description,
    examples: ['signed-in'],
  });

const SnapshotName = snapshotName('Name of the snapshot, of which an account has one');

/** The body of `POST .../snapshots`. */
export const CreateSnapshot = Type.Object(
  { name: SnapshotName },
  { $id: 'CreateSnapshot', additionalProperties: false },
);
export type CreateSnapshot = Static<typeof CreateSnapshot>;

const check = compileCheck(CreateSnapshot);

export function checkCreateSnapshot(value: unknown): Checked<CreateSnapshot> {
  const refused = check(value);
  return refused ? { ok: false, fault: refused } : { ok: true, value: value as CreateSnapshot };
}

/** The kept state of a device. */
export const SnapshotRecord = Type.Object(
  {
    name: SnapshotName,
    platform: oneOf(PLATFORMS, { description: 'Platform of the device' }),
    model: text('Model of the device; a session from the snapshot gets one like it', 'Virtual iPhone'),
    driver: text('What drives such a device', 'virtual'),
    sessionId: id('ses', 'Id of the session whose device it was'),
    byteSize: whole('Size of the file, in bytes; an emulator keeps its state beside it', 1_840),
    checksum: text(
      '"sha256:" and 64 hex digits of the file',
      'sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
    ),
    createdAt: timestamp('When the snapshot was made'),
  },
  { $id: 'Snapshot', additionalProperties: false, description: 'The kept state of a device' },
);
export type SnapshotRecord = Static<typeof SnapshotRecord>;

/** The account's snapshots, newest first. */
export const SnapshotList = Type.Object(
  { snapshots: Type.Array(SnapshotRecord, { description: 'Newest first' }), ...NEXT },
  { $id: 'SnapshotList', additionalProperties: false },
);
export type SnapshotList = Static<typeof SnapshotList>;

/** The answer to a deletion. */
export const DeletedSnapshot = Type.Object(
  { name: SnapshotName, deleted: Type.Literal(true, { description: 'The snapshot is deleted' }) },
  { $id: 'DeletedSnapshot', additionalProperties: false },
);
export type DeletedSnapshot = Static<typeof DeletedSnapshot>;

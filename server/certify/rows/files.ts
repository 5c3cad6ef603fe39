import { randomBytes } from 'node:crypto';
import { RunCloudError } from '../../../client/sdk/index.ts';
import { NotSeen } from '../subject.ts';
import { NotOffered, type Row } from './row.ts';

/** Names that every phone's file system takes, and a shell would take for something else. */
const NAMES = ['plain.bin', '-rf', "it's $(id)", 'Grüße 你好 😀'];
/** Longer than a piece of adb. */
const BYTES = 100_003;

export const FILE_ROWS: readonly Row[] = [
  {
    id: 'files',
    title: 'Files of the shared folder are written, listed, read byte for byte, replaced and deleted',
    needs: ({ files }) => files === true,
    async prove({ session: { files }, ground: { signal } }) {
      const folder = `runcloud-certify-${randomBytes(6).toString('hex')}`;
      const namesIn = async (path: string) => (await files.list(path, { signal })).entries.map(({ name }) => name);
      const before = await namesIn('').catch((error: unknown) => {
        const isAbsent = error instanceof RunCloudError && error.code === 'unsupported_action';
        throw isAbsent ? new NotOffered(error.message) : error;
      });
      for (const name of NAMES) {
        const path = `${folder}/${name}`;
        for (const count of [BYTES, 7]) {
          const bytes = randomBytes(count);
          const { byteSize } = await files.push(path, new Blob([bytes]), { signal });
          if (byteSize !== count) throw new NotSeen(`${path} has ${byteSize} bytes on the device, and not ${count}`);
          const back = await files.pull(path, { signal });
          if (Buffer.compare(back, bytes) !== 0) throw new NotSeen(`${path} came back with other bytes`);
        }
      }
      const there = (await namesIn(folder)).sort();
      if (there.join('\0') !== [...NAMES].sort().join('\0'))
        throw new NotSeen(`the folder has ${JSON.stringify(there)}`);
      for (const name of NAMES) await files.delete(`${folder}/${name}`, { signal });
      await files.delete(folder, { signal });
      const after = await namesIn('');
      if (after.join('\0') !== before.join('\0'))
        throw new NotSeen(`the shared folder has ${JSON.stringify(after)} then`);
      return `${NAMES.length} files of ${BYTES} bytes and then 7 came back as they were, and are gone`;
    },
  },
];

import { readFile, stat, writeFile } from 'node:fs/promises';
import type { FilePlace } from '@runcloud/protocol';
import { appOfRoot } from '@runcloud/protocol/terms';
import { DeviceFault } from '../../device/fault.ts';
import { ended, notThere } from '../../device/file-faults.ts';
import type { DeviceFiles } from '../../device/files.ts';
import type { AppDocument } from '../../phone/apps/app.ts';
import { PHONE_FILES } from '../../phone/files.ts';
import type { VirtualPhone } from '../../phone/phone.ts';

/**
 * The files of a virtual phone: its shared folder, which the Files app shows; the folders of apps that a session has brought; and the
 * page of Notes, which is there while Notes runs.
 */
export const filesOf = ({ files, apps }: VirtualPhone): DeviceFiles => {
  /** What a root is backed by: the page of an app, or the phone's files. Throws a `DeviceFault` for what it is not. */
  const documentOf = ({ root }: FilePlace): AppDocument | 'none' | undefined => {
    const app = appOfRoot(root);
    return app === undefined ? undefined : apps.filesOf(app);
  };
  return {
    list: async (place) => {
      const document = documentOf(place);
      if (document === undefined) return files.list(place);
      if (place.path !== '') throw notThere(place);
      if (document === 'none') return { entries: [] };
      return { entries: [{ name: document.name, kind: 'file', byteSize: Buffer.byteLength(document.read()) }] };
    },
    pull: async (place, into, signal) => {
      const document = documentOf(place);
      if (document !== undefined && (document === 'none' || place.path !== document.name)) throw notThere(place);
      const bytes = document ? Buffer.from(document.read()) : files.read(place);
      await intoFile(into, bytes, signal);
      return { byteSize: bytes.byteLength };
    },
    push: async (place, file, signal) => {
      const document = documentOf(place);
      if (document === 'none' || (document && place.path !== document.name)) throw keepsNoOther(place);
      // It is not read for nothing.
      const { size } = await stat(file);
      if (size > PHONE_FILES.bytesMax) {
        throw new DeviceFault('failed', `The phone has room for ${PHONE_FILES.bytesMax} bytes; the file has ${size}.`);
      }
      const bytes = new Uint8Array(await readFile(file));
      if (signal.aborted) throw ended();
      if (!document) {
        const { byteSize = 0, modifiedAt } = files.write(place, bytes);
        return { byteSize, ...(modifiedAt === undefined ? {} : { modifiedAt }) };
      }
      document.write(textOf(bytes));
      return { byteSize: Buffer.byteLength(document.read()) };
    },
    remove: async (place) => {
      const document = documentOf(place);
      if (document === undefined) return { kind: files.remove(place) };
      if (document === 'none' || place.path !== document.name) throw notThere(place);
      throw new DeviceFault('failed', `The app has no other page than ${JSON.stringify(document.name)}, and keeps it.`);
    },
  };
};

/** The file is there: one that was taken away meanwhile is not made anew. */
async function intoFile(into: string, bytes: Uint8Array, signal: AbortSignal): Promise<void> {
  await writeFile(into, bytes, { flag: 'r+', signal }).catch((error) => {
    if (signal.aborted) throw ended();
    throw error;
  });
}

function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new DeviceFault('failed', 'The file is no text in UTF-8, which is all that a note takes.');
  }
}

const keepsNoOther = ({ root }: FilePlace) =>
  new DeviceFault('failed', `The app ${appOfRoot(root)} came with the device, and keeps no such file.`);

import { copyFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { DeviceMedia } from '../../device/driver.ts';
import { makeOwnFolder } from '../process/own-folder.ts';
import type { Simctl } from './simctl.ts';
import type { Udid } from './udid.ts';

/** The photo library of one simulator. The command tells that it took a file; nothing reads the library. */
export const simulatorMedia = (simctl: Pick<Simctl, 'addMedia'>, udid: Udid): DeviceMedia => ({
  add: async ({ name, file }, signal) => {
    // It goes by the extension.
    const folder = await makeOwnFolder('media');
    try {
      const named = join(folder, name);
      await copyFile(file, named);
      await simctl.addMedia(udid, named, signal);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
    return { readBack: false };
  },
});

import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { FilePlace } from '@runcloud/protocol';
import { appOfRoot } from '@runcloud/protocol/terms';
import { DeviceFault } from '../../device/fault.ts';
import type { DeviceFiles } from '../../device/files.ts';
import { ContainerFiles } from './container-files.ts';
import type { Simctl } from './simctl.ts';
import type { SimulatorApps } from './simulator-apps.ts';
import type { Udid } from './udid.ts';

/** The app Files, whose group container has what it calls "On My iPhone". */
const FILES_APP = 'com.apple.DocumentsApp';
const LOCAL_STORAGE = 'group.com.apple.FileProvider.LocalStorage';
const STORAGE_FOLDER = 'File Provider Storage';

/** The files of one simulator, which goes with its session: its folders are folders of this host, and `simctl` tells where they are. */
export const simulatorFiles = (
  simctl: Pick<Simctl, 'dataContainer' | 'groupContainers'>,
  udid: Udid,
  apps: Pick<SimulatorApps, 'mustBeThere'>,
): DeviceFiles => {
  const at = async ({ root }: FilePlace, signal: AbortSignal): Promise<ContainerFiles> => {
    const app = appOfRoot(root);
    if (app !== undefined) {
      await apps.mustBeThere(app, signal);
      return ContainerFiles.at(await simctl.dataContainer(udid, app, signal));
    }
    const group = (await simctl.groupContainers(udid, FILES_APP, signal)).get(LOCAL_STORAGE);
    if (group === undefined) {
      throw new DeviceFault(
        'unsupported',
        `The shared folder is not supported by this simulator: simctl names no container ${LOCAL_STORAGE} of its app Files.`,
      );
    }
    const folder = join(group, STORAGE_FOLDER);
    // It is there once the app Files was opened.
    await mkdir(folder, { recursive: true });
    return ContainerFiles.at(folder);
  };
  return {
    list: async (place, signal) => (await at(place, signal)).list(place),
    pull: async (place, into, signal) => (await at(place, signal)).pull(place, into, signal),
    push: async (place, file, signal) => (await at(place, signal)).push(place, file, signal),
    remove: async (place, signal) => (await at(place, signal)).remove(place),
  };
};

import { DeviceFault } from '../device/fault.ts';
import type { DeviceFiles, FileOrder } from '../device/files.ts';
import { isDiskFull } from '../flow/storage-errors.ts';

/** Carries out an order; settles with what stands in the answer besides the place. */
export function carryOut(files: DeviceFiles, order: FileOrder, signal: AbortSignal): Promise<object> {
  const { root, path } = order;
  const place = { root, path };
  switch (order.verb) {
    case 'list':
      return files.list(place, signal);
    case 'pull':
      return files.pull(place, order.into, signal).catch((error) => {
        throw isDiskFull(error) ? new DeviceFault('full', 'There is not enough free disk space for this file.') : error;
      });
    case 'push':
      return files.push(place, order.file, signal);
    case 'delete':
      return files.remove(place, signal);
  }
}

import type { DeviceDescriptor } from '../../../device/driver.ts';
import { plainLine } from '../../process/plain-line.ts';
import type { GuestShell } from '../adb/guest-shell.ts';
import { builtInDisplays } from './displays.ts';
import { DPI_OF_ONE, displayDensity, displaySize } from './texts.ts';

/**
 * Asks the guest for its description, which replaces the one from before it was asked. Rejects with a `DeviceFault`.
 */
export async function describeGuest(shell: GuestShell, known: DeviceDescriptor): Promise<DeviceDescriptor> {
  const [size, density, release, model, display] = await Promise.all([
    shell.must(['wm', 'size']),
    shell.must(['wm', 'density']),
    shell.must(['getprop', 'ro.build.version.release']),
    shell.must(['getprop', 'ro.product.model']),
    shell.must(['dumpsys', 'display']),
  ]);
  const displays = builtInDisplays(display);
  return {
    ...known,
    ...(displaySize(size) ?? {}),
    scale: (displayDensity(density) ?? known.scale * DPI_OF_ONE) / DPI_OF_ONE,
    osVersion: plainLine(release).slice(0, 40) || known.osVersion,
    model: plainLine(model).slice(0, 80) || known.model,
    ...(displays ? { displays } : {}),
  };
}

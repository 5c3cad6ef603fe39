import type { DeviceDriver } from '../device-driver.ts';
import { DeviceFault } from '../fault.ts';

/** Android Emulators of this host. */
export class AndroidDriver implements DeviceDriver {
  discover(): Promise<never> {
    throw new DeviceFault('unavailable', 'not yet');
  }
  makeReady(): Promise<never> {
    throw new DeviceFault('unavailable', 'not yet');
  }
  open(): Promise<never> {
    throw new DeviceFault('unavailable', 'not yet');
  }
  async close(): Promise<void> {}
}

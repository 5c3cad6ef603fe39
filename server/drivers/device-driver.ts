import type { Device, DeviceDescriptor, DeviceOptions, FoundDevice } from '../device/driver.ts';
import type { DeviceQuery, DeviceTarget } from '../device/target.ts';

/**
 * One kind of device behind all its devices: it finds what the host has, makes it work, and opens it for one session at a
 * time. Every promise settles within bounds of the driver's own; every rejection is a `DeviceFault`. A signal fires, with the
 * reason, when the host's bound around the whole has passed or nobody waits any more: what the driver still hands back then
 * is closed, and the device is left alone until it does.
 */
export interface DeviceDriver {
  /**
   * The devices that an entry of the settings means; none when nothing fits at the moment. Rejects with an `unavailable`
   * fault whose sentence names the absent program and how to get it, when this host can offer none of the kind.
   */
  discover(query: DeviceQuery): Promise<readonly FoundDevice[]>;
  /**
   * Makes a device that no session has ready for the next one: starts it where it does not run, and asks it whether it is
   * well. Tells what is now known of it. Asked before a device is offered for the first time, and after it was lost.
   */
  makeReady(target: DeviceTarget, signal?: AbortSignal): Promise<DeviceDescriptor>;
  /**
   * Opens a device for one session: without a trace of the session before, in the orientation that is asked for, with its
   * apps installed, and after a harmless input was seen to arrive. `Device.close` takes all of that back.
   */
  open(target: DeviceTarget, options: DeviceOptions, signal?: AbortSignal): Promise<Device>;
  /** Ends what the driver itself has started; settles soon, and may be repeated. */
  close(): Promise<void>;
}

import type { DeviceDescriptor } from './driver.ts';

/** The same device with another active display. A name that is none of its displays changes nothing. */
export function withActive(descriptor: DeviceDescriptor, name: string): DeviceDescriptor {
  const active = descriptor.displays?.find((display) => display.name === name);
  if (!active) return descriptor;
  const { width, height, scale } = active;
  const displays = descriptor.displays?.map((display) => ({ ...display, active: display === active })) ?? [];
  return { ...descriptor, width, height, scale, displays };
}

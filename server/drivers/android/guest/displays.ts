import type { DisplayRecord } from '@runcloud/protocol';
import type { DeviceDescriptor } from '../../../device/driver.ts';
import type { DisplaySize } from './orientation.ts';
import { DPI_OF_ONE } from './texts.ts';

const DEVICE = /DisplayDeviceInfo\{"[^"\n]*": uniqueId="local:(\d{1,20})", (\d{2,5}) x (\d{2,5}),[^\n]*/g;
/** Of the display that apps are shown on, whichever it is just now. */
const DEFAULT_VIEWPORT = /DisplayViewport\{type=INTERNAL,[^}]*?\bdisplayId=0, uniqueId='local:(\d{1,20})'/;

/**
 * The built-in displays of a device, by `dumpsys display`, in the system's order; `undefined` for a device with one, and where it
 * is not said which one is active. Their names are the numbers by which `screencap` knows them.
 */
export function builtInDisplays(dump: string): readonly DisplayRecord[] | undefined {
  const active = DEFAULT_VIEWPORT.exec(dump)?.[1];
  const found = new Map<string, DisplayRecord>();
  for (const [line, name = '', width, height] of dump.matchAll(DEVICE)) {
    if (!/, type INTERNAL\b/.test(line)) continue;
    const scale = Number(/, density (\d{2,4}),/.exec(line)?.[1] ?? DPI_OF_ONE) / DPI_OF_ONE;
    found.set(name, { name, width: Number(width), height: Number(height), scale, active: name === active });
  }
  return found.size > 1 && active !== undefined && found.has(active) ? [...found.values()] : undefined;
}

/**
 * The display that a picture of this size shows, turned or not: the one whose form comes next to it; the active one among equals,
 * and before there was a picture. `undefined` on a device with one display.
 */
export function displayShown({ displays }: DeviceDescriptor, size: DisplaySize): DisplayRecord | undefined {
  if (size.width < 1 || size.height < 1) return displays?.find(({ active }) => active);
  const off = (display: DisplayRecord) => Math.abs(formOf(display) - formOf(size)) + (display.active ? 0 : TIE);
  return displays?.reduce((one, other) => (off(other) < off(one) ? other : one));
}

/** Less than any difference between two forms. */
const TIE = 1e-6;

const formOf = ({ width, height }: DisplaySize): number => Math.min(width, height) / Math.max(width, height);

import type { PhoneDisplay } from '../../../server/phone/phone-options.ts';

/** The displays of a foldable, and what its commands say of them, as an AVD of a Pixel 9 Pro Fold with Android 16 does. */

/** By the numbers that the emulator gives its panels. Edges of multiples of eight lose nothing in a video. */
export const INNER = { name: '4619827259835644672', width: 920, height: 1_104 } as const;
export const OUTER = { name: '4619827551948147201', width: 540, height: 1_048 } as const;
export const FOLD_DISPLAYS: readonly PhoneDisplay[] = [INNER, OUTER];

/** Printed where no display is named: `exec:` mixes it with the picture. */
export const SEVERAL_DISPLAYS = `[Warning] Multiple displays were found, but no display id was specified! Defaulting to the first display found, however this default is not guaranteed to be consistent across captures. A display id should be specified.
A display ID can be specified with the [-d display-id] option.
See "dumpsys SurfaceFlinger --display-id" for valid display IDs.
`;

/** `dumpsys display` in its lines that tell of displays. The default viewport is that of the active display, whichever it is. */
export function dumpDisplays(displays: readonly PhoneDisplay[], active: string | undefined, density: number): string {
  const sorted = displays.filter(({ name }) => name === active);
  const viewports = sorted.map(
    ({ name, width, height }) =>
      `DisplayViewport{type=INTERNAL, valid=true, isActive=true, displayId=0, uniqueId='local:${name}', physicalPort=0, orientation=0, logicalFrame=Rect(0, 0 - ${width}, ${height}), physicalFrame=Rect(0, 0 - ${width}, ${height}), deviceWidth=${width}, deviceHeight=${height}}`,
  );
  const devices = displays.map(
    ({ name, width, height }, port) =>
      `  DisplayDeviceInfo{"Built-in Screen": uniqueId="local:${name}", ${width} x ${height}, modeId 1, renderFrameRate 60.000004, defaultModeId 1, supportedModes [{id=1, width=${width}, height=${height}, fps=60.000004}], colorMode 0, density ${density}, ${density}.0 x ${density}.0 dpi, touch INTERNAL, rotation 0, type INTERNAL, address {port=${port}, model=0x401cec6a7a2b7b}, deviceProductInfo DeviceProductInfo{name=EMU_display_${port}, manufacturerPnpId=GGL}, state ${name === active ? 'ON' : 'OFF'}, FLAG_ALLOWED_TO_BE_DEFAULT_DISPLAY}`,
  );
  return [
    'DISPLAY MANAGER (dumpsys display)',
    `  mViewports=[${viewports.join(', ')}]`,
    `Display Devices: size=${devices.length}`,
    ...devices,
    '',
  ].join('\n');
}

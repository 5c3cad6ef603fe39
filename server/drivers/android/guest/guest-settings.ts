import type { DeviceSettings, FieldsOf } from '@runcloud/protocol';
import { DeviceFault } from '../../../device/fault.ts';
import type { GuestShell } from '../adb/guest-shell.ts';

const FONT_SCALE = ['system', 'font_scale'] as const;
const ANIMATION_SCALES = [
  ['global', 'window_animation_scale'],
  ['global', 'transition_animation_scale'],
  ['global', 'animator_duration_scale'],
] as const;
const NIGHT = ['cmd', 'uimode', 'night'] as const;

/** Settings that `configureGuest` writes. */
export const CONFIGURED = [FONT_SCALE, ...ANIMATION_SCALES] as const;

/** Changes what is asked for, and resolves with what the device tells then. Rejects with `DeviceFault`s. */
export async function configureGuest(
  shell: GuestShell,
  { appearance, textScale, animations }: FieldsOf<'configureDevice'>,
  signal: AbortSignal,
): Promise<DeviceSettings> {
  const put = (setting: readonly string[], value: string) =>
    shell.must(['settings', 'put', ...setting, value], { signal });
  if (appearance !== undefined && (await nightMode(shell, signal)) === undefined) {
    throw new DeviceFault(
      'unsupported',
      '"appearance" is not supported by this device: it has no command for night mode.',
    );
  }
  if (appearance !== undefined) await setNightMode(shell, appearance === 'dark' ? 'yes' : 'no', signal);
  if (textScale !== undefined) await put(FONT_SCALE, String(textScale));
  if (animations !== undefined) for (const scale of ANIMATION_SCALES) await put(scale, animations ? '1' : '0');
  return settingsInForce(shell, signal);
}

async function settingsInForce(shell: GuestShell, signal: AbortSignal): Promise<DeviceSettings> {
  // What was never set is 1, as the system has it.
  const scale = async (setting: readonly string[]) => {
    const told = (await shell.must(['settings', 'get', ...setting], { signal })).trim();
    return told === 'null' ? 1 : Number(told);
  };
  const night = await nightMode(shell, signal);
  const textScale = await scale(FONT_SCALE);
  const motions = [];
  for (const setting of ANIMATION_SCALES) motions.push(await scale(setting));
  const [still, moving] = [motions.every((one) => one === 0), motions.every((one) => one > 0)];
  return {
    ...(night === 'yes' || night === 'no' ? { appearance: night === 'yes' ? 'dark' : 'light' } : {}),
    ...(textScale > 0 ? { textScale } : {}),
    ...(still || moving ? { animations: moving } : {}),
  };
}

/** `yes`, `no`, `auto` or a schedule; `undefined` on a device that has no such command. */
export async function nightMode(shell: GuestShell, signal?: AbortSignal): Promise<string | undefined> {
  const { output } = await shell.run(NIGHT, signal ? { signal } : {});
  return /^Night mode: (yes|no|auto|custom(?:_schedule|_bedtime)?)\s*$/m.exec(output)?.[1];
}

export async function setNightMode(shell: GuestShell, mode: string, signal?: AbortSignal): Promise<void> {
  await shell.must([...NIGHT, mode], signal ? { signal } : {});
}

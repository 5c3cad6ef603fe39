import type { DeviceSettings, FieldsOf } from '@runcloud/protocol';
import { DeviceFault } from '../../../device/fault.ts';
import { refuseNetworkLimits } from '../../../device/network-limits.ts';
import type { GuestShell } from '../adb/guest-shell.ts';
import type { GuestNetwork } from '../input-backend.ts';

const FONT_SCALE = ['system', 'font_scale'] as const;
const ANIMATION_SCALES = [
  ['global', 'window_animation_scale'],
  ['global', 'transition_animation_scale'],
  ['global', 'animator_duration_scale'],
] as const;
const NIGHT = ['cmd', 'uimode', 'night'] as const;
/** Android 11 and later: without a word it prints `enabled` or `disabled` (ConnectivityService's shell command). */
const AIRPLANE_MODE = ['cmd', 'connectivity', 'airplane-mode'] as const;

/** Settings that `configureGuest` writes. */
export const CONFIGURED = [FONT_SCALE, ...ANIMATION_SCALES] as const;

/**
 * Changes what is asked for, and resolves with what the device tells then. Rejects with `DeviceFault`s.
 * @param limits absent where the network of the device cannot be made slow
 */
export async function configureGuest(
  shell: GuestShell,
  settings: FieldsOf<'configureDevice'>,
  limits: GuestNetwork | undefined,
  signal: AbortSignal,
): Promise<DeviceSettings> {
  const { appearance, locale, textScale, animations, network } = settings;
  const { downlinkKbps, uplinkKbps, networkDelayMs, networkLossPercent } = settings;
  if (!limits) refuseNetworkLimits(settings, 'this device: no command of adb and no console limits its network');
  if (networkLossPercent !== undefined) {
    throw new DeviceFault(
      'unsupported',
      '"networkLossPercent" is not supported by emulators: their network loses no packets.',
    );
  }
  const put = (setting: readonly string[], value: string) =>
    shell.must(['settings', 'put', ...setting, value], { signal });
  if (appearance !== undefined && (await nightMode(shell, signal)) === undefined) {
    throw new DeviceFault(
      'unsupported',
      '"appearance" is not supported by this device: it has no command for night mode.',
    );
  }
  if (locale !== undefined) {
    throw new DeviceFault(
      'unsupported',
      '"locale" is not supported by this device: no command of adb sets that of the system.',
    );
  }
  if (network !== undefined) await checkNetwork(shell, signal);
  if (appearance !== undefined) await setNightMode(shell, appearance === 'dark' ? 'yes' : 'no', signal);
  if (textScale !== undefined) await put(FONT_SCALE, String(textScale));
  if (animations !== undefined) for (const scale of ANIMATION_SCALES) await put(scale, animations ? '1' : '0');
  if (network !== undefined) await setAirplaneMode(shell, network === 'offline' ? 'enable' : 'disable', signal);
  if ([downlinkKbps, uplinkKbps, networkDelayMs].some((value) => value !== undefined)) {
    await limits?.limit({ downlinkKbps, uplinkKbps, networkDelayMs }, signal);
  }
  return { ...(await settingsInForce(shell, signal)), ...(await limits?.told(signal)) };
}

async function checkNetwork(shell: GuestShell, signal: AbortSignal): Promise<void> {
  const lack = (why: string) => new DeviceFault('unsupported', `"network" is not supported by this device: ${why}.`);
  // A device whose adb comes over the network would be out of reach, and stay offline for good.
  if (shell.serial.includes(':')) throw lack('adb reaches it over the network');
  if ((await airplaneMode(shell, signal)) === undefined) throw lack('it has no command for airplane mode');
}

async function settingsInForce(shell: GuestShell, signal: AbortSignal): Promise<DeviceSettings> {
  // What was never set is 1, as the system has it.
  const scale = async (setting: readonly string[]) => {
    const told = (await shell.must(['settings', 'get', ...setting], { signal })).trim();
    return told === 'null' ? 1 : Number(told);
  };
  const night = await nightMode(shell, signal);
  const airplane = await airplaneMode(shell, signal);
  const textScale = await scale(FONT_SCALE);
  const motions = [];
  for (const setting of ANIMATION_SCALES) motions.push(await scale(setting));
  const [still, moving] = [motions.every((one) => one === 0), motions.every((one) => one > 0)];
  return {
    ...(night === 'yes' || night === 'no' ? { appearance: night === 'yes' ? 'dark' : 'light' } : {}),
    ...(textScale > 0 ? { textScale } : {}),
    ...(still || moving ? { animations: moving } : {}),
    ...(airplane === undefined ? {} : { network: airplane === 'enable' ? 'offline' : 'online' }),
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

export type AirplaneMode = 'enable' | 'disable';

/** As `setAirplaneMode` takes it; `undefined` on a device that has no such command. */
export async function airplaneMode(shell: GuestShell, signal?: AbortSignal): Promise<AirplaneMode | undefined> {
  const { output } = await shell.run(AIRPLANE_MODE, signal ? { signal } : {});
  return /^(enable|disable)d\s*$/.exec(output)?.[1] as AirplaneMode | undefined;
}

export async function setAirplaneMode(shell: GuestShell, mode: AirplaneMode, signal?: AbortSignal): Promise<void> {
  await shell.must([...AIRPLANE_MODE, mode], signal ? { signal } : {});
}

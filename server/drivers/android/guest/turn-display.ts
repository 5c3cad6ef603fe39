import { DeviceFault } from '../../../device/fault.ts';
import { systemClock } from '../../../flow/clock.ts';
import { poll } from '../../../flow/poll.ts';
import type { GuestShell } from '../adb/guest-shell.ts';
import type { DisplaySize, QuarterTurns } from './orientation.ts';
import { currentSize, displayRotation } from './texts.ts';

/** A display turns with an animation. Each question takes a while. */
const TURNS = { everyMs: 0, forMs: 3_000 } as const;

/** How the active display is turned now, and its size so; `undefined` where the device does not say. Rejects with a `DeviceFault`. */
export async function displayState(
  shell: GuestShell,
  signal?: AbortSignal,
): Promise<{ readonly turns: QuarterTurns | undefined; readonly size: DisplaySize | undefined }> {
  const { output } = await shell.run(['dumpsys', 'window', 'displays'], signal ? { signal } : {});
  return { turns: displayRotation(output), size: currentSize(output) };
}

export async function displayTurns(shell: GuestShell, signal?: AbortSignal): Promise<QuarterTurns | undefined> {
  return (await displayState(shell, signal)).turns;
}

/** Turns the display and keeps it so, whatever the sensors say; settles when it is turned. Rejects with a `DeviceFault`. */
export async function turnDisplay(shell: GuestShell, turns: QuarterTurns, signal: AbortSignal): Promise<void> {
  const { output } = await shell.run(['cmd', 'window', 'user-rotation', 'lock', String(turns)], { signal });
  if (/unknown command|exception/i.test(output)) {
    await shell.must(['settings', 'put', 'system', 'accelerometer_rotation', '0'], { signal });
    await shell.must(['settings', 'put', 'system', 'user_rotation', String(turns)], { signal });
  }
  const turned = await poll(systemClock, TURNS, async () => (await displayTurns(shell, signal)) === turns);
  if (!turned) throw new DeviceFault('failed', 'The screen did not turn.');
}

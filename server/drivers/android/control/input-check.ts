import { DeviceFault } from '../../../device/fault.ts';
import type { GuestShell } from '../adb/guest-shell.ts';
import { MODIFIER_CODES } from '../guest/key-codes.ts';
import type { InputChannel } from './input-channel.ts';
import { evdevKey, KEY_PRESS } from './messages.ts';

const PROOF_MS_MAX = 8_000;
const PROOF_REPEAT_MS = 400;

/**
 * Proves that inputs arrive: presses shift until the guest's kernel has seen it, which no app takes notice of. Rejects with an
 * `unavailable` fault.
 */
export async function checkEmulatorInput(
  channel: Pick<InputChannel, 'key' | 'arrived'>,
  shell: Pick<GuestShell, 'run'>,
): Promise<void> {
  const { evdev } = MODIFIER_CODES.shift;
  const seen = shell.run(['getevent', '-c', '1'], { timeoutMs: PROOF_MS_MAX });
  const repeat = setInterval(() => {
    void channel.key(evdevKey(evdev, KEY_PRESS));
  }, PROOF_REPEAT_MS);
  try {
    await channel.key(evdevKey(evdev, KEY_PRESS));
    const { output } = await seen;
    await channel.arrived();
    if (!/\b002a\b/i.test(output)) throw new DeviceFault('unavailable', 'Another input arrives than was sent.');
  } catch (error) {
    seen.catch(() => undefined);
    const why = error instanceof DeviceFault ? error.message : String(error);
    throw new DeviceFault('unavailable', `Input does not arrive on the device. ${why}`);
  } finally {
    clearInterval(repeat);
  }
}

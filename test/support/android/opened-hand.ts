import type { Test } from 'tap';
import type { GuestShell } from '../../../server/device/android/adb/guest-shell.ts';
import { EmulatorHand } from '../../../server/device/android/control/emulator-hand.ts';
import { ControlService, type ControlServiceOptions } from './control-service.ts';
import { GuestPhone, HEIGHT, WIDTH } from './guest-phone.ts';

/** A driver's hand on a stand-in's control service, without a server and without adb around them. */
export async function openHand(t: Test, options: ControlServiceOptions = {}) {
  const guest = new GuestPhone();
  const service = new ControlService(guest, options);
  await service.listen();
  const hand = await EmulatorHand.open(
    { port: service.port, token: options.token, keys: options.keys },
    { must: async () => '' } as unknown as GuestShell,
    { width: WIDTH, height: HEIGHT },
    { folder: undefined, listener: { changed: () => undefined, lost: () => undefined } },
  );
  t.teardown(() => {
    hand.close();
    service.close();
    guest.phone.close();
  });
  return { guest, service, hand };
}

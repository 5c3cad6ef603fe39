import type { Test } from 'tap';
import type { GuestShell } from '../../../server/drivers/android/adb/guest-shell.ts';
import { EmulatorBackend } from '../../../server/drivers/android/control/emulator-backend.ts';
import type { PhoneDisplay } from '../../../server/phone/phone-options.ts';
import { ControlService, type ControlServiceOptions } from './control-service.ts';
import { GuestPhone, HEIGHT, WIDTH } from './guest-phone.ts';

/** A driver's backend on a stand-in's control service, without a server and without adb around them. */
export async function openBackend(
  t: Test,
  { displays = [], ...options }: ControlServiceOptions & { readonly displays?: readonly PhoneDisplay[] } = {},
) {
  const guest = new GuestPhone(displays);
  const service = new ControlService(guest, options);
  await service.listen();
  const backend = await EmulatorBackend.open(
    { port: service.port, token: options.token, keys: options.keys },
    { must: async () => '' } as unknown as GuestShell,
    { width: WIDTH, height: HEIGHT },
    { folder: undefined, listener: { changed: () => undefined, lost: () => undefined } },
  );
  t.teardown(() => {
    backend.close();
    service.close();
    guest.phone.close();
  });
  return { guest, service, backend };
}

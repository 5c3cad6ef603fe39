import t from 'tap';
import { hasAdb } from '../support/android/has-adb.ts';
import { standInService } from '../support/android/stand-in-service.ts';

const skip = hasAdb ? false : 'NO ADB: Android devices are NOT tested';

t.test(
  'a guest that falls silent while nobody touches is found out, and ends its session',
  { skip, timeout: 60_000 },
  async (t) => {
    const service = await standInService(t);
    const session = await service.session();
    const { system } = service.emulator;
    let silent = 0;
    system.override = ([name]) => {
      if (name !== 'getprop') return undefined;
      silent++;
      return new Promise(() => undefined);
    };
    t.match(await service.ended(session), { status: 'failed', releaseReason: 'device_lost' });
    t.ok(silent >= 2, 'one question may be missed');
  },
);

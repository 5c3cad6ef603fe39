import { DeviceFault } from '../../device/fault.ts';
import type { Handlers } from '../../device/handlers.ts';
import type { Simctl } from './simctl.ts';
import type { Udid } from './udid.ts';

const ENROLLED = 'com.apple.BiometricKit.enrollmentChanged';
/** Touch ID and Face ID: a simulator listens to the one of its model. */
const SENSORS = ['fingerTouch', 'pearl'] as const;

/** Faces and fingers for a simulator, by the notifications that the menu of Simulator.app posts. Whether anything had asked, nothing tells. */
export function biometricHandlers(simctl: Pick<Simctl, 'notify'>, udid: Udid): Handlers {
  return {
    authenticateBiometric: async ({ match }, { signal }) => {
      await simctl.notify(udid, ['-s', ENROLLED, '1'], signal);
      await simctl.notify(udid, ['-p', ENROLLED], signal);
      const told = await simctl.notify(udid, ['-g', ENROLLED], signal);
      if (!/\s1\s*$/.test(told)) throw new DeviceFault('failed', 'The simulator did not enroll a face or finger.');
      for (const sensor of SENSORS) {
        await simctl.notify(
          udid,
          ['-p', `com.apple.BiometricKit_Sim.${sensor}.${match ? 'match' : 'nomatch'}`],
          signal,
        );
      }
      return { match, readBack: false };
    },
  };
}

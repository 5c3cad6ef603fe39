import { PANEL } from '../support/ios/guest.ts';
import { StandInMac } from '../support/ios/stand-in-mac.ts';
import { TYPE_NAMES } from '../support/ios/xcrun-answers.ts';
import type { DriverUnderTest } from './drivers.ts';

/** Against a stand-in of a Mac: simulators by `xcrun`, reached through serve-sim. */
export function iosSimulator(icon: DriverUnderTest['icon']): DriverUnderTest {
  return {
    name: 'ios-simulator',
    platforms: ['ios'],
    takesBack: false,
    scrollSlack: 0.2,
    icon,
    async open(lanes) {
      const mac = await StandInMac.start({ devicectl: true });
      const devices = TYPE_NAMES.slice(0, lanes).map((name) => `ios-simulator:${name}`);
      return {
        environment: { ...mac.tools, RUNCLOUD_DEVICES: devices.join(',') },
        async inspect({ device: { model, scale } }) {
          if (scale !== PANEL.scale) throw new Error(`a scale of ${scale}`);
          return mac.guestOf(model).inspect();
        },
        close: () => mac.close(),
      };
    },
  };
}

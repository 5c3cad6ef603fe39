import { PANEL } from '../support/ios/guest.ts';
import { MacThread } from '../support/ios/mac-thread.ts';
import { TYPE_NAMES } from '../support/ios/xcrun-answers.ts';
import type { DriverUnderTest } from './drivers.ts';

/** Against a stand-in of a Mac: simulators by `xcrun`, reached through serve-sim. */
export function iosSimulator(icon: DriverUnderTest['icon']): DriverUnderTest {
  return {
    name: 'ios-simulator',
    platforms: ['ios'],
    takesBack: false,
    typesByKeys: true,
    scrollSlack: 0.2,
    icon,
    async open(lanes) {
      const mac = await MacThread.start({ devicectl: true });
      const devices = TYPE_NAMES.slice(0, lanes).map((name) => `ios-simulator:${name}`);
      return {
        environment: { ...mac.tools, RUNCLOUD_DEVICES: devices.join(',') },
        async inspect({ device: { model, scale } }) {
          if (scale !== PANEL.scale) throw new Error(`a scale of ${scale}`);
          return mac.inspect(model);
        },
        close: () => mac.close(),
      };
    },
  };
}

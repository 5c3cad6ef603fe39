import { type DeviceCapabilities, platformCapabilities } from '@runcloud/protocol';
import { PANEL } from '../support/ios/guest.ts';
import { MacThread } from '../support/ios/mac-thread.ts';
import { TYPE_NAMES } from '../support/ios/simulator-shelf.ts';
import type { DriverUnderTest } from './drivers.ts';

/** The system has no command that deletes what an app has stored, and no way back of a simulator that runs. */
const LACKS = ['clearAppData', 'resetDevice'];

const ANY: Partial<DeviceCapabilities> = {
  actions: platformCapabilities('ios').actions.filter((action) => !LACKS.includes(action)),
};

/** idb_companion's definition has no second finger, four buttons that matter here, and no word of rendering. */
const IDB: Partial<DeviceCapabilities> = {
  actions: platformCapabilities('ios').actions.filter(
    (action) => action !== 'setRenderDebug' && !LACKS.includes(action),
  ),
  fingers: 1,
  buttons: ['home', 'appSwitcher', 'recents', 'power', 'sideButton'],
  renderOptions: [],
};

/** Against a stand-in of a Mac: simulators by `xcrun`, reached through one of the helpers. */
export function iosSimulator(icon: DriverUnderTest['icon'], helper: 'serve-sim' | 'idb_companion'): DriverUnderTest {
  return {
    name: helper === 'idb_companion' ? 'ios-simulator-idb' : 'ios-simulator',
    platforms: ['ios'],
    takesBack: false,
    typesByKeys: true,
    less: helper === 'idb_companion' ? IDB : ANY,
    keepsState: 'always',
    tellsLog: true,
    tellsCrashes: true,
    appId: (app) => `com.example.${app}`,
    scrollSlack: 0.2,
    icon,
    async open(lanes) {
      // A device type is offered once, so each lane needs one of its own.
      if (lanes > TYPE_NAMES.length) throw new Error(`the stand-in has ${TYPE_NAMES.length} device types`);
      const mac = await MacThread.start({ devicectl: true, helpers: [helper] });
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

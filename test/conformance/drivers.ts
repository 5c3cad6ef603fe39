import assert from 'node:assert/strict';
import type { SessionRecord } from '@runcloud/protocol';
import { type DeviceCapabilities, platformCapabilities } from '@runcloud/protocol';
import { PLATFORMS, type Platform } from '@runcloud/protocol/terms';
import type { Inspection } from '../../server/device/driver.ts';
import { BUILT_IN_APPS } from '../../server/phone/apps/catalogue.ts';
import { centre } from '../../server/phone/geometry.ts';
import { homeLayout } from '../../server/phone/system/home-layout.ts';
import { layoutOf } from '../../server/phone/system/layout.ts';
import { createTheme } from '../../server/phone/theme.ts';
import type { Environment } from '../../server/settings.ts';
import { attachedHost } from '../support/android/attached-host.ts';
import { standInHost } from '../support/android/stand-in-emulator.ts';
import { iosSimulator } from './ios-simulator.ts';

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** The devices of a driver on this host while the suite runs. */
export interface DeviceFloor {
  /** Settings of a service that offers these devices. */
  readonly environment: Environment;
  /** Reads the state of a session's device without the service; absent if the service itself can report it. */
  inspect?(session: SessionRecord): Promise<Inspection>;
  close(): Promise<void>;
}

/** The properties of a driver that the suite needs: how to start its devices, where their apps are, and their abilities. */
export interface DriverUnderTest {
  readonly name: string;
  readonly platforms: readonly Platform[];
  /**
   * Whether a device can take back a touch or a button that was begun. Others can only let go, and what is let go has been
   * a touch.
   */
  readonly takesBack: boolean;
  /** Whether a finger leaves where it is, so that an end elsewhere is seen as a move and an end. */
  readonly endsInPlace?: boolean;
  /** Whether a text is typed key by key, which takes its time, instead of arriving as a whole. */
  readonly typesByKeys?: boolean;
  /** Whether a device tells that its clipboard holds another text. */
  readonly tellsOfClipboard?: boolean;
  /** Whether the state of a device can be kept: of all of them, or of those that the service has started, which are not these. */
  readonly keepsState?: 'always' | 'if started';
  /** Whether the log of a device can be read. */
  readonly tellsLog?: true;
  /** Whether a device tells that an app has crashed. */
  readonly tellsCrashes?: true;
  /** Capabilities of the platform that its devices lack. */
  readonly less?: Partial<DeviceCapabilities>;
  /** Maximum error of a scroll, as a share of its distance, since fingers are not exact. */
  readonly scrollSlack: number;
  /** The identifier of an app of the phone as the device has it; the phone's own where absent. */
  readonly appId?: (app: string) => string;
  /** @param lanes sessions that are open at the same time, on each platform */
  open(lanes: number): Promise<DeviceFloor>;
  /** Where to tap on the home screen, in portrait, to open an app. */
  icon(session: SessionRecord, app: string): Point;
}

/** The exact capabilities that a device of this driver must have. */
export const abilities = ({ less, keepsState, tellsLog }: DriverUnderTest, platform: Platform): DeviceCapabilities => ({
  ...platformCapabilities(platform),
  ...less,
  ui: true,
  ...(keepsState === 'always' ? { snapshots: true } : {}),
  media: true,
  files: true,
  ...(tellsLog ? { logs: true } : {}),
});

/** The embedded phone's home screen, which stand-ins of real devices show as well. */
export function icon({ platform, device: { width, height, scale } }: SessionRecord, app: string): Point {
  const theme = createTheme(platform, scale);
  const state = { size: { width, height }, keyboardShown: false } as Parameters<typeof layoutOf>[0];
  const home = homeLayout(BUILT_IN_APPS, 0, layoutOf(state, theme, false), theme);
  const place = home.places.find((other) => other.app.id === app);
  if (!place) throw new Error(`no icon for ${app}`);
  const { x, y } = centre(place.icon);
  return { x: (x + 0.5) / width, y: (y + 0.5) / height };
}

/** The package names of the stand-ins' apps. */
const androidName = (app: string): string => `com.standin.${app.replaceAll('-', '_')}`;

const virtual: DriverUnderTest = {
  name: 'virtual',
  platforms: PLATFORMS,
  takesBack: true,
  tellsOfClipboard: true,
  keepsState: 'always',
  tellsLog: true,
  tellsCrashes: true,
  scrollSlack: 0,
  icon,
  open: async () => ({
    environment: { RUNCLOUD_DEVICES: 'virtual-ios:4,virtual-android:4' },
    close: async () => undefined,
  }),
};

/** A device that goes on through sessions cannot be put back within one. */
const RESET = ['resetDevice'];
/** Nothing but Firebase Cloud Messaging brings notifications to the apps of an Android device, and nobody has enrolled a finger. */
const LACKS_ANDROID = ['sendPush', 'authenticateBiometric', ...RESET];
/** Only the control service of an emulator knows where it is. */
const LACKS_ATTACHED = ['setLocation', 'clearLocation', 'followRoute', 'readLocation', ...LACKS_ANDROID];

/** Against stand-ins of emulators, by Debian's own `adb` server. */
export const androidEmulator: DriverUnderTest = {
  name: 'android-emulator',
  platforms: ['android'],
  takesBack: false,
  endsInPlace: true,
  tellsOfClipboard: true,
  keepsState: 'if started',
  tellsLog: true,
  tellsCrashes: true,
  scrollSlack: 0.2,
  less: { actions: platformCapabilities('android').actions.filter((action) => !LACKS_ANDROID.includes(action)) },
  appId: androidName,
  icon,
  async open(lanes) {
    const host = await standInHost(lanes);
    return {
      environment: host.environment,
      async inspect({ device }) {
        const emulator = host.emulators.find(({ avd }) => avd === device.model);
        if (!emulator) throw new Error(`no stand-in is called ${device.model}`);
        assert.deepEqual(emulator.guest.violations, []);
        return emulator.guest.phone.inspect();
      },
      close: async () => host.stop(),
    };
  },
};

/** Devices that are attached to the host's adb server: `input` and `screencap` of their own, and nothing else. */
const androidAdb: DriverUnderTest = {
  name: 'android-adb',
  platforms: ['android'],
  takesBack: false,
  endsInPlace: true,
  tellsLog: true,
  tellsCrashes: true,
  scrollSlack: 0.25,
  less: {
    actions: platformCapabilities('android').actions.filter(
      (action) => !['gesture', 'insertText', ...LACKS_ATTACHED].includes(action),
    ),
    holds: false,
    fingers: 1,
    freeGestures: false,
    clipboard: false,
  },
  appId: androidName,
  icon,
  async open(lanes) {
    const host = await attachedHost(lanes);
    return {
      environment: host.environment,
      async inspect({ device: { model } }) {
        const found = host.devices.find(({ device }) => device.avd === model);
        if (!found) throw new Error(`no stand-in is called ${model}`);
        return found.device.guest.phone.inspect();
      },
      close: async () => host.stop(),
    };
  },
};

/** The same devices, touched and seen by scrcpy's server of a version. */
const androidScrcpy = (version: string): DriverUnderTest => ({
  name: `android-scrcpy-${version}`,
  platforms: ['android'],
  takesBack: false,
  endsInPlace: true,
  tellsLog: true,
  tellsCrashes: true,
  scrollSlack: 0.2,
  less: { actions: platformCapabilities('android').actions.filter((action) => !LACKS_ATTACHED.includes(action)) },
  appId: androidName,
  icon,
  async open(lanes) {
    const host = await attachedHost(lanes, version);
    return {
      environment: host.environment,
      async inspect({ device: { model } }) {
        const found = host.devices.find(({ device }) => device.avd === model);
        if (!found) throw new Error(`no stand-in is called ${model}`);
        const { guest, system } = found.device;
        assert.deepEqual([guest.violations, system.scrcpy.input?.dropped ?? 0], [[], 0]);
        return guest.phone.inspect();
      },
      close: async () => host.stop(),
    };
  },
});

/** The embedded phones, and every real driver with stand-ins of its devices. */
export const EVERY_DRIVER: readonly DriverUnderTest[] = [
  virtual,
  androidEmulator,
  androidAdb,
  androidScrcpy('3.3.4'),
  androidScrcpy('4.1'),
  iosSimulator(icon, 'serve-sim'),
  iosSimulator(icon, 'idb_companion'),
];

/**
 * The whole suite runs on the embedded phones. Proofs of their own name another driver: its stand-ins are real processes
 * that boot for each file, and parts of it are held by the integration tests as well.
 */
const wanted = process.env.CONFORMANCE_DRIVER ?? virtual.name;

export const DRIVERS = EVERY_DRIVER.filter(({ name }) => name === wanted);

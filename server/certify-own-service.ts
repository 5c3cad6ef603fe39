import { randomBytes } from 'node:crypto';
import { RunCloud } from '../client/sdk/index.ts';
import { startApp } from './app.ts';
import { LOOPBACK, networkAddress, pageHost } from './certify/page-host.ts';
import type { OpenService, Service } from './certify/service.ts';
import { createLogger } from './observe/logger.ts';
import { type DeviceOffer, type Environment, offerName, parseDevices, readSettings } from './settings.ts';
import { UsageError } from './usage-error.ts';

export interface OwnServiceOptions {
  /** As `RUNCLOUD_DEVICES` names the device; the only one of the settings where absent. */
  readonly entry: string | undefined;
  /** Address of this machine for the device's browser. */
  readonly pageHost: string | undefined;
}

/** A service for one device of this host, on a free port of the loopback and with data of its own. Throws a `UsageError`. */
export function ownService(options: OwnServiceOptions, environment: Environment): Service {
  const { entry, offer } = chosen(options.entry, environment);
  const page = pageHost(listenAddress(offer, options.pageHost), options.pageHost);
  return {
    entry,
    platform: offer.platform,
    exclusive: !('which' in offer) || offer.which !== 'auto',
    page,
    touches: touches(entry, offer, page.listen),
    open: (folder) => open(entry, folder, environment),
  };
}

async function open(entry: string, dataDir: string, environment: Environment): Promise<OpenService> {
  const apiKey = randomBytes(24).toString('base64url');
  const settings = readSettings(settingsOf(environment, { entry, dataDir, apiKey }));
  const app = await startApp(settings, createLogger(settings.logLevel));
  const { url } = app;
  const cloud = new RunCloud({ apiKey, baseUrl: url });
  return { url, cloud, labels: { purpose: 'certify' }, close: () => app.close() };
}

/** Settings of this host that a device needs, or that say how the service runs; no other, since they belong to another service. */
const KEPT = ['SOCKETS', 'LOG', 'ADB_PORT', 'SCRCPY_SERVER', 'SCRCPY_VERSION'].map((name) => `RUNCLOUD_${name}`);

function settingsOf(
  environment: Environment,
  { entry, dataDir, apiKey }: { readonly entry: string; readonly dataDir: string; readonly apiKey: string },
): Environment {
  const isKept = (name: string) => !name.startsWith('RUNCLOUD_') || KEPT.includes(name);
  return {
    // A device that cannot be offered is a warning.
    RUNCLOUD_LOG: 'warn',
    ...Object.fromEntries(Object.entries(environment).filter(([name]) => isKept(name))),
    RUNCLOUD_HOST: LOOPBACK,
    RUNCLOUD_PORT: '0',
    RUNCLOUD_DATA_DIR: dataDir,
    RUNCLOUD_API_KEY: apiKey,
    RUNCLOUD_DEVICES: entry,
    RUNCLOUD_CHECK_ANSWERS: '1',
    RUNCLOUD_RATE_LIMIT: 'off',
  };
}

/** One device of the entry, whatever number it names. */
function chosen(
  asked: string | undefined,
  environment: Environment,
): { readonly entry: string; readonly offer: DeviceOffer } {
  const offers = parseDevices(withCount(asked) ?? environment.RUNCLOUD_DEVICES ?? 'virtual-ios:1,virtual-android:1');
  const [offer, ...others] = offers;
  if (offer === undefined || others.length > 0) {
    throw new UsageError(`certify takes one device at a time; name one of ${offers.map(entryOf).join(', ')}`);
  }
  return { entry: entryOf(offer), offer };
}

/** `virtual-ios` alone is allowed here. */
const withCount = (asked: string | undefined) => (/^virtual-[a-z-]+$/.test(asked ?? '') ? `${asked}:1` : asked);

const entryOf = (offer: DeviceOffer): string => `${offerName(offer)}${offer.driver === 'virtual' ? ':1' : ''}`;

function listenAddress({ driver }: DeviceOffer, given: string | undefined): string {
  if (driver !== 'android-adb' || given !== undefined) return LOOPBACK;
  const address = networkAddress();
  if (address === undefined)
    throw new UsageError('certify found no network that the device could share; see --page-host');
  return address;
}

function touches(entry: string, { driver }: DeviceOffer, host: string): readonly string[] {
  const device = {
    virtual: ['an embedded phone, which is made for this and gone afterwards'],
    'android-emulator': [
      'the browser of the device is opened, and its data are erased afterwards, tabs and sign-ins included',
      'the display turns, sleeps and wakes; the volume goes up and down by one',
    ],
    'android-adb': [
      'the browser of the device is opened, and its data are erased afterwards, tabs and sign-ins included',
      'the display turns, sleeps and wakes; the volume goes up and down by one',
      `a page is served on ${host}, to everybody who reaches this address`,
    ],
    'ios-simulator': ['a simulator is created or cloned for each of three sessions, and removed after it'],
  }[driver];
  return [
    `${entry}: its touches, keys, buttons, orientation, screen, browser, location, settings and photos are tried, and permissions and notifications of a small app, in about two minutes`,
    ...device,
    'no device that this does not name, no data of a running service, and nothing beyond this machine is touched',
  ];
}

import { isIP } from 'node:net';
import { isAbsolute, resolve } from 'node:path';
import { LIMITS, PLATFORMS, type Platform, parseDurationMs } from '@runcloud/protocol/terms';
import { isGivenKey } from './account/api-key.ts';
import type { ToolEnvironment } from './device/target.ts';
import { serverVersion } from './drivers/android/scrcpy/server-file.ts';
import { type FleetSettings, readFleet } from './fleet-settings.ts';
import type { ObjectStoreSettings } from './link/recording-messages.ts';
import { readObjectStore } from './object-store-settings.ts';
import { LOG_LEVELS, type LogLevel } from './observe/logger.ts';
import { VIRTUAL_VARIANTS, type VirtualVariant } from './phone/models.ts';
import { SettingsError } from './settings-error.ts';
import { SOCKET_LIBRARIES, type SocketLibrary } from './socket/libraries.ts';

export { SettingsError };

export type Environment = Readonly<Record<string, string | undefined>>;

/** One entry of `RUNCLOUD_DEVICES`. */
export type DeviceOffer =
  /** `variant`: another phone than the platform's usual one. */
  | {
      readonly driver: 'virtual';
      readonly platform: Platform;
      readonly variant?: VirtualVariant;
      readonly count: number;
    }
  /** `auto`: the emulators that run on this host; otherwise the name of an Android Virtual Device. */
  | { readonly driver: 'android-emulator'; readonly platform: 'android'; readonly which: string }
  /** `auto`: all devices of the host's adb server except emulators; otherwise the serial number of one. */
  | { readonly driver: 'android-adb'; readonly platform: 'android'; readonly which: string }
  /** A simulator's UDID or the name of a device type, and how many of it. */
  | { readonly driver: 'ios-simulator'; readonly platform: 'ios'; readonly which: string; readonly count: number };

/** Average rate allowed to one key; bursts of twice as much pass. */
export interface RateLimit {
  readonly requestsPerSecond: number;
  readonly messagesPerSecond: number;
}

export interface Settings {
  /** `RUNCLOUD_HOST`: address or name to listen on. */
  readonly host: string;
  /** `RUNCLOUD_PORT`; 0 picks a free one. */
  readonly port: number;
  /** `RUNCLOUD_SOCKETS`: the socket library; absent to take the fastest that this Node.js can have. */
  readonly sockets?: SocketLibrary;
  /** `RUNCLOUD_TLS_CERT` and `RUNCLOUD_TLS_KEY`: paths of PEM files, made absolute; absent to speak plain HTTP. */
  readonly tls?: TlsPaths;
  /** `RUNCLOUD_DATA_DIR`, made absolute. */
  readonly dataDir: string;
  /** `RUNCLOUD_PUBLIC_URL`: the origin that clients see, without a slash at its end. */
  readonly publicUrl?: string;
  /** `RUNCLOUD_API_KEY`: a key of the operator's choice. Secret. */
  readonly apiKey?: string;
  /** `RUNCLOUD_DEVICES`. */
  readonly devices: readonly DeviceOffer[];
  /** Environment variables for `adb`, `simctl` and other device tools: paths only, no secrets. */
  readonly tools: ToolEnvironment;
  /** `RUNCLOUD_OPEN_URL`: the platforms on which clients may open URLs. */
  readonly openUrl: readonly Platform[];
  /** `RUNCLOUD_LOG`. */
  readonly logLevel: LogLevel;
  /** `RUNCLOUD_CHECK_ANSWERS`: `1` checks every answer and message against its schema; an invalid one is an error. */
  readonly checkAnswers?: true;
  /** `RUNCLOUD_RATE_LIMIT`: `off`, or `<REST calls per second>/<socket messages per second>`, by default the contract's limits. */
  readonly rateLimit: RateLimit | 'off';
  /** `RUNCLOUD_RECORDING_MAX`: a recording is stopped after this time. */
  readonly recordingMaxMs: number;
  /** `RUNCLOUD_DISK_HEADROOM`: `<MiB to start>/<MiB to go on>`, by default `512/128`. */
  readonly diskHeadroom: DiskHeadroom;
  /** `RUNCLOUD_ASSET_QUOTA` of each account and `RUNCLOUD_ASSET_QUOTA_TOTAL`: `<assets>/<MiB>`, by default `1000/20480` and `10000/102400`. */
  readonly assetQuota: AssetQuotaSettings;
  /**
   * `RUNCLOUD_S3_URL`, `_BUCKET`, `_REGION`, `_ACCESS_KEY_ID` and `_SECRET_ACCESS_KEY`: where finished recordings go; absent to keep
   * them in the data directory. Secret.
   */
  readonly objectStore?: ObjectStoreSettings;
  /** `RUNCLOUD_ROLE`, and the settings of a fleet; absent for a service alone. The NATS password is secret. */
  readonly fleet?: FleetSettings;
}

/** Maximum number of uploaded assets and of their bytes; equal contents are counted once. */
export interface AssetQuotaSettings {
  readonly ofAccount: { readonly assets: number; readonly bytes: number };
  readonly inAll: { readonly assets: number; readonly bytes: number };
}

/** Free disk space below which recordings do not start and uploads are refused, and running recordings are stopped. */
export interface DiskHeadroom {
  readonly startBytes: number;
  readonly runningBytes: number;
}

/** PEM files: a certificate with those that vouch for it, and its private key. */
export interface TlsPaths {
  readonly cert: string;
  readonly key: string;
}

const COUNT_MAX = 64;
const RATE_MAX = 10_000_000;
const QUOTED_MAX = 120;
const RECORDING_MS = { min: 1_000, max: 86_400_000 } as const;
const MIB = 1_048_576;
const HEADROOM_MIB_MAX = 100_000_000;
const QUOTA_MIB_MAX = 100_000_000;
const QUOTA_TOTAL_ASSETS_MAX = 100_000;

const KNOWN = [
  'HOST',
  'PORT',
  'SOCKETS',
  'TLS_CERT',
  'TLS_KEY',
  'DATA_DIR',
  'PUBLIC_URL',
  'API_KEY',
  'DEVICES',
  'OPEN_URL',
  'LOG',
  'CHECK_ANSWERS',
  'RATE_LIMIT',
  'RECORDING_MAX',
  'DISK_HEADROOM',
  'ASSET_QUOTA',
  'ASSET_QUOTA_TOTAL',
  'ROLE',
  'NATS_URL',
  'NATS_CREDS',
  'DATABASE_URL',
  'HOST_NAME',
  'FLEET_KEY',
  'S3_URL',
  'S3_BUCKET',
  'S3_REGION',
  'S3_ACCESS_KEY_ID',
  'S3_SECRET_ACCESS_KEY',
  'ADB_PORT',
  'SCRCPY_SERVER',
  'SCRCPY_VERSION',
].map((name) => `RUNCLOUD_${name}`);
/** Variables of the command line and the SDK, which are allowed here since they often share an environment with the server. */
const CLIENT_SIDE = ['RUNCLOUD_BASE_URL', 'RUNCLOUD_SESSION'];

const HOST_NAME = /^(?=.{1,253}$)[A-Za-z0-9]([A-Za-z0-9-]{0,62})(\.[A-Za-z0-9]([A-Za-z0-9-]{0,62}))*$/;
const AVD_NAME = /^[A-Za-z0-9._-]{1,128}$/;
/** As `adb devices` prints it: a USB serial number, a network address, or the name of a discovered mDNS service. */
const ADB_SERIAL = /^[A-Za-z0-9[][A-Za-z0-9._:%[\]-]{0,127}$/;
const SIMULATOR_NAME = /^[A-Za-z0-9][A-Za-z0-9 ()._-]{0,127}$/;
const DEVICE_FORMS =
  'a comma-separated list of virtual-ios:<1 to 64>, virtual-android:<1 to 64>, virtual-ios@3x:<1 to 64>, ' +
  'virtual-android@3x:<1 to 64>, virtual-android-fold:<1 to 64>, ' +
  'android-emulator:auto, ' +
  'android-emulator:<avd name>, android-adb:auto, android-adb:<serial>, ios-simulator:<udid or device type>, the last one with *<1 to 64> for several';

function refuse(name: string, value: string, allowed: string): never {
  // As JSON, so that control characters cannot break the line.
  const quoted = JSON.stringify(value.length > QUOTED_MAX ? `${value.slice(0, QUOTED_MAX)}…` : value);
  throw new SettingsError(`${name} is ${quoted}; allowed: ${allowed}`);
}

function wholeNumber(text: string | undefined, min: number, max: number): number | undefined {
  if (text === undefined || !/^[0-9]{1,9}$/.test(text)) return undefined;
  const value = Number(text);
  return value >= min && value <= max ? value : undefined;
}

function readHost(value: string): string {
  if (isIP(value) || HOST_NAME.test(value)) return value;
  return refuse('RUNCLOUD_HOST', value, 'an IP address or a host name, without port or scheme');
}

function readPort(value: string): number {
  return wholeNumber(value, 0, 65_535) ?? refuse('RUNCLOUD_PORT', value, 'a whole number from 0 to 65535');
}

function readSocketLibrary(value: string): SocketLibrary {
  const found = SOCKET_LIBRARIES.find((name) => name === value);
  return found ?? refuse('RUNCLOUD_SOCKETS', value, SOCKET_LIBRARIES.join(', '));
}

function readTls({ RUNCLOUD_TLS_CERT: cert, RUNCLOUD_TLS_KEY: key }: Environment): TlsPaths | undefined {
  const allowed = 'the path of a PEM file';
  if (cert !== undefined && cert.trim() === '') return refuse('RUNCLOUD_TLS_CERT', cert, allowed);
  if (key !== undefined && key.trim() === '') return refuse('RUNCLOUD_TLS_KEY', key, allowed);
  if (cert !== undefined && key === undefined) {
    return refuse('RUNCLOUD_TLS_CERT', cert, 'only together with RUNCLOUD_TLS_KEY');
  }
  if (cert === undefined && key !== undefined) {
    return refuse('RUNCLOUD_TLS_KEY', key, 'only together with RUNCLOUD_TLS_CERT');
  }
  return cert === undefined || key === undefined ? undefined : { cert: resolve(cert), key: resolve(key) };
}

function readPublicUrl(value: string): string {
  const allowed = 'an http or https origin without path, as in https://devices.example.com';
  // A password before the @ must not come back in the message.
  if (value.includes('@')) throw new SettingsError(`RUNCLOUD_PUBLIC_URL holds user information; allowed: ${allowed}`);
  const url = /^https?:\/\/[^\s/?#\\]+\/?$/i.test(value) && URL.canParse(value) ? new URL(value) : undefined;
  return url?.origin ?? refuse('RUNCLOUD_PUBLIC_URL', value, allowed);
}

function readApiKey(value: string): string {
  if (isGivenKey(value)) return value;
  throw new SettingsError('RUNCLOUD_API_KEY does not hold a key; allowed: 20 to 200 visible ASCII characters');
}

function readLogLevel(value: string): LogLevel {
  return LOG_LEVELS.find((level) => level === value) ?? refuse('RUNCLOUD_LOG', value, LOG_LEVELS.join(', '));
}

const OPEN_URL: Readonly<Record<string, readonly Platform[]>> = {
  on: PLATFORMS,
  off: [],
  ios: ['ios'],
  android: ['android'],
};

function readOpenUrl(value: string): readonly Platform[] {
  const platforms = Object.hasOwn(OPEN_URL, value) ? OPEN_URL[value] : undefined;
  return platforms ?? refuse('RUNCLOUD_OPEN_URL', value, Object.keys(OPEN_URL).join(', '));
}

function readRateLimit(value: string | undefined): RateLimit | 'off' {
  if (value === undefined) {
    return { requestsPerSecond: LIMITS.restCallsPerSecond, messagesPerSecond: LIMITS.socketMessagesPerSecond };
  }
  if (value === 'off') return 'off';
  const [requests, messages, ...rest] = value.split('/');
  const requestsPerSecond = wholeNumber(requests, 1, RATE_MAX);
  const messagesPerSecond = wholeNumber(messages, 1, RATE_MAX);
  if (requestsPerSecond === undefined || messagesPerSecond === undefined || rest.length > 0) {
    return refuse(
      'RUNCLOUD_RATE_LIMIT',
      value,
      `off, or <REST calls>/<socket messages> a second, 1 to ${RATE_MAX} each`,
    );
  }
  return { requestsPerSecond, messagesPerSecond };
}

function readRecordingMax(value: string): number {
  const { min, max } = RECORDING_MS;
  const ms = parseDurationMs(value);
  if (ms !== undefined && ms >= min && ms <= max) return ms;
  return refuse('RUNCLOUD_RECORDING_MAX', value, `a duration such as 90s, 10m or 4h, ${min / 1_000}s to 24h`);
}

function readDiskHeadroom(value: string): DiskHeadroom {
  const [start, running, ...rest] = value.split('/');
  const startMiB = wholeNumber(start, 0, HEADROOM_MIB_MAX);
  const runningMiB = wholeNumber(running, 0, HEADROOM_MIB_MAX);
  if (startMiB === undefined || runningMiB === undefined || runningMiB > startMiB || rest.length > 0) {
    return refuse(
      'RUNCLOUD_DISK_HEADROOM',
      value,
      `<MiB to start a recording>/<MiB to go on>, 0 to ${HEADROOM_MIB_MAX} each, the second not above the first`,
    );
  }
  return { startBytes: startMiB * MIB, runningBytes: runningMiB * MIB };
}

function readAssetQuota(name: string, value: string, assetsMax: number): { assets: number; bytes: number } {
  const [assetsText, mibText, ...rest] = value.split('/');
  const assets = wholeNumber(assetsText, 0, assetsMax);
  const mib = wholeNumber(mibText, 0, QUOTA_MIB_MAX);
  if (assets !== undefined && mib !== undefined && rest.length === 0) return { assets, bytes: mib * MIB };
  return refuse(name, value, `<assets>/<MiB of them>, 0 to ${assetsMax} and 0 to ${QUOTA_MIB_MAX}`);
}

type VirtualOffer = Extract<DeviceOffer, { driver: 'virtual' }>;

const VIRTUAL = new Map<string, Pick<VirtualOffer, 'platform' | 'variant'>>([
  ['virtual-ios', { platform: 'ios' }],
  ['virtual-android', { platform: 'android' }],
  ...Object.entries(VIRTUAL_VARIANTS).map(
    ([name, { platform }]) => [name, { platform, variant: name as VirtualVariant }] as const,
  ),
]);

/** The entry of an offer without its count. */
export const offerName = (offer: DeviceOffer): string =>
  offer.driver === 'virtual' ? (offer.variant ?? `virtual-${offer.platform}`) : `${offer.driver}:${offer.which}`;

function parseOffer(entry: string): DeviceOffer | undefined {
  const [driver, what = '', ...rest] = entry.split(':');
  // A serial may be an address with a port.
  if (driver === 'android-adb') return parseSerial([what, ...rest].join(':'));
  if (rest.length > 0) return undefined;
  const virtual = VIRTUAL.get(driver ?? '');
  if (virtual) {
    const count = wholeNumber(what, 1, COUNT_MAX);
    return count === undefined ? undefined : { driver: 'virtual', ...virtual, count };
  }
  if (driver === 'android-emulator' && AVD_NAME.test(what)) return { driver, platform: 'android', which: what };
  return driver === 'ios-simulator' ? parseSimulators(what) : undefined;
}

const parseSerial = (which: string): DeviceOffer | undefined =>
  ADB_SERIAL.test(which) ? { driver: 'android-adb', platform: 'android', which } : undefined;

/** A name alone means one simulator; with the suffix `*4`, four. */
function parseSimulators(what: string): DeviceOffer | undefined {
  const [which = '', times = '1', ...rest] = what.split('*');
  const count = wholeNumber(times, 1, COUNT_MAX);
  if (count === undefined || rest.length > 0 || !SIMULATOR_NAME.test(which)) return undefined;
  return { driver: 'ios-simulator', platform: 'ios', which, count };
}

/** Entries of `RUNCLOUD_DEVICES`, in their order; throws a `SettingsError` for a wrong or repeated one. */
export function parseDevices(value: string): DeviceOffer[] {
  const offers = new Map<string, DeviceOffer>();
  for (const entry of value.split(',').map((text) => text.trim())) {
    const offer = parseOffer(entry);
    if (!offer) return refuse('RUNCLOUD_DEVICES', value, DEVICE_FORMS);
    // Two counts for one kind of device contradict each other.
    const identity = offerName(offer);
    if (offers.has(identity)) throw new SettingsError(`RUNCLOUD_DEVICES names ${identity} twice; allowed: once`);
    offers.set(identity, offer);
  }
  return [...offers.values()];
}

/**
 * Variables that say where programs and their files are. No other variable is passed on: neither keys, nor variables that
 * would redirect `adb`, `simctl` or the dynamic linker (`ANDROID_SERIAL`, `ADB_SERVER_SOCKET`, `SIMCTL_CHILD_*`, `DYLD_*`).
 */
const TOOL_VARIABLES = [
  'PATH',
  'HOME',
  'USER',
  'TMPDIR',
  'LANG',
  'DISPLAY',
  'XDG_RUNTIME_DIR',
  'ANDROID_HOME',
  'ANDROID_SDK_ROOT',
  'ANDROID_AVD_HOME',
  'ANDROID_USER_HOME',
  'RUNCLOUD_ADB_PORT',
  'RUNCLOUD_SCRCPY_SERVER',
  'RUNCLOUD_SCRCPY_VERSION',
  'DEVELOPER_DIR',
];

/** The part of the server's environment that is passed to device tools. */
export function toolEnvironment(environment: Environment): ToolEnvironment {
  const known = TOOL_VARIABLES.flatMap((name) => {
    const value = environment[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return Object.fromEntries(known);
}

/** Checks both settings of scrcpy's server without reading the file; a missing file is reported when devices are opened. */
function checkScrcpy({ RUNCLOUD_SCRCPY_SERVER: file, RUNCLOUD_SCRCPY_VERSION: told }: Environment): void {
  if (file === undefined) {
    if (told === undefined) return;
    return refuse('RUNCLOUD_SCRCPY_VERSION', told, 'only together with RUNCLOUD_SCRCPY_SERVER');
  }
  if (!isAbsolute(file)) {
    return refuse(
      'RUNCLOUD_SCRCPY_SERVER',
      file,
      "the absolute path of scrcpy's server, such as /opt/scrcpy-server-v3.3.4",
    );
  }
  const found = serverVersion(file, told);
  if ('why' in found) throw new SettingsError(`RUNCLOUD_SCRCPY_SERVER cannot be used: ${found.why}`);
}

/** The one setting that the admin command shares with the server. Throws a `SettingsError`. */
export function readDataDir(environment: Environment): string {
  const value = environment.RUNCLOUD_DATA_DIR ?? '.runcloud';
  if (value.trim() === '') return refuse('RUNCLOUD_DATA_DIR', value, 'the path of a folder');
  return resolve(value);
}

/** The server's address for clients, by the environment alone. Throws a `SettingsError`. */
export function readAddress(environment: Environment): string {
  const {
    RUNCLOUD_PUBLIC_URL: publicUrl,
    RUNCLOUD_HOST: host = '127.0.0.1',
    RUNCLOUD_PORT: port = '8787',
  } = environment;
  if (publicUrl !== undefined) return readPublicUrl(publicUrl);
  return `http${readTls(environment) ? 's' : ''}://${readHost(host).includes(':') ? `[${host}]` : host}:${readPort(port)}`;
}

/**
 * The server's settings from its environment. Throws a `SettingsError` for a value that cannot be used, an empty one
 * included, and for an unknown `RUNCLOUD_` variable, since a misspelt one would otherwise be ignored silently.
 */
export function readSettings(environment: Environment): Settings {
  for (const name of Object.keys(environment)) {
    if (!name.startsWith('RUNCLOUD_') || environment[name] === undefined) continue;
    if (KNOWN.includes(name) || CLIENT_SIDE.includes(name)) continue;
    throw new SettingsError(`${JSON.stringify(name).slice(1, -1)} is not a setting; allowed: ${KNOWN.join(', ')}`);
  }
  const { RUNCLOUD_PUBLIC_URL: publicUrl, RUNCLOUD_API_KEY: apiKey, RUNCLOUD_ADB_PORT: adbPort } = environment;
  const { RUNCLOUD_CHECK_ANSWERS: checked, RUNCLOUD_SOCKETS: sockets } = environment;
  if (adbPort !== undefined && wholeNumber(adbPort, 1, 65_535) === undefined) {
    return refuse('RUNCLOUD_ADB_PORT', adbPort, 'a whole number from 1 to 65535');
  }
  checkScrcpy(environment);
  const tls = readTls(environment);
  const objectStore = readObjectStore(environment);
  const fleet = readFleet(environment);
  if (checked !== undefined && checked !== '1') return refuse('RUNCLOUD_CHECK_ANSWERS', checked, '1');
  return {
    host: readHost(environment.RUNCLOUD_HOST ?? '127.0.0.1'),
    port: readPort(environment.RUNCLOUD_PORT ?? '8787'),
    ...(sockets !== undefined && { sockets: readSocketLibrary(sockets) }),
    ...(tls !== undefined && { tls }),
    dataDir: readDataDir(environment),
    ...(publicUrl !== undefined && { publicUrl: readPublicUrl(publicUrl) }),
    ...(apiKey !== undefined && { apiKey: readApiKey(apiKey) }),
    ...(objectStore !== undefined && { objectStore }),
    ...(fleet !== undefined && { fleet }),
    devices:
      fleet?.role === 'edge' ? [] : parseDevices(environment.RUNCLOUD_DEVICES ?? 'virtual-ios:4,virtual-android:4'),
    tools: toolEnvironment(environment),
    openUrl: readOpenUrl(environment.RUNCLOUD_OPEN_URL ?? 'on'),
    logLevel: readLogLevel(environment.RUNCLOUD_LOG ?? 'info'),
    ...(checked !== undefined && { checkAnswers: true as const }),
    rateLimit: readRateLimit(environment.RUNCLOUD_RATE_LIMIT),
    recordingMaxMs: readRecordingMax(environment.RUNCLOUD_RECORDING_MAX ?? '4h'),
    assetQuota: {
      ofAccount: readAssetQuota(
        'RUNCLOUD_ASSET_QUOTA',
        environment.RUNCLOUD_ASSET_QUOTA ?? `${LIMITS.assetsPerAccount}/20480`,
        LIMITS.assetsPerAccount,
      ),
      inAll: readAssetQuota(
        'RUNCLOUD_ASSET_QUOTA_TOTAL',
        environment.RUNCLOUD_ASSET_QUOTA_TOTAL ?? '10000/102400',
        QUOTA_TOTAL_ASSETS_MAX,
      ),
    },
    diskHeadroom: readDiskHeadroom(environment.RUNCLOUD_DISK_HEADROOM ?? '512/128'),
  };
}

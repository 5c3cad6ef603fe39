import { isFields } from './json-fields.ts';
import { isUdid, type Udid } from './udid.ts';

/** `Creating` and words of releases to come count as neither on nor off. */
export type SimulatorState = 'Shutdown' | 'Booted' | 'Booting' | 'Shutting Down' | 'other';

/** A simulator of this host. */
export interface Simulator {
  readonly udid: Udid;
  readonly name: string;
  readonly state: SimulatorState;
  readonly available: boolean;
  readonly deviceType: string;
  readonly runtime: string;
  /** Such as `17.5`; empty when its runtime is not listed. */
  readonly osVersion: string;
}

export interface DeviceType {
  readonly identifier: string;
  readonly name: string;
}

export interface Runtime {
  readonly identifier: string;
  readonly version: string;
  readonly available: boolean;
  /** Identifiers of the device types that it runs on. */
  readonly deviceTypes: readonly string[];
}

export interface SimulatorList {
  readonly simulators: readonly Simulator[];
  readonly deviceTypes: readonly DeviceType[];
  /** Of iOS alone. */
  readonly runtimes: readonly Runtime[];
}

/** Names are shown to people: no longer than this, and without control characters. */
const NAME_CHARACTERS_MAX = 100;
const STATES: readonly string[] = ['Shutdown', 'Booted', 'Booting', 'Shutting Down'];

const IOS_RUNTIME = /^com\.apple\.CoreSimulator\.SimRuntime\.iOS-[0-9-]{1,20}$/;
const DEVICE_TYPE = /^com\.apple\.CoreSimulator\.SimDeviceType\.[A-Za-z0-9.-]{1,100}$/;
const VERSION = /^\d{1,4}(\.\d{1,4}){0,3}$/;

/**
 * Reads the output of `simctl list -j`. Skips entries that do not look as documented, so that nothing of them reaches a
 * command. Throws a `SyntaxError` when the output is no JSON object.
 */
export function parseSimulatorList(json: string): SimulatorList {
  const parsed: unknown = JSON.parse(json);
  if (!isFields(parsed)) throw new SyntaxError('the list of simulators is no object');
  const runtimes = list(parsed.runtimes).flatMap(readRuntime);
  const versions = new Map(runtimes.map(({ identifier, version }) => [identifier, version]));
  const simulators = Object.entries(isFields(parsed.devices) ? parsed.devices : {})
    .filter(([runtime]) => IOS_RUNTIME.test(runtime))
    .flatMap(([runtime, devices]) => {
      return list(devices).flatMap((device) => readSimulator(device, runtime, versions.get(runtime) ?? ''));
    });
  return { simulators, deviceTypes: list(parsed.devicetypes).flatMap(readDeviceType), runtimes };
}

/** The newest available runtime for a device type. */
export function newestRuntime({ runtimes }: SimulatorList, deviceType: string): Runtime | undefined {
  return runtimes
    .filter(({ available, deviceTypes }) => available && deviceTypes.includes(deviceType))
    .sort((one, other) => compareVersions(other.version, one.version))[0];
}

function readSimulator(device: unknown, runtime: string, osVersion: string): Simulator[] {
  if (!isFields(device)) return [];
  const { udid, name, state, isAvailable, deviceTypeIdentifier: deviceType } = device;
  if (typeof udid !== 'string' || !isUdid(udid)) return [];
  if (typeof deviceType !== 'string' || !DEVICE_TYPE.test(deviceType)) return [];
  const known = STATES.includes(String(state)) ? (state as SimulatorState) : 'other';
  return [
    { udid, name: shownName(name), state: known, available: isAvailable === true, deviceType, runtime, osVersion },
  ];
}

function readDeviceType(type: unknown): DeviceType[] {
  if (!isFields(type)) return [];
  const { identifier, name } = type;
  if (typeof identifier !== 'string' || !DEVICE_TYPE.test(identifier)) return [];
  return [{ identifier, name: shownName(name) }];
}

function readRuntime(runtime: unknown): Runtime[] {
  if (!isFields(runtime)) return [];
  const { identifier, version, isAvailable, supportedDeviceTypes } = runtime;
  if (typeof identifier !== 'string' || !IOS_RUNTIME.test(identifier)) return [];
  if (typeof version !== 'string' || !VERSION.test(version)) return [];
  const deviceTypes = list(supportedDeviceTypes).flatMap(readDeviceType);
  return [
    { identifier, version, available: isAvailable === true, deviceTypes: deviceTypes.map((type) => type.identifier) },
  ];
}

/** Control characters of Unicode, those that turn the direction of writing included. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

const shownName = (name: unknown): string =>
  typeof name === 'string' ? name.replace(UNPRINTABLE, '').slice(0, NAME_CHARACTERS_MAX) : '';

function compareVersions(one: string, other: string): number {
  const [a, b] = [one.split('.').map(Number), other.split('.').map(Number)];
  for (let index = 0; index < Math.max(a.length, b.length); index++) {
    const difference = (a[index] ?? 0) - (b[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

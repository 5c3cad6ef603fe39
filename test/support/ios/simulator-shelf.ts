import { randomUUID } from 'node:crypto';
import { Guest } from './guest.ts';
import type { StandInMac, StandInSimulator } from './stand-in-mac.ts';
import { wrongState, type XcrunAnswer } from './xcrun-answer.ts';

export const RUNTIME = 'com.apple.CoreSimulator.SimRuntime.iOS-26-1';

/** Device types, of which each has the same panel. */
export const TYPE_NAMES = ['iPhone Stand-In', 'iPhone Stand-In Max'];

const typeOf = (name: string) => `com.apple.CoreSimulator.SimDeviceType.${name.replaceAll(' ', '-')}`;

export function listing(mac: StandInMac): object {
  const devices = mac.simulators.map(({ udid, name, state, type }) => ({
    udid,
    name,
    state,
    isAvailable: true,
    deviceTypeIdentifier: type,
    dataPath: '/nowhere',
    logPath: '/nowhere',
  }));
  return {
    devices: { [RUNTIME]: devices },
    devicetypes: TYPE_NAMES.map((name) => ({ identifier: typeOf(name), name, productFamily: 'iPhone' })),
    runtimes: [
      {
        identifier: RUNTIME,
        version: '26.1',
        buildversion: '23B80',
        name: 'iOS 26.1',
        isAvailable: true,
        supportedDeviceTypes: TYPE_NAMES.map((name) => ({ identifier: typeOf(name), name })),
      },
    ],
    pairs: {},
  };
}

/** A new one, whose disk is empty or a copy of another's. */
export function create(mac: StandInMac, name: string, type: string, guest = new Guest()): StandInSimulator {
  const simulator = { udid: randomUUID().toUpperCase(), name, type, state: 'Shutdown', guest };
  mac.simulators.push(simulator);
  return simulator;
}

/** Commands that turn a simulator on and off, copy and delete it; `undefined` for others. */
export function answerShelf(
  mac: StandInMac,
  command: string,
  simulator: StandInSimulator,
  name: string,
): XcrunAnswer | undefined {
  const { state, guest } = simulator;
  switch (command) {
    case 'boot':
      if (state !== 'Shutdown') return wrongState('boot', state);
      simulator.state = 'Booted';
      return {};
    case 'shutdown':
      if (state === 'Shutdown') return wrongState('shutdown', state);
      turnOff(mac, simulator);
      return {};
    case 'delete':
      mac.simulators.splice(mac.simulators.indexOf(simulator), 1);
      guest.close();
      guest.disk.erase();
      return {};
    case 'clone':
      if (state !== 'Shutdown') return wrongState('clone', state);
      return { stdout: `${create(mac, name, simulator.type, new Guest(guest.disk.copy())).udid}\n` };
    default:
      return undefined;
  }
}

/** Programs in the guest end, and those that are connected to it; what is on its disk stays. */
function turnOff(mac: StandInMac, simulator: StandInSimulator): void {
  simulator.state = 'Shutdown';
  const { guest } = simulator;
  guest.close();
  simulator.guest = new Guest(guest.disk);
  for (const helper of mac.helpersOf(guest)) helper.kill();
}

import type { Orientation } from '@runcloud/protocol';
import { PANEL } from './guest.ts';
import type { StandInMac } from './stand-in-mac.ts';
import type { XcrunAnswer } from './xcrun-answer.ts';

const DEVICE_WORDS: Readonly<Record<string, Orientation>> = {
  portrait: 'portrait',
  portraitUpsideDown: 'portrait_upside_down',
  landscapeLeft: 'landscape_right',
  landscapeRight: 'landscape_left',
};

const INTERFACE_WORDS: Readonly<Record<Orientation, string>> = {
  portrait: 'portrait',
  portrait_upside_down: 'portraitUpsideDown',
  landscape_left: 'landscapeLeft',
  landscape_right: 'landscapeRight',
};

export function answerDevicectl(mac: StandInMac, args: readonly string[]): XcrunAnswer {
  if (!mac.options.devicectl) return { exitCode: 64, stderr: "Error: Unexpected argument 'orientation'\n" };
  if (args.includes('--help')) return { stdout: 'OVERVIEW: Set the orientation of a device.\n' };
  const udid = args[args.indexOf('-d') + 1];
  const simulator = mac.simulators.find((other) => other.udid === udid);
  const info = (outcome: string) => ({
    arguments: args,
    commandType: 'devicectl',
    jsonVersion: 5,
    outcome,
    version: '1',
  });
  if (!simulator) {
    const error = {
      domain: 'com.apple.dt.CoreDeviceError',
      code: 1000,
      userInfo: { NSLocalizedDescription: { string: 'The device was not found.' } },
    };
    return { exitCode: 1, stdout: JSON.stringify({ info: info('failed'), error }) };
  }
  const word = DEVICE_WORDS[args[args.indexOf('-d') + 2] ?? ''];
  if (args[1] === 'orientation' && word) simulator.guest.rotate(word);
  const currentOrientation = INTERFACE_WORDS[simulator.guest.phone.orientation];
  const displays = [
    { primary: true, active: true, nativeSize: [590, 1280], pointScale: PANEL.scale, currentOrientation },
  ];
  return { stdout: JSON.stringify({ info: info('success'), result: { displays } }) };
}

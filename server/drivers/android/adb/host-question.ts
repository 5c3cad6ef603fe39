import { createConnection } from 'node:net';
import { DeviceFault } from '../../../device/fault.ts';
import { plainLine } from '../../process/plain-line.ts';

const LOOPBACK = '127.0.0.1';
const ASK_MS_MAX = 5_000;
const ANSWER_CHARACTERS_MAX = 65_536;

/** A device as an adb server knows it. */
export interface KnownDevice {
  readonly serial: string;
  /** `device` when it can be used; else `offline`, `unauthorized` and so on. */
  readonly state: string;
}

/**
 * One question of the host protocol (`docs/dev/services.md` of adb) to the server on a port of this host; the answer without
 * its length. Starts no server. Rejects with an `unavailable` fault, at the latest when nothing was heard for `limitMs`.
 */
export function askAdbServer(port: number, service: string, limitMs = ASK_MS_MAX): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = createConnection({ host: LOOPBACK, port });
    let answer = '';
    const fail = (why: string) => reject(new DeviceFault('unavailable', `The adb server does not answer: ${why}`));
    socket.setTimeout(limitMs, () => {
      fail('it took too long');
      socket.destroy();
    });
    socket.once('connect', () => socket.write(service.length.toString(16).padStart(4, '0') + service));
    socket.on('data', (data) => {
      answer += data.toString('latin1');
      if (answer.length > ANSWER_CHARACTERS_MAX) socket.destroy(new Error('it said too much'));
    });
    socket.once('error', (error) => fail(error.message));
    socket.once('close', () => {
      if (answer.startsWith('OKAY')) resolve(answer.slice(8));
      else fail(answer.startsWith('FAIL') ? plainLine(answer.slice(8)) : 'it hung up');
    });
  });
}

/** Lists the devices that the server on a port knows, in its order. Rejects with an `unavailable` fault. */
export async function knownDevices(port: number): Promise<readonly KnownDevice[]> {
  return parseDevices(await askAdbServer(port, 'host:devices'));
}

/** Lines of `serial TAB state`; what is none is passed over, such as a device whose serial may not be read. */
export function parseDevices(list: string): KnownDevice[] {
  return list.split('\n').flatMap((line) => {
    const [serial = '', state = '', ...rest] = line.trim().split('\t');
    const fits = /^[A-Za-z0-9[][\w.:%[\]-]{0,127}$/.test(serial) && state !== '' && rest.length === 0;
    return fits ? [{ serial, state: plainLine(state) }] : [];
  });
}

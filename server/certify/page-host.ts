import { connect, isIPv6 } from 'node:net';
import { networkInterfaces } from 'node:os';

/** Where this machine serves the test card, and by which address the browser of a device gets it. */
export interface PageHost {
  readonly listen: string;
  /** As it stands in a URL. Throws where no address is known that a driver's device could reach. */
  seenBy(driver: string): string;
}

export const LOOPBACK = '127.0.0.1';
/** The host's loopback, as an Android Emulator knows it. */
const EMULATOR_HOST = '10.0.2.2';
const ANSWER_MS_MAX = 10_000;

/** @param given an address of this machine that the user has chosen; it is taken as it is */
export function pageHost(listen: string, given: string | undefined): PageHost {
  const own = given ?? listen;
  return {
    listen: own,
    seenBy(driver) {
      if (own !== LOOPBACK || given !== undefined) return isIPv6(own) ? `[${own}]` : own;
      if (driver === 'android-emulator') return EMULATOR_HOST;
      if (driver !== 'android-adb') return own;
      throw new Error('an attached device cannot reach the loopback of its host; name an address with --page-host');
    },
  };
}

/** The address of this machine in its network, if it is in one. */
export function networkAddress(): string | undefined {
  const own = Object.values(networkInterfaces()).flatMap((addresses = []) => addresses);
  return own.find(({ family, internal }) => family === 'IPv4' && !internal)?.address;
}

/** The address of this machine by which it reaches a service: the service's devices are expected to reach it there too. */
export async function addressTowards(url: string): Promise<string> {
  const { hostname, port, protocol } = new URL(url);
  const socket = connect({
    host: hostname.replace(/^\[(.*)\]$/, '$1'),
    port: Number(port) || (protocol === 'https:' ? 443 : 80),
    timeout: ANSWER_MS_MAX,
  });
  try {
    const address = await new Promise<string>((resolve, reject) => {
      socket.once('connect', () => resolve(socket.localAddress ?? LOOPBACK));
      socket.once('error', reject);
      socket.once('timeout', () => reject(new Error(`${url} does not answer`)));
    });
    return address === '::1' || address.startsWith('127.') ? LOOPBACK : address;
  } finally {
    socket.destroy();
  }
}

import { createConnection } from 'node:net';
import { networkInterfaces } from 'node:os';

/** Connections of a machine to itself are refused or made at once. */
const CONNECT_MS = 500;

/** The first of this machine's addresses in a network under which a port takes connections; `undefined` for none. */
export async function exposedAddress(port: number): Promise<string | undefined> {
  const addresses = Object.values(networkInterfaces())
    .flatMap((list) => list ?? [])
    .filter(({ internal, address }) => !internal && !address.startsWith('fe80:'));
  const found = await Promise.all(addresses.map(async ({ address }) => ((await takes(address, port)) ? address : [])));
  return found.flat()[0];
}

function takes(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection({ host, port });
    const settle = (answer: boolean) => {
      clearTimeout(deadline);
      socket.destroy();
      resolve(answer);
    };
    const deadline = setTimeout(() => settle(false), CONNECT_MS);
    socket.once('connect', () => settle(true));
    socket.once('error', () => settle(false));
  });
}

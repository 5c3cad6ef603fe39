import { createServer } from 'node:net';
import { main } from 'appium';
import { controlReady } from '../controls/control-process.ts';

/**
 * Appium with the driver it tests itself with: the whole server, and a device that notes each action and does nothing. As
 * its guide for embedding says; the log is off because it would cost more than the request.
 * https://appium.io/docs/en/latest/
 */
const port = await freePort();
await main({ subcommand: 'server', address: '127.0.0.1', port, loglevel: 'error', useDrivers: ['fake'] });
controlReady('Appium', port);

/** Its settings have no port 0. */
function freePort() {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' ? address?.port : undefined));
    });
  });
}

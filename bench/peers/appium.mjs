import { createServer } from 'node:net';
import { main } from 'appium';
import { controlReady } from '../controls/control-process.ts';

/**
 * Appium with the fake driver of its own tests: the complete server, and a device that records each action and does nothing.
 * It is embedded as its guide says; the log is off because it would cost more than the request.
 * https://appium.io/docs/en/latest/
 */
const port = await freePort();
await main({ subcommand: 'server', address: '127.0.0.1', port, loglevel: 'error', useDrivers: ['fake'] });
controlReady('Appium', port);

/** Finds a free port, since Appium does not accept port 0. */
function freePort() {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' ? address?.port : undefined));
    });
  });
}

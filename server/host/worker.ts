import { parentPort } from 'node:worker_threads';
import { serveHost } from '../link/host-side.ts';
import { hostRows } from '../link/input-rows.ts';
import { beforeCrash, portToGateway } from '../link/worker-port.ts';
import { DevicePool } from './device-pool.ts';
import { Drivers } from './drivers.ts';
import { yieldThreadPool } from './thread-pool-priority.ts';

/** The host thread's entry: devices live here, away from the gateway's sockets. */
if (!parentPort) throw new Error('host/worker.ts runs as a worker thread');
const drivers = new Drivers({
  'android-emulator': async () => new (await import('../drivers/android/android-driver.ts')).AndroidDriver(),
  'android-adb': async () => new (await import('../drivers/android/attached/attached-driver.ts')).AttachedDriver(),
  'ios-simulator': async () => new (await import('../drivers/ios/ios-driver.ts')).IosDriver(),
});
const pool = new DevicePool(drivers);
const end = async () => {
  await pool.quiesce();
  await drivers.close();
};
// A thread that ends while a native library works on one of its pictures takes the whole process along.
beforeCrash(end);
serveHost(hostRows(portToGateway(parentPort, end)), pool);
void yieldThreadPool();

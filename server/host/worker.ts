import { parentPort } from 'node:worker_threads';
import { VirtualDevice } from '../device/virtual/virtual-device.ts';
import { serveHost } from '../link/host-side.ts';
import { portToGateway } from '../link/worker-port.ts';
import { DevicePool } from './device-pool.ts';

/** The host thread's entry: devices live here, away from the gateway's sockets. */
if (!parentPort) throw new Error('host/worker.ts runs as a worker thread');
serveHost(portToGateway(parentPort), new DevicePool((options) => VirtualDevice.open(options)));

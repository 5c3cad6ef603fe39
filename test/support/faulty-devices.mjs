// Preloaded into a service: its devices have the fault that FAULTY_DEVICE names, whatever drives them.
import { isMainThread } from 'node:worker_threads';

if (!isMainThread && process.argv[1]?.endsWith('host/boot.mjs')) {
  globalThis[Symbol.for('runcloud.sources')] = true;
  const { register } = await import('tsx/esm/api');
  register();
  const { Drivers } = await import('../../server/host/drivers.ts');
  const { withFault } = await import('./faulty-device.ts');
  Drivers.prototype.open = withFault(process.env.FAULTY_DEVICE, Drivers.prototype.open);
}

// Preloaded into a service: its virtual phones have the fault that FAULTY_DEVICE names.
import { isMainThread } from 'node:worker_threads';

if (!isMainThread && process.argv[1]?.endsWith('host/boot.mjs')) {
  const { register } = await import('tsx/esm/api');
  register();
  const { VirtualDevice } = await import('../../server/drivers/virtual/virtual-device.ts');
  const { withFault } = await import('./faulty-device.ts');
  VirtualDevice.open = withFault(process.env.FAULTY_DEVICE, VirtualDevice.open.bind(VirtualDevice));
}

// Preloaded into a service: the displays of its virtual phones are pages of Chromium.
import { isMainThread } from 'node:worker_threads';

if (!isMainThread && process.argv[1]?.endsWith('host/boot.mjs')) {
  globalThis[Symbol.for('runcloud.sources')] = true;
  const { register } = await import('tsx/esm/api');
  register();
  const { VirtualDevice } = await import('../../server/drivers/virtual/virtual-device.ts');
  const { BrowserDevice } = await import('./browser-device.ts');
  VirtualDevice.open = BrowserDevice.open;
}

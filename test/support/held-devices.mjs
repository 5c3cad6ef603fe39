// Preloaded into a server: no Android device ever becomes usable, and its sessions stay `starting`.
import { isMainThread, parentPort } from 'node:worker_threads';

const isHeld = ({ kind, options }) => kind === 'open' && options.platform === 'android';

if (!isMainThread) {
  const listen = parentPort.on.bind(parentPort);
  parentPort.on = (event, listener) =>
    listen(
      event,
      event === 'message'
        ? (batch) => listener(Array.isArray(batch) ? batch.filter((message) => !isHeld(message)) : batch)
        : listener,
    );
}

// Preloaded into a server: its other threads fail as bugs would make them, the devices' by certain actions.
import fs from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { isMainThread, parentPort } from 'node:worker_threads';

if (!isMainThread) {
  // The finisher alone renames files.
  fs.rename = async (from) => {
    throw new TypeError(`broken finisher: ${from}`);
  };
  syncBuiltinESMExports();
  const listen = parentPort.on.bind(parentPort);
  parentPort.on = (event, listener) =>
    listen(
      event,
      event === 'message' ? (batch) => listener(Array.isArray(batch) ? batch.map(spoil) : batch) : listener,
    );
}

function spoil(message) {
  const action = message.request?.action;
  if (action === 'rotate') throw new Error('broken thread');
  if (action !== 'reload') return message;
  const request = {
    get action() {
      throw new TypeError('broken device');
    },
  };
  return { ...message, request };
}

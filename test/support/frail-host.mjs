// A host thread that dies in the way that its first message asks for.
import { parentPort } from 'node:worker_threads';

parentPort.on('message', (batch) => {
  for (const { kind, call } of batch) {
    if (kind === 'releaseAll') parentPort.postMessage([{ kind: 'answer', call, value: undefined }]);
    if (kind === 'close') process.exit(3);
    if (kind === 'inspect') throw new Error(`broken in ${import.meta.url}`);
    // A screenshot is never answered.
  }
});

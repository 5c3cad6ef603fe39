// Programs and threads under test are to start as those of a user do, without all that a test file loads before itself.
import { syncBuiltinESMExports } from 'node:module';
import threads from 'node:worker_threads';
import processOnSpawn from 'process-on-spawn';

// tap has every child process load a reporter of its own, for coverage, which nobody takes here. It costs each of them
// a third of a second, and handles signals.
processOnSpawn.removeAllListeners();
delete process.env.NODE_OPTIONS;

// A thread takes over the options of its process: tap's reporter, and a loader of TypeScript with one more thread, for
// code that has been bundled. A thread that needs TypeScript asks for it by itself.
const { Worker } = threads;
threads.Worker = class extends Worker {
  constructor(file, options) {
    super(file, { execArgv: [], ...options });
  }
};
syncBuiltinESMExports();

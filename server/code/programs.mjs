/** The programs and threads of the service, by the names that `load` knows, with their sources from the folder `server`. */
export const PROGRAMS = {
  main: 'main.ts',
  admin: 'admin.ts',
  fleet: 'fleet-command.ts',
  host: 'host/worker.ts',
  writer: 'host/recording/writer-worker.ts',
  finisher: 'finisher/worker.ts',
  log: 'store/log-worker.ts',
  history: 'history/worker.ts',
  agents: 'agents/worker.ts',
  webdriver: 'webdriver/worker.ts',
  packages: 'packages/package-thread.ts',
  unpack: 'archive/unpack.ts',
};

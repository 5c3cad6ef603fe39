import { Worker } from 'node:worker_threads';

/**
 * Starts a worker thread from a TypeScript file. Threads of Node.js 20 do not inherit the loader hooks of the process, so the
 * thread registers them before it loads the file.
 */
export function startThread(file: URL, workerData?: unknown): Worker {
  const loader = import.meta.resolve('tsx/esm/api');
  const source = `import(${JSON.stringify(loader)}).then(({ register }) => {
    register();
    return import(${JSON.stringify(file.href)});
  });`;
  return new Worker(source, { eval: true, workerData });
}

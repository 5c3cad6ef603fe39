import { Worker } from 'node:worker_threads';

/**
 * Starts a worker thread from a TypeScript file. Node.js 20 does not hand the process's loader hooks on to its threads,
 * so the thread registers them itself before it loads the file.
 */
export function startThread(file: URL, workerData?: unknown): Worker {
  const loader = import.meta.resolve('tsx/esm/api');
  const source = `import(${JSON.stringify(loader)}).then(({ register }) => {
    register();
    return import(${JSON.stringify(file.href)});
  });`;
  return new Worker(source, { eval: true, workerData });
}

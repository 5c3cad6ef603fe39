import { execFile } from 'node:child_process';

export interface Run {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export const admin = (dataDir: string, ...args: string[]): Promise<Run> =>
  adminWith({ RUNCLOUD_DATA_DIR: dataDir }, ...args);

/** @param environment more variables of it */
export function adminWith(environment: NodeJS.ProcessEnv, ...args: string[]): Promise<Run> {
  const env = { ...process.env, ...environment };
  return new Promise((resolve) => {
    execFile(process.execPath, ['server/run.mjs', 'admin', ...args], { env }, (error, stdout, stderr) => {
      resolve({ code: typeof error?.code === 'number' ? error.code : error ? -1 : 0, stdout, stderr });
    });
  });
}

/** The one JSON document that it printed. */
export const json = (run: Run): Record<string, unknown> => JSON.parse(run.stdout);

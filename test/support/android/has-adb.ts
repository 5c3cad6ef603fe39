import { spawnSync } from 'node:child_process';

/** Whether Android's drivers can be tested here; where everything has to be tested, the absence is a failure. */
export const hasAdb = process.env.CI !== undefined || spawnSync('adb', ['version']).status === 0;

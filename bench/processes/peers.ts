import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The folder of the peers' package, in which Appium finds its driver. */
export const PEERS_HOME = fileURLToPath(new URL('../peers', import.meta.url));
/** The command that installs the peers. */
export const PEERS_COMMAND = 'npm run bench:peers';

/** Whether the peers are installed; npm writes this file last. */
export const peersInstalled = (): boolean => existsSync(`${PEERS_HOME}/node_modules/.package-lock.json`);

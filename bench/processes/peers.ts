import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The folder of the peers' own package; Appium finds its driver there. */
export const PEERS_HOME = fileURLToPath(new URL('../peers', import.meta.url));
/** What installs it. */
export const PEERS_COMMAND = 'npm run bench:peers';

/** Whether the peers are installed; npm writes this file last. */
export const peersInstalled = (): boolean => existsSync(`${PEERS_HOME}/node_modules/.package-lock.json`);

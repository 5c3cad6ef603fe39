import { readdirSync } from 'node:fs';

/** The whole suite that holds for every driver, on stand-ins of simulators that are reached through idb_companion. */
process.env.CONFORMANCE_DRIVER = 'ios-simulator-idb';

const folder = new URL('../conformance/', import.meta.url);
const files = readdirSync(folder).filter((name) => name.endsWith('.test.ts'));
for (const file of files) await import(new URL(file, folder).href);

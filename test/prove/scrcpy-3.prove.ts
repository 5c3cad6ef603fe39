import { readdirSync } from 'node:fs';

/** The whole suite that holds for every driver, on stand-ins of devices with scrcpy's server of version 3.3.4. */
process.env.CONFORMANCE_DRIVER = 'android-scrcpy-3.3.4';

const folder = new URL('../conformance/', import.meta.url);
const files = readdirSync(folder).filter((name) => name.endsWith('.test.ts'));
for (const file of files) await import(new URL(file, folder).href);

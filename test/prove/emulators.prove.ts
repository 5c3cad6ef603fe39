import { readdirSync } from 'node:fs';

/** The whole suite that holds for every driver, on stand-ins of emulators behind the real adb server. */
process.env.CONFORMANCE_DRIVER = 'android-emulator';

const folder = new URL('../conformance/', import.meta.url);
const files = readdirSync(folder).filter((name) => name.endsWith('.test.ts'));
for (const file of files) await import(new URL(file, folder).href);

import t from 'tap';
import { hasAdb } from '../support/android/has-adb.ts';

/** A part of the suite that holds for every driver, on a stand-in with scrcpy's server; `npm run prove` runs the whole. */
process.env.CONFORMANCE_DRIVER = 'android-scrcpy-4.1';

if (hasAdb) await import('../conformance/live-gesture.test.ts');
else t.test("the suite on scrcpy's server", { skip: 'NO ADB: Android devices are NOT tested' }, async () => undefined);

import t from 'tap';
import { hasAdb } from '../support/android/has-adb.ts';

/** A part of the suite that holds for every driver, on a stand-in of an emulator; `npm run prove` runs the whole. */
process.env.CONFORMANCE_DRIVER = 'android-emulator';

if (hasAdb) for (const file of ['live-gesture', 'observed']) await import(`../conformance/${file}.test.ts`);
else
  t.test('the suite on the Android driver', { skip: 'NO ADB: Android devices are NOT tested' }, async () => undefined);

/** What of the suite is written for devices that adb alone serves: touches, and every refusal. */
process.env.CONFORMANCE_DRIVER = 'android-adb';

for (const file of ['touch', 'unsupported']) await import(`../conformance/${file}.test.ts`);

/** The part of the suite for devices with adb alone: touches, what they change, and every refusal. */
process.env.CONFORMANCE_DRIVER = 'android-adb';

for (const file of ['touch', 'unsupported', 'observed']) await import(`../conformance/${file}.test.ts`);

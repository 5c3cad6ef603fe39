import t from 'tap';
import { hasAdb } from '../support/android/has-adb.ts';
import { floodLog } from '../support/log-flood.ts';

const SECONDS = 5;
const GROWN_BYTES_MAX = 64 * 2 ** 20;

t.test(
  'a device that logs 10,000 lines a second has each of them told once, or counted as lost',
  { timeout: 200_000, skip: hasAdb ? false : 'NO ADB: Android devices are NOT tested' },
  async (t) => {
    const { written, told, lost, faults, grownBytes, tapsMs } = await floodLog(SECONDS);
    t.equal(written, SECONDS * 10_000);
    t.same(faults.slice(0, 5), []);
    // Lines of others may be among the lost ones.
    t.ok(lost === 0 ? told === written : told + lost >= written, `${told} told, ${lost} lost`);
    t.ok(told > 0 && tapsMs.length > 0);
    t.ok(grownBytes < GROWN_BYTES_MAX, `${grownBytes} bytes`);
  },
);

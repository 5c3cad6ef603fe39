import t from 'tap';
import { percentile } from '../screen/link-simulator.ts';
import { hasAdb } from '../support/android/has-adb.ts';
import { floodLog } from '../support/log-flood.ts';

/** `PROVE_LOG_SECONDS` makes it shorter or longer. A machine that does nothing else is needed: percentiles are compared. */
const SECONDS = Number(process.env.PROVE_LOG_SECONDS ?? 60);
const TIMES = 1.2;
/** The machine has other moments of its own: the middle one of so many windows counts. */
const WINDOWS = 9;
const GROWN_BYTES_MAX = 64 * 2 ** 20;

const inWindows = (times: readonly number[]): (readonly number[])[] =>
  Array.from({ length: WINDOWS }, (_, window) =>
    times.slice((window * times.length) / WINDOWS, ((window + 1) * times.length) / WINDOWS),
  );

t.test(
  'a device that logs 10,000 lines a second has each of them told once, and slows down no tap',
  { timeout: 600_000, skip: hasAdb ? false : 'NO ADB: Android devices are NOT tested' },
  async (t) => {
    const { written, tookMs, told, lost, faults, grownBytes, tapsMs, elsewhereMs } = await floodLog(SECONDS);
    t.comment(
      `${written} lines in ${tookMs} ms: ${told} told, ${lost} lost; ${Math.round(grownBytes / 2 ** 20)} MiB more`,
    );
    t.equal(written, SECONDS * 10_000);
    t.same(faults.slice(0, 5), []);
    // Lines of others may be among the lost ones.
    t.ok(lost === 0 ? told === written : told + lost >= written, `${told} told, ${lost} lost`);
    t.ok(lost < written / 100, `${lost} lost by a reader that keeps up`);
    t.ok(grownBytes < GROWN_BYTES_MAX, `${grownBytes} bytes`);
    const p99s = [tapsMs, elsewhereMs].map((times) => inWindows(times).map((one) => percentile(one, 0.99)));
    const ratios = p99s[0]?.map((own, window) => own / (p99s[1]?.[window] ?? 0)) ?? [];
    const times = percentile(ratios, 0.5);
    const told99 = ratios.map((_, window) => p99s.map((each) => each[window]?.toFixed(2)).join('/')).join(', ');
    t.ok(times <= TIMES, `${times.toFixed(2)} times: p99 of ${tapsMs.length} taps, here/elsewhere, ${told99} ms`);
  },
);

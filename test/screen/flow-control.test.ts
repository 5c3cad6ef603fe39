import fc from 'fast-check';
import t from 'tap';
import { FlowControl, SCREEN_BUFFERED_BYTES_MAX } from '../../server/screen/flow-control.ts';
import { bytesOf, delays, type Link, percentile, type Source, simulate, undecodable } from './link-simulator.ts';

const MBITS = [0.5, 2, 10, 50];
const ONE_WAY_MS = [1, 50, 300];
/** Excluded from the judgement, because the slowest link needs a second for each of the first pictures. */
const WARM_UP_MS = 15_000;
const LENGTH_MS = 45_000;

/** Pictures of changing sizes around a mean. */
const around = (mean: number) => (ms: number) => mean * (0.7 + 0.6 * Math.abs(Math.sin(ms * 12.9898)));
const jpeg = (mean: number): Source => ({ encoding: 'jpeg', fps: 60, bytes: around(mean) });
const h264 = (keyBytes: number, mean: number): Source => ({
  encoding: 'h264',
  fps: 60,
  bytes: (ms, key) => (key ? keyBytes : around(mean)(ms)),
});
const steady = (mbits: number, oneWayMs: number): Link => ({ mbits: () => mbits, oneWayMs });

const SOURCES: readonly (readonly [string, Source])[] = [
  ['JPEG of 50 KB', jpeg(50_000)],
  ['JPEG of 150 KB', jpeg(150_000)],
  ['H.264 of 1.2 Mbit/s', h264(60_000, 2_500)],
  ['H.264 of 4 Mbit/s', h264(100_000, 8_000)],
];

for (const mbits of MBITS) {
  for (const oneWayMs of ONE_WAY_MS) {
    t.test(`${mbits} Mbit/s and ${oneWayMs} ms: the delay stays bounded and does not grow`, async (t) => {
      for (const [name, source] of SOURCES) {
        const { arrivals, keysAsked } = simulate(steady(mbits, oneWayMs), source, LENGTH_MS);
        const settledArrivals = arrivals.filter(({ capturedMs }) => capturedMs > WARM_UP_MS);
        const largest = Math.max(...settledArrivals.map(({ bytes }) => bytes));
        const transmissionMs = (largest * 8) / mbits / 1_000;
        const boundMs = 2 * transmissionMs + 2 * oneWayMs + 150;
        const p95 = percentile(delays(settledArrivals), 0.95);
        t.ok(p95 <= boundMs, `${name}: p95 ${p95.toFixed()} ms, bound ${boundMs.toFixed()} ms`);
        const half = Math.floor(settledArrivals.length / 2);
        const [early, late] = [settledArrivals.slice(0, half), settledArrivals.slice(half)].map((some) =>
          percentile(delays(some), 0.95),
        );
        t.ok(
          (late ?? 0) <= (early ?? 0) * 1.3 + 50,
          `${name}: it was ${early?.toFixed()} ms and is ${late?.toFixed()} ms`,
        );

        const seconds = (LENGTH_MS - WARM_UP_MS) / 1_000;
        const used = (bytesOf(settledArrivals) * 8) / seconds / 1e6;
        const offered = (source.bytes(0, false) * 60 * 8) / 1e6;
        // A viewer that cannot take a delta stream waits for a key picture each time: its link idles meanwhile.
        const share = source.encoding === 'h264' ? 0.4 : 0.6;
        if (offered > mbits) t.ok(used > mbits * share, `${name}: ${((used / mbits) * 100).toFixed()} % of the link`);
        if (source.encoding === 'h264') {
          t.equal(undecodable(arrivals), undefined, `${name}: every packet can be decoded`);
          t.equal(arrivals[0]?.key, true);
          if (offered * 1.5 < mbits) t.ok(keysAsked <= 4, `${name}: ${keysAsked} keys`);
        }
      }
    });
  }
}

t.test('after a stall of seconds a fresh picture comes within two round trips and a few packets', async (t) => {
  for (const stallMs of [1_000, 5_000]) {
    for (const mbits of [2, 10, 50]) {
      for (const oneWayMs of ONE_WAY_MS) {
        const endMs = 20_000 + stallMs;
        const link: Link = { mbits: (ms) => (ms >= 20_000 && ms < endMs ? 0 : mbits), oneWayMs };
        for (const source of [jpeg(30_000), h264(60_000, 2_000)]) {
          const { arrivals } = simulate(link, source, endMs + 10_000);
          const fresh = arrivals.find(({ capturedMs }) => capturedMs >= endMs);
          const packetMs = (Math.max(...arrivals.map(({ bytes }) => bytes)) * 8) / mbits / 1_000;
          // A stall is noticed a round trip late: what was sent until then arrives first, then the picture comes.
          const boundMs = 4 * oneWayMs + 3 * packetMs + 250;
          const tookMs = (fresh?.arrivedMs ?? Number.POSITIVE_INFINITY) - endMs;
          const what = `${source.encoding}, ${stallMs} ms at ${mbits} Mbit/s, ${oneWayMs} ms`;
          t.ok(tookMs <= boundMs, `${what}: ${tookMs} ms, bound ${boundMs.toFixed()} ms`);
          t.equal(undecodable(arrivals), undefined);
        }
      }
    }
  }
});

/** Delays the reports of acknowledgements now and then, by up to this time. */
const heldUp =
  (holdMaxMs: number) =>
  (ms: number): number => {
    const startMs = Math.floor(ms / 500) * 500;
    return Math.max(0, startMs + holdMaxMs * Math.abs(Math.sin(startMs)) - ms);
  };

t.test('a link that deltas fill to four fifths is served in full again, seconds after a stall', async (t) => {
  const source = h264(40_000, 3_300);
  for (const stallMs of [300, 1_000, 3_000]) {
    for (const atMs of [10_000, 10_013, 10_170, 10_900]) {
      const stalls = (ms: number) => ms >= atMs && ms < atMs + stallMs;
      // Every third of a second something is lost, and what comes behind it is heard of a round trip later.
      const heardLateMs = (ms: number) => ((ms + atMs) % 333 < 20 ? 50 : 0);
      const link: Link = { mbits: (ms) => (stalls(ms) ? 0 : 2), oneWayMs: 25, heardLateMs };
      const { arrivals } = simulate(link, source, atMs + stallMs + 6_000);
      const fromMs = atMs + stallMs + 2_000;
      const after = arrivals.filter(({ capturedMs }) => capturedMs >= fromMs && capturedMs < fromMs + 2_000);
      t.ok(after.length >= 110, `${stallMs} ms at ${atMs}: ${after.length} pictures in two seconds`);
      t.notOk(
        after.some(({ key }) => key),
        'none of them a key picture',
      );
    }
  }
});

t.test(
  'a stream that keeps to a link too slow for it has few key pictures, little delay, and uses the link',
  async (t) => {
    for (const [mbits, oneWayMs] of [
      [0.5, 50],
      [1, 25],
      [1, 150],
      [1.4, 5],
    ] as const) {
      const source: Source = { ...h264(38_000, 3_300), keepsToLink: true };
      const { arrivals } = simulate(steady(mbits, oneWayMs), source, LENGTH_MS);
      const settled = arrivals.filter(({ capturedMs }) => capturedMs > 5_000);
      const keyShare = bytesOf(settled.filter(({ key }) => key)) / bytesOf(settled);
      const p95 = percentile(delays(settled), 0.95);
      const used = (bytesOf(settled) * 8) / ((LENGTH_MS - 5_000) / 1_000) / 1e6 / mbits;
      const name = `${mbits} Mbit/s, ${oneWayMs} ms`;
      t.ok(keyShare <= 0.1, `${name}: ${(keyShare * 100).toFixed(1)} % of the bytes are key pictures`);
      t.ok(p95 <= oneWayMs + 300, `${name}: p95 ${p95.toFixed()} ms`);
      t.ok(used >= 0.8, `${name}: ${(used * 100).toFixed()} % of the link`);
      t.equal(undecodable(arrivals), undefined);
    }
  },
);

t.test('a long way alone costs no pictures after the second round trip, held-up acknowledgements or not', async (t) => {
  for (const oneWayMs of ONE_WAY_MS) {
    for (const holdMaxMs of [0, 40, 120]) {
      const link: Link = { mbits: () => 200, oneWayMs, heardLateMs: heldUp(holdMaxMs) };
      const { arrivals, keysAsked } = simulate(link, h264(25_000, 3_600), 12_000);
      const later = arrivals.filter(({ capturedMs }) => capturedMs >= 4 * oneWayMs + 300 && capturedMs < 10_000);
      const rate = (later.length * 1_000) / (10_000 - 4 * oneWayMs - 300);
      const what = `${oneWayMs} ms, held up for ${holdMaxMs} ms`;
      t.ok(rate > 57, `${what}: ${rate.toFixed(1)} pictures a second`);
      t.ok(keysAsked <= 3, `${what}: ${keysAsked} keys`);
    }
  }
});

t.test('a link that becomes twenty times slower is followed down, and up again', async (t) => {
  for (const oneWayMs of [1, 50]) {
    for (const source of [jpeg(50_000), h264(60_000, 8_000)]) {
      const link: Link = { mbits: (ms) => (ms >= 15_000 && ms < 45_000 ? 0.5 : 10), oneWayMs };
      const { arrivals } = simulate(link, source, 75_000);
      const within = (fromMs: number, toMs: number) =>
        arrivals.filter(({ capturedMs }) => capturedMs > fromMs && capturedMs < toMs);
      const largest = Math.max(...arrivals.map(({ bytes }) => bytes));
      const p95 = percentile(delays(within(30_000, 44_000)), 0.95);
      const boundMs = (2 * largest * 8) / 0.5 / 1_000 + 2 * oneWayMs + 150;
      t.ok(p95 <= boundMs, `${source.encoding}: ${p95.toFixed()} ms while slow, bound ${boundMs.toFixed()} ms`);
      const used = (bytesOf(within(60_000, 74_000)) * 8) / 14e6;
      const offered = Math.min(10, (source.bytes(0, false) * 480) / 1e6);
      t.ok(used > offered * 0.6, `${source.encoding}: ${used.toFixed(1)} of ${offered.toFixed(1)} Mbit/s afterwards`);
    }
  }
});

t.test('the last picture before a still screen arrives, on every link', async (t) => {
  for (const mbits of MBITS) {
    for (const oneWayMs of ONE_WAY_MS) {
      for (const [name, source] of SOURCES) {
        const run = simulate(steady(mbits, oneWayMs), { ...source, untilMs: 5_000 }, 20_000);
        t.equal(run.arrivals.at(-1)?.index, run.captured - 1, `${name} at ${mbits} Mbit/s, ${oneWayMs} ms`);
      }
    }
  }
});

t.test('on any link, packets that arrive can be decoded and the last picture arrives', async () => {
  const links = fc.record({
    mbits: fc.double({ min: 0.3, max: 60, noNaN: true }),
    oneWayMs: fc.integer({ min: 1, max: 300 }),
    stalls: fc.array(fc.tuple(fc.integer({ min: 0, max: 8_000 }), fc.integer({ min: 50, max: 3_000 })), {
      maxLength: 3,
    }),
  });
  fc.assert(
    fc.property(
      links,
      fc.constantFrom('jpeg', 'h264'),
      fc.integer({ min: 500, max: 60_000 }),
      (link, encoding, mean) => {
        const stands = (ms: number) => link.stalls.some(([fromMs, lengthMs]) => ms >= fromMs && ms < fromMs + lengthMs);
        const source: Source = {
          encoding: encoding as 'jpeg' | 'h264',
          fps: 60,
          bytes: (ms, key) => around(key ? mean * 4 : mean)(ms),
          untilMs: 8_000,
        };
        const mbits = (ms: number) => (stands(ms) ? 0 : link.mbits);
        const { arrivals, captured } = simulate({ mbits, oneWayMs: link.oneWayMs }, source, 60_000);
        const inOrder = arrivals.every(({ seq }, place) => seq === place + 1);
        return inOrder && arrivals.at(-1)?.index === captured - 1 && (encoding === 'jpeg' || !undecodable(arrivals));
      },
    ),
    { numRuns: 40 },
  );
});

const PICTURE = { delta: false, bufferedBytes: 0 };

t.test('one packet may always be on its way, and a viewer that never acknowledges is sent one picture', async (t) => {
  const flow = new FlowControl();
  t.equal(flow.waitMs(0, PICTURE), 0);
  flow.sent(1, 1_000_000, 0);
  for (const nowMs of [1, 1_000, 100_000]) t.equal(flow.waitMs(nowMs, PICTURE), Number.POSITIVE_INFINITY);
  flow.acknowledged(1, 200_000);
  t.equal(flow.waitMs(200_000, PICTURE), 0);
});

t.test('of deltas a viewer that has not acknowledged anything yet is sent a small share', async (t) => {
  const flow = new FlowControl();
  flow.sent(1, 100_000, 0);
  let bytes = 0;
  for (let seq = 2; flow.waitMs(seq, { delta: true, bufferedBytes: 0 }) === 0; seq++) {
    flow.sent(seq, 5_000, seq);
    bytes += 5_000;
  }
  t.ok(bytes >= 40_000 && bytes <= 55_000, `${bytes} bytes`);
});

t.test('while the process itself holds bytes for the client nothing is added', async (t) => {
  const flow = new FlowControl();
  t.equal(flow.waitMs(0, { delta: false, bufferedBytes: SCREEN_BUFFERED_BYTES_MAX }), 0);
  const bufferedBytes = SCREEN_BUFFERED_BYTES_MAX + 1;
  t.equal(flow.waitMs(0, { delta: false, bufferedBytes }), Number.POSITIVE_INFINITY);
});

t.test('acknowledgements of what was never sent, or twice, change nothing', async (t) => {
  const flow = new FlowControl();
  flow.sent(1, 1_000, 0);
  flow.acknowledged(2, 10);
  t.equal(flow.unacknowledgedBytes, 1_000);
  flow.acknowledged(1, 10);
  flow.acknowledged(1, 11);
  flow.acknowledged(0, 12);
  t.equal(flow.unacknowledgedBytes, 0);
});

t.test('one acknowledgement stands for all packets before it', async (t) => {
  const flow = new FlowControl();
  for (const seq of [1, 2, 3]) flow.sent(seq, 1_000, seq);
  flow.acknowledged(2, 20);
  t.equal(flow.unacknowledgedBytes, 1_000);
});

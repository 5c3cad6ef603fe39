import t from 'tap';
import { PacketTrain } from '../../server/screen/packet-train.ts';

/** Packets of 1,000 bytes; the rate that the last of them shows. */
function lastRate(packets: readonly (readonly [sentAtMs: number, heardAtMs: number])[]): number {
  const train = new PacketTrain();
  let rate = 0;
  for (const [place, [sentAtMs, heardAtMs]] of packets.entries()) {
    rate = train.arrived(sentAtMs, heardAtMs, (place + 1) * 1_000);
  }
  return rate;
}

const every = (count: number, sentEachMs: number, heardEachMs: number, wayMs: number) =>
  Array.from({ length: count }, (_, place) => [place * sentEachMs, wayMs + place * heardEachMs] as const);

t.test('the length of the way does not count', async (t) => {
  for (const wayMs of [1, 50, 5_000]) t.equal(lastRate(every(50, 10, 10, wayMs)), 100);
});

t.test('packets that arrive further apart than they were sent show the link, at any length', async (t) => {
  t.equal(lastRate(every(50, 10, 40, 100)), 25);
});

t.test('acknowledgements that come all at once show no more than was sent', async (t) => {
  t.equal(lastRate(every(50, 10, 0, 600)), 100);
});

t.test('too few packets, and packets with a pause between them, show nothing', async (t) => {
  t.equal(lastRate(every(1, 10, 10, 10)), 0);
  t.equal(lastRate(every(10, 10, 10, 10)), 0);
  t.equal(lastRate(every(3, 2_000, 2_000, 10)), 0);
});

t.test('old measurements are forgotten', async (t) => {
  const quick = every(100, 1, 1, 10);
  const slow = every(30, 20, 20, 10).map(([sentAtMs, heardAtMs]) => [sentAtMs + 100, heardAtMs + 100] as const);
  t.equal(lastRate([...quick, ...slow]), 50);
});

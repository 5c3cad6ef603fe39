import t from 'tap';
import { LinkEstimate } from '../../server/screen/link-estimate.ts';

const delivery = (bytes: number, sentAtMs: number, rttMs: number, deliveryRate = 1, limited = true, trainRate = 0) => ({
  bytes,
  sentAtMs,
  rttMs,
  deliveryRate,
  trainRate,
  limited,
});

t.test(
  'nothing is known before the first acknowledgement; a lone packet shows the least that the link can do',
  async (t) => {
    const link = new LinkEstimate();
    t.notOk(link.known);
    t.equal(link.transmissionMs(1_000_000), 0);
    link.measured(delivery(10_000, 0, 100), 100);
    t.ok(link.known);
    t.equal(link.transmissionMs(10_000), 100);
    t.equal(link.propagationMs, 0);
  },
);

t.test('a small packet after a large one tells the rate from the distance', async (t) => {
  const link = new LinkEstimate();
  link.measured(delivery(100_000, 0, 700), 700);
  link.measured(delivery(1_000, 100, 601, 1, false), 701);
  t.equal(Math.round(link.transmissionMs(99_000)), 99);
  t.equal(Math.round(link.propagationMs), 600);
});

t.test('while packets are quick and the link is wanted the rate is probed upwards, otherwise it stays', async (t) => {
  const link = new LinkEstimate();
  link.measured(delivery(10_000, 0, 100), 100);
  link.measured(delivery(10_000, 200, 100, 100, false), 300);
  t.equal(link.transmissionMs(10_000), 100);
  link.measured(delivery(10_000, 300, 100), 400);
  t.equal(link.transmissionMs(10_000), 50);
});

t.test('a slow packet lowers the rate to what was delivered, once for each change', async (t) => {
  const link = new LinkEstimate();
  link.measured(delivery(10_000, 0, 100), 100);
  link.measured(delivery(10_000, 150, 300, 50), 450);
  t.equal(link.transmissionMs(10_000), 200);
  link.measured(delivery(10_000, 160, 400, 10), 560);
  t.equal(link.transmissionMs(10_000), 200, 'it was sent before the change');
});

t.test('a stall does not make the rate forget more than three quarters', async (t) => {
  const link = new LinkEstimate();
  link.measured(delivery(10_000, 0, 100), 100);
  link.measured(delivery(10_000, 150, 5_000, 2), 5_150);
  t.equal(link.transmissionMs(10_000), 400);
});

t.test('a route that has become longer is believed after a while', async (t) => {
  const link = new LinkEstimate();
  link.measured(delivery(1, 0, 10), 10);
  for (let nowMs = 1_000; nowMs < 30_000; nowMs += 100) link.measured(delivery(1, nowMs - 60, 60, 1, false), nowMs);
  t.ok(link.queuedMs({ bytes: 1, rttMs: 60 }) < 5);
});

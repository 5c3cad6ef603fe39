import t from 'tap';
import type { JournalEntry } from '../../server/capture/journal.ts';
import { Timeline } from '../../server/finisher/timeline.ts';

const sample = (atUs: number, crc: number): JournalEntry => ({ kind: 'sample', atUs, key: false, bytes: 10, crc });
const alive = (atUs: number): JournalEntry => ({ kind: 'alive', atUs });
/** A sample of the part file; 90 ticks are a millisecond. */
const found = (atMs: number, crc: number, bytes = 10) => ({ atTicks: atMs * 90, durationTicks: 900, bytes, crc });

t.test("the journal's times count, whatever the part file says, and so does its last word on the end", async (t) => {
  const timeline = new Timeline([sample(0, 1), sample(16_667, 2), alive(500_000), alive(9_000_123)]);
  t.equal(timeline.place(found(0, 1)), 0);
  t.equal(timeline.place(found(70, 2)), 16_667);
  t.strictSame(timeline.end(), { endUs: 9_000_123, lostTailUs: 0 });
});

t.test('a part file that ends early is shown until its next picture would have come', async (t) => {
  const timeline = new Timeline([sample(0, 1), sample(100_000, 2), sample(200_000, 3), alive(450_000)]);
  t.equal(timeline.place(found(0, 1)), 0);
  t.strictSame(timeline.end(), { endUs: 100_000, lostTailUs: 350_000 });
});

t.test('a part file that goes on after the journal is believed', async (t) => {
  const timeline = new Timeline([sample(0, 1)]);
  t.equal(timeline.place(found(0, 1)), 0);
  t.equal(timeline.place(found(40, 2)), 40_000);
  t.strictSame(timeline.end(), { endUs: 50_000, lostTailUs: 0 });
});

t.test('a part file without a journal tells its own times', async (t) => {
  const timeline = new Timeline([]);
  t.strictSame([timeline.place(found(0, 1)), timeline.place(found(25, 2))], [0, 25_000]);
  t.strictSame(timeline.end(), { endUs: 35_000, lostTailUs: 0 });
});

t.test('a sample of another size or other bytes ends what counts', async (t) => {
  for (const other of [found(10, 99), found(10, 2, 11)]) {
    const timeline = new Timeline([sample(0, 1), sample(10_000, 2), alive(20_000)]);
    timeline.place(found(0, 1));
    t.equal(timeline.place(other), undefined);
    t.strictSame(timeline.end(), { endUs: 10_000, lostTailUs: 10_000 });
  }
});

t.test('time that does not rise ends what counts', async (t) => {
  const timeline = new Timeline([]);
  t.equal(timeline.place(found(0, 1)), 0);
  t.equal(timeline.place(found(0, 2)), undefined);
});

t.test('the last picture lasts a tick at least', async (t) => {
  const timeline = new Timeline([sample(0, 1)]);
  timeline.place(found(0, 1));
  t.strictSame(timeline.end(), { endUs: 12, lostTailUs: 0 });
});

import t from 'tap';
import { collectYoung, YoungPackets } from '../../server/link/young-packets.ts';
import { settled } from '../support/fake-clock.ts';

const MEGABYTE = 1_048_576;

t.test('a thread that receives packets collects its young objects every few megabytes', (t) => {
  let collections = 0;
  const packets = new YoungPackets(() => collections++);
  for (let count = 0; count < 3; count++) packets.received(MEGABYTE);
  t.equal(collections, 0);
  packets.received(MEGABYTE);
  t.equal(collections, 1);
  packets.received(5 * MEGABYTE);
  t.equal(collections, 2, 'one for a packet that is longer than what is waited for');
  for (let count = 0; count < 41; count++) packets.received(100_000);
  t.equal(collections, 2);
  packets.received(100_000);
  t.equal(collections, 3);
  t.end();
});

t.test('a collection frees the memory of packets that nobody holds', async (t) => {
  const packets = 16;
  const make = () => new Uint8Array(new ArrayBuffer(MEGABYTE));
  const before = process.memoryUsage().arrayBuffers;
  for (let count = 0; count < packets; count++) make();
  collectYoung();
  // Another thread frees it meanwhile; the next collection counts it.
  await settled();
  collectYoung();
  const left = process.memoryUsage().arrayBuffers - before;
  t.ok(left < (packets * MEGABYTE) / 4, `${left} of ${packets * MEGABYTE} bytes`);
  t.notOk('gc' in globalThis, 'no code of the service has it otherwise');
});

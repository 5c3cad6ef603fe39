import t from 'tap';
import {
  CARD_BYTES,
  decodeReadings,
  encodeReadings,
  type Readings,
  textHash,
} from '../../server/test-card/readings.ts';

const READINGS: Readings = {
  nonce: 201,
  visits: 3,
  taps: 513,
  doubleTaps: 2,
  longPresses: 4,
  swipes: 5,
  pairs: 6,
  cancels: 7,
  fingersDown: 2,
  keys: 65_535,
  lastKey: 255,
  modifiers: 9,
  textLength: 1_000,
  textHash: 0xfedcba98,
  grain: 3,
};

t.test('readings are read back from their bytes', (t) => {
  const bytes = encodeReadings(READINGS);
  t.equal(bytes.length, CARD_BYTES);
  t.same(decodeReadings(bytes), READINGS);
  t.end();
});

t.test('a single wrong bit makes them unreadable', (t) => {
  const bytes = encodeReadings(READINGS);
  for (let bit = 0; bit < bytes.length * 8; bit++) {
    const wrong = Uint8Array.from(bytes);
    wrong[bit >> 3] = (wrong[bit >> 3] ?? 0) ^ (1 << (bit & 7));
    t.equal(decodeReadings(wrong), undefined, `bit ${bit}`);
  }
  t.equal(decodeReadings(bytes.subarray(1)), undefined);
  t.end();
});

t.test('the hash of a text tells one from another', (t) => {
  t.equal(textHash(''), 0x811c9dc5);
  t.equal(new Set(['a', 'b', 'ab', 'ba', 'é', '漢'].map(textHash)).size, 6);
  t.end();
});

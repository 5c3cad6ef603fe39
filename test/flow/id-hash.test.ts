import t from 'tap';
import { hashOfId } from '../../server/flow/id-hash.ts';

t.test('an id has one hash, a whole number of 32 bits', (t) => {
  for (const id of ['', 'a', 'r-1', 'x'.repeat(128)]) {
    t.equal(hashOfId(id), hashOfId(id));
    t.equal(hashOfId(id), hashOfId(id) | 0);
  }
  t.end();
});

t.test('ids that are counted up spread over the low bits, by which they are found', (t) => {
  for (const prefix of ['', 'tap-', 'req_0000000000000000000']) {
    const cells = new Uint16Array(4_096);
    for (let index = 0; index < 4_096; index++) {
      const cell = hashOfId(prefix + index) & 4_095;
      cells[cell] = (cells[cell] as number) + 1;
    }
    // By chance alone a bit more than a third of the cells stays free, and the fullest has about 7.
    t.ok(cells.filter((count) => count === 0).length < 4_096 * 0.45, `free after "${prefix}"`);
    t.ok(Math.max(...cells) < 14, `the fullest after "${prefix}"`);
  }
  t.end();
});

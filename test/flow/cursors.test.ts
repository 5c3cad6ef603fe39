import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import t from 'tap';
import { Cursors } from '../../server/flow/cursors.ts';

const cursors = new Cursors(randomBytes(32));
const position = fc.record({ createdAtMs: fc.nat(2 ** 42), number: fc.nat(2 ** 40) });

t.test('a cursor leads back to its position, in its own list alone', async () => {
  fc.assert(
    fc.property(position, fc.string(), fc.string(), (place, list, other) => {
      const cursor = cursors.seal(list, place);
      t.same(cursors.open(list, cursor), place);
      if (other !== list) t.equal(cursors.open(other, cursor), undefined);
    }),
    { numRuns: 200 },
  );
});

t.test('a cursor that was altered, or made with another secret, opens nothing', async (t) => {
  const cursor = cursors.seal('sessions acc_1', { createdAtMs: 1_700_000_000_000, number: 7 });
  const bytes = Buffer.from(cursor, 'base64url');
  for (let bit = 0; bit < bytes.length * 8; bit++) {
    const altered = Buffer.from(bytes);
    altered[bit >> 3] = (altered[bit >> 3] ?? 0) ^ (1 << (bit & 7));
    t.equal(cursors.open('sessions acc_1', altered.toString('base64url')), undefined, `bit ${bit}`);
  }
  for (const text of ['', 'x', cursor.slice(1), `${cursor}A`, 'A'.repeat(38), ' '.repeat(38)]) {
    t.equal(cursors.open('sessions acc_1', text), undefined);
  }
  t.equal(new Cursors(randomBytes(32)).open('sessions acc_1', cursor), undefined);
});

t.test('a cursor does not show what it stands for', async (t) => {
  // The number counts the items of all accounts: two that follow each other have nothing in common.
  const [one, next] = [7, 8].map((number) =>
    Buffer.from(cursors.seal('list', { createdAtMs: 9, number }), 'base64url'),
  );
  let same = 0;
  for (let at = 0; at < 28; at++) if (one?.[at] === next?.[at]) same++;
  t.ok(same < 6, `${same} bytes are the same`);
});

import { createHash } from 'node:crypto';
import { appendFileSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { verify } from '../../server/finisher/verify.ts';

/** An object of several chunks. */
function stored(t: { testdir(): string }) {
  const file = join(t.testdir(), 'object.mp4');
  const bytes = Buffer.alloc(2_500_000, 'a picture of nothing ');
  writeFileSync(file, bytes);
  return { file, byteSize: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') };
}

t.test('an object that is what its record says is the same', async (t) => {
  t.equal(await verify(stored(t)), true);
});

t.test('a flipped bit is noticed, wherever it is', async (t) => {
  const order = stored(t);
  const bytes = readFileSync(order.file);
  for (const at of [0, 1_048_575, 1_048_576, bytes.length - 1]) {
    const damaged = Buffer.from(bytes);
    damaged[at] = (damaged[at] ?? 0) ^ 1;
    writeFileSync(order.file, damaged);
    t.equal(await verify(order), false, `byte ${at}`);
  }
  writeFileSync(order.file, bytes);
  t.equal(await verify(order), true);
});

t.test('an object that is cut, longer, or gone is not the same', async (t) => {
  const order = stored(t);
  appendFileSync(order.file, 'x');
  t.equal(await verify(order), false);
  truncateSync(order.file, order.byteSize - 1);
  t.equal(await verify(order), false);
  rmSync(order.file);
  t.equal(await verify(order), false);
});

t.test('a disk that cannot tell is a fault, not an answer', async (t) => {
  const order = stored(t);
  await t.rejects(verify({ ...order, file: `${order.file}/below` }), { code: 'storage_error', stage: 'verify' });
});

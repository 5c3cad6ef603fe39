import { createHash, randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { ObjectStore } from '../../server/finisher/object-store.ts';
import { S3Server } from '../support/s3/s3-server.ts';

const PART = 8 * 1_024 * 1_024;

async function open(t: Test, wrong: { readonly secretAccessKey?: string; readonly bucket?: string } = {}) {
  const server = await S3Server.start();
  t.teardown(() => server.close());
  const store = new ObjectStore({ url: server.url, bucket: server.bucket, ...server.credentials, ...wrong });
  const folder = t.testdir();
  const make = (bytes: Buffer, key = 'recordings/rec_1.mp4') => {
    const file = join(folder, 'object.mp4');
    writeFileSync(file, bytes);
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    return { key, file, byteSize: bytes.length, sha256, fileName: 'rec_1.mp4', mediaType: 'video/mp4' };
  };
  return { server, store, make };
}

t.test(
  'what is stored is what was given, in one piece or in parts, and is had by an address for a while',
  async (t) => {
    for (const size of [1, 1_000, PART, PART + 1, 2 * PART + 12_345]) {
      const { server, store, make } = await open(t);
      const bytes = randomBytes(size);
      const order = make(bytes);
      await store.put(order);
      t.ok(server.objects.get(order.key)?.bytes.equals(bytes), `${size} bytes`);
      t.equal(server.uploads.size, 0, 'no upload is left open');
      const url = await store.refer({ key: order.key, byteSize: size, validSeconds: 60 });
      t.notMatch(url, new RegExp(server.credentials.secretAccessKey));
      const response = await fetch(url);
      t.ok(Buffer.from(await response.arrayBuffer()).equals(bytes));
      t.equal(response.headers.get('content-disposition'), 'attachment; filename="rec_1.mp4"');
      const part = await fetch(url, { headers: { Range: `bytes=0-0` } });
      t.equal(part.status, 206);
      t.equal((await fetch(url.replace('rec_1', 'rec_2'))).status, 403, 'an address opens nothing else');
      t.equal((await fetch(url.replace('X-Amz-Expires=60', 'X-Amz-Expires=9999'))).status, 403);
      await store.delete(order.key);
      await store.delete(order.key);
      t.equal(server.objects.size, 0);
      t.same(server.refusals, ['SignatureDoesNotMatch', 'SignatureDoesNotMatch'], 'all of ours were signed well');
    }
  },
);

t.test('an object is fetched whole into a file, and one that was lost or altered is told', async (t) => {
  for (const size of [1, PART, PART + 12_345]) {
    const { server, store, make } = await open(t);
    const bytes = randomBytes(size);
    const order = make(bytes);
    await store.put(order);
    const file = `${order.file}.copy`;
    await store.get({ ...order, file });
    t.ok(readFileSync(file).equals(bytes), `${size} bytes`);
    server.trouble = 'away';
    await t.rejects(store.get({ ...order, file }), { code: 'storage_error', stage: 'store', retryable: true });
    server.trouble = undefined;
    server.objects.set(order.key, { bytes: Buffer.from(bytes).fill(bytes[0] === 0 ? 1 : 0, 0, 1), headers: {} });
    await t.rejects(store.get({ ...order, file }), { code: 'storage_error', stage: 'store', retryable: false });
    server.objects.delete(order.key);
    await t.rejects(store.get({ ...order, file }), { code: 'storage_error', stage: 'store', retryable: false });
  }
});

t.test('the same object again is no error; another one in its place makes room for it', async (t) => {
  for (const size of [100, PART + 100]) {
    const { server, store, make } = await open(t);
    const bytes = randomBytes(size);
    const order = make(bytes);
    await store.put(order);
    await store.put(order);
    t.ok(server.objects.get(order.key)?.bytes.equals(bytes));
    server.objects.set(order.key, { bytes: randomBytes(size), headers: {} });
    await t.rejects(store.put(order), { code: 'storage_error', stage: 'store', retryable: true });
    await store.put(order);
    t.ok(server.objects.get(order.key)?.bytes.equals(bytes));
    t.equal(server.uploads.size, 0);
  }
});

t.test('a store that is full, away, or not what it says is told so, and may be tried again', async (t) => {
  const { server, store, make } = await open(t);
  const order = make(randomBytes(500));
  const large = make(randomBytes(PART + 7), 'recordings/rec_2.mp4');
  const codes = {
    full: 'storage_full',
    away: 'storage_error',
    'wrong size': 'storage_error',
    'wrong bytes': 'storage_error',
  };
  for (const [trouble, code] of Object.entries(codes)) {
    server.trouble = trouble as keyof typeof codes;
    await t.rejects(store.put(order), { stage: 'store', code, retryable: true }, trouble);
  }
  server.trouble = undefined;
  const { byteSize } = order;
  await t.rejects(
    store.refer({ key: order.key, byteSize, validSeconds: 60 }),
    { code: 'storage_error', retryable: false },
    'it is not there',
  );
  await store.put(large);
  server.trouble = 'away';
  await t.rejects(store.refer({ key: large.key, byteSize: large.byteSize, validSeconds: 60 }), {
    code: 'storage_error',
    retryable: true,
  });
  await t.rejects(store.reach(), { code: 'storage_error', stage: 'store', retryable: true });
});

t.test('a wrong secret and a bucket that is not there are told, without the secret', async (t) => {
  for (const wrong of [{ secretAccessKey: 'not-the-secret' }, { bucket: 'nowhere' }]) {
    const { store, make } = await open(t, wrong);
    await t.rejects(store.reach(), { code: 'storage_error', stage: 'store', retryable: true });
    await t.rejects(store.put(make(randomBytes(10))), { message: /^(?!.*not-the-secret)/ });
  }
});

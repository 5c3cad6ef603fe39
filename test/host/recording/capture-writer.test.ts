import { execFileSync } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { closeSync, constants, openSync, readFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import t from 'tap';
import { decodeJournal } from '../../../server/capture/journal.ts';
import { storageFault } from '../../../server/capture/storage-fault.ts';
import { finish } from '../../../server/finisher/finish.ts';
import { CaptureWriter, type WriterThread } from '../../../server/host/recording/capture-writer.ts';
import { captureFolder, encodeClip } from './captures.ts';

const BOOT = new URL('../../../server/host/recording/writer-boot.mjs', import.meta.url);
const POOL_THREADS = Number(process.env.UV_THREADPOOL_SIZE) || 4;

function realWriter() {
  const threads: Worker[] = [];
  const writer = new CaptureWriter(() => {
    const thread = new Worker(BOOT);
    threads.push(thread);
    return thread;
  });
  return { writer, threads };
}

/** Keeps every thread of the pool busy until the returned function is called. */
async function fillPool(folder: string): Promise<() => Promise<void>> {
  const fifos = Array.from({ length: POOL_THREADS }, (_, index) => join(folder, `fifo ${index}`));
  execFileSync('mkfifo', fifos);
  // Opening one to read waits for somebody who writes.
  const readers = fifos.map((fifo) => open(fifo, constants.O_RDONLY));
  return async () => {
    const writers = fifos.map((fifo) => openSync(fifo, constants.O_RDWR | constants.O_NONBLOCK));
    for (const reader of await Promise.all(readers)) await reader.close();
    for (const each of writers) closeSync(each);
  };
}

const posix = process.platform === 'win32' ? { skip: 'there are no named pipes' } : {};

t.test('written data has left the process even if the whole thread pool is busy', posix, async (t) => {
  const order = captureFolder(t);
  const { track, samples } = await encodeClip(4, 100_000);
  const { writer } = realWriter();
  const files = await writer.create(order, track);
  const emptyPool = await fillPool(order.folder);
  await files.write(samples.slice(0, 2), 150_000);
  await files.write(samples.slice(2), 350_000);
  await files.write([], 900_000);
  t.match(decodeJournal(readFileSync(order.journalFile)).at(-1), { kind: 'alive', atUs: 900_000 });
  const held = await Promise.race([files.sync().then(() => 'synced'), files.write([], 950_000).then(() => 'written')]);
  t.equal(held, 'written', 'bringing it to the disk may wait, and keeps no writing up');
  await emptyPool();
  await files.finish(1_000_000);
  t.match(await finish(order), { sampleCount: 4, durationMs: 1_000, lostTailMs: 0 });
});

t.test('a capture whose writer is gone holds what was written, and so it is finished', posix, async (t) => {
  const order = captureFolder(t);
  const { track, samples } = await encodeClip(4, 100_000);
  const { writer, threads } = realWriter();
  const files = await writer.create(order, track);
  await files.write(samples.slice(0, 3), 250_000);
  await threads[0]?.terminate();
  await t.rejects(files.write(samples.slice(3), 350_000), /the writer ended/);
  await t.resolves(files.close());
  t.match(await finish(order), { sampleCount: 3, durationMs: 250 });
  const next = captureFolder(t);
  const others = await writer.create(next, track);
  await others.write(samples, 400_000);
  t.equal(threads.length, 2, 'the next recording has another');
  await others.finish(400_000);
});

t.test('an error of the disk is told as what it is', async (t) => {
  const order = captureFolder(t);
  const { track, samples } = await encodeClip(1, 1);
  const { writer } = realWriter();
  const none = await writer.create({ ...order, partFile: join(order.folder, 'none/x.mp4') }, track).catch((e) => e);
  t.match(storageFault(none, 'prepare'), { code: 'storage_error' });
  const files = await writer.create({ ...order, journalFile: '/dev/full' }, track);
  const full = await files.write(samples, 1_000).catch((error) => error);
  t.match(full, { code: 'ENOSPC' });
  t.match(storageFault(full, 'capture'), { code: 'storage_full' });
  await files.close();
});

t.test('a thread that does not come up fails whoever waits for it, and the next one is asked', async (t) => {
  class Silent extends EventEmitter {
    postMessage(): void {}
    ref(): void {}
    unref(): void {}
  }
  const threads: Silent[] = [];
  const writer = new CaptureWriter(() => {
    const thread = new Silent();
    threads.push(thread);
    return thread as unknown as WriterThread;
  });
  const order = captureFolder(t);
  const { track } = await encodeClip(1, 1);
  const waiting = writer.create(order, track);
  threads[0]?.emit('error', new Error('no such module'));
  await t.rejects(waiting, { message: 'no such module' });
  const next = writer.create(order, track);
  threads[1]?.emit('exit', 3);
  await t.rejects(next, /exit code 3/);
});

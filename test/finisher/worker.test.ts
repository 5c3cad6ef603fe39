import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import sharp from 'sharp';
import t from 'tap';
import { finish } from '../../server/finisher/finish.ts';
import { systemClock } from '../../server/flow/clock.ts';
import { RecordingFinisher } from '../../server/link/recording-finisher.ts';
import { portToWorker } from '../../server/link/worker-port.ts';
import { type CaptureFolder, type Clip, captureFolder, encodeClip, writeCapture } from '../host/recording/captures.ts';

/** The finisher's real thread, and what a kill in its middle leaves. */

const KILLS = 8;

function openFinisher(t: Pick<typeof import('tap').default, 'teardown'>) {
  const workers: Worker[] = [];
  const finisher = new RecordingFinisher({
    clock: systemClock,
    spawn: () => {
      const worker = new Worker(new URL('../../server/finisher/boot.mjs', import.meta.url));
      workers.push(worker);
      return portToWorker(worker);
    },
  });
  t.teardown(() => finisher.close());
  return { finisher, workers };
}

/** A capture of some megabytes: finishing it takes a while. */
async function longCapture(t: Pick<typeof import('tap').default, 'teardown'>): Promise<CaptureFolder> {
  const clip = await encodeClip(2, 16_667);
  const [first, second] = clip.samples;
  if (!first || !second) throw new Error('no samples');
  const repeated = Array.from({ length: 2_500 }, (_, index) => ({ ...second, atUs: (index + 1) * 16_667 }));
  const long: Clip = { ...clip, samples: [first, ...repeated] };
  const order = captureFolder(t);
  await writeCapture(order, long, { perFragment: 60, endUs: 90_000_000 });
  return order;
}

t.test('the real thread finishes a capture, and verifies what it made', { timeout: 60_000 }, async (t) => {
  const { finisher, workers } = openFinisher(t);
  const order = captureFolder(t);
  await writeCapture(order, await encodeClip(10, 20_000), { perFragment: 5, endUs: 400_000 });
  const finished = await finisher.finish(order);
  t.match(finished, { sampleCount: 10, durationMs: 400 });
  const { byteSize, sha256 } = finished;
  const object = { file: order.targetFile, byteSize, sha256 };
  t.equal(createHash('sha256').update(readFileSync(order.targetFile)).digest('hex'), sha256);
  t.strictSame(await Promise.all([finisher.verify(object), finisher.verify({ ...object, byteSize: 1 })]), [
    true,
    false,
  ]);
  await t.rejects(finisher.finish({ ...order, partFile: '/none' }), { code: 'no_frames_captured', retryable: false });
  t.equal(workers.length, 1);
});

t.test('the real thread makes the poster of what it finished', { timeout: 60_000 }, async (t) => {
  const { finisher } = openFinisher(t);
  const order = captureFolder(t);
  await writeCapture(order, await encodeClip(10, 20_000), { perFragment: 5, endUs: 400_000 });
  const { byteSize } = await finisher.finish(order);
  const poster = await finisher.makePoster({ file: order.targetFile, byteSize });
  t.match(await sharp(poster).metadata(), { format: 'jpeg', width: 96, height: 160 });
  t.equal(poster.buffer.byteLength, poster.length, 'nothing else crosses the link with it');
  const wrong = finisher.makePoster({ file: order.targetFile, byteSize: byteSize + 1 });
  await t.rejects(wrong, { code: 'container_invalid', retryable: false });
});

t.test('a thread that is gone is replaced by the next question', { timeout: 60_000 }, async (t) => {
  const { finisher, workers } = openFinisher(t);
  const order = captureFolder(t);
  await writeCapture(order, await encodeClip(10, 20_000), { perFragment: 5, endUs: 400_000 });
  const expected = await finisher.finish(order);
  // Not in its middle: a thread that is stopped inside FFmpeg takes the process along.
  await workers[0]?.terminate();
  t.strictSame(await finisher.finish(order), expected);
  t.equal(workers.length, 2);
});

t.test('closing lets the thread end its work, and then itself', { timeout: 60_000 }, async (t) => {
  const { finisher, workers } = openFinisher(t);
  const order = await longCapture(t);
  await t.rejects(finisher.finish({ ...order, partFile: '/none' }), { code: 'no_frames_captured' });
  const exited = new Promise((resolve) => void workers[0]?.once('exit', resolve));
  const interrupted = t.rejects(finisher.finish(order), { code: 'storage_error', retryable: true });
  await finisher.close();
  await interrupted;
  t.equal(await exited, 0);
});

t.test('a process that is killed at any point leaves a whole object or none', { timeout: 100_000 }, async (t) => {
  const order = await longCapture(t);
  const program = fileURLToPath(new URL('finish-process.ts', import.meta.url));
  const begunMs = performance.now();
  const expected = await finish({ ...order, targetFile: `${order.targetFile}.expected` });
  const stepMs = ((performance.now() - begunMs) * 2) / KILLS;
  let whole = 0;
  for (let round = 0; round < KILLS; round++) {
    const args = ['--import', 'tsx', program, order.partFile, order.journalFile, order.targetFile];
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    await new Promise((resolve) => void child.stdout.once('data', resolve));
    await new Promise((resolve) => setTimeout(resolve, round * stepMs));
    const closed = new Promise((resolve) => void child.once('close', resolve));
    child.kill('SIGKILL');
    await closed;
    if (!existsSync(order.targetFile)) continue;
    whole++;
    const sha256 = createHash('sha256').update(readFileSync(order.targetFile)).digest('hex');
    if (sha256 !== expected.sha256) t.fail(`a kill after ${Math.round(round * stepMs)} ms left another object`);
  }
  t.comment(`${whole} of ${KILLS} kills came after the object was in its place`);
  t.strictSame(await finish(order), expected);
});

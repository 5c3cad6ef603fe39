import { spawn } from 'node:child_process';
import { mkdirSync, readdirSync, rmdirSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import type { Picture } from '../../../server/device/driver.ts';
import { finish } from '../../../server/finisher/finish.ts';
import { systemClock } from '../../../server/flow/clock.ts';
import { CaptureGate } from '../../../server/host/capture-gate.ts';
import { Capture } from '../../../server/host/recording/capture.ts';
import { ScreenPipeline } from '../../../server/host/stream/screen-pipeline.ts';
import { ScriptedDevice } from '../../support/scripted-device.ts';
import { captureFolder, painted } from './captures.ts';
import { RecordingArena } from './recording-arena.ts';

const PROCESS = fileURLToPath(new URL('limited-process.ts', import.meta.url));

t.test('a disk that is full from the start takes no recording', async (t) => {
  const arena = await RecordingArena.open(t);
  const full = { name: 'RecordingFault', stage: 'prepare', code: 'storage_full', retryable: true };
  await t.rejects(arena.record({ partFile: '/dev/full' }), full);
  await t.rejects(arena.record({ journalFile: '/dev/full' }), full);
  await t.resolves((await arena.record()).stop(), 'the device can be recorded where there is room');
});

t.test('a disk that fills up ends the recording with what it could take', { timeout: 60_000 }, async (t) => {
  const order = captureFolder(t);
  // Files of this process may grow to 300 blocks; what is past that is refused, as a full disk refuses it.
  // Without the reporter that tap puts into every process: it has files of its own to write.
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/TAP|NODE/.test(name)));
  const child = spawn(
    'sh',
    ['-c', `ulimit -f 300; exec "${process.execPath}" --import tsx "${PROCESS}" "${order.folder}"`],
    { env },
  );
  t.teardown(() => child.kill());
  let told = '';
  let log = '';
  child.stdout.on('data', (part) => {
    told += part;
  });
  child.stderr.on('data', (part) => {
    log += part;
  });
  const status = await new Promise((resolve) => void child.on('close', (code, signal) => resolve(signal ?? code)));
  t.equal(status, 0, log);
  t.match(JSON.parse(told), { fault: { code: 'storage_full', stage: 'capture' } });
  const { sampleCount, durationMs } = await finish(order);
  t.ok(sampleCount > 5 && durationMs > 100, `${sampleCount} samples of ${durationMs} ms are kept`);
});

t.test('a disk that could not take the finished file as well ends the recording before it is too late', async (t) => {
  const order = captureFolder(t);
  const { device, screen } = screenOf(t);
  const headroomBytes = 1_000_000;
  const spareBytes = 30_000;
  const parts = { screen, clock: systemClock, freeBytes: async () => headroomBytes + spareBytes };
  const recording = new Capture({ ...order, headroomBytes }, parts);
  await recording.started;
  let version = 1;
  const painting = setInterval(() => device.show(noise(++version)), 20);
  t.teardown(() => clearInterval(painting));
  const { reason, bytes, durationMs } = await recording.ended;
  t.equal(reason, 'headroom');
  t.ok(bytes > spareBytes, `${bytes} bytes were written, and a copy of them no longer fits`);
  const { byteSize } = await finish(order);
  t.ok(byteSize < bytes * 1.1, `the copy has ${byteSize} bytes, of ${durationMs} ms`);
});

t.test('a finalization that the disk refuses leaves the capture, and no half a copy beside it', async (t) => {
  const order = captureFolder(t);
  const { screen } = screenOf(t);
  const recording = new Capture({ ...order, headroomBytes: 0 }, { screen, clock: systemClock });
  await recording.started;
  recording.stop();
  await recording.ended;
  // The draft can be written, its place is taken by what no file replaces.
  mkdirSync(order.targetFile);
  await t.rejects(finish(order), { code: 'storage_error', stage: 'finalize', retryable: true });
  const left = readdirSync(order.folder).sort();
  t.strictSame(left, [order.journalFile, order.partFile, order.targetFile].map((file) => basename(file)).sort());
  rmdirSync(order.targetFile);
  t.match(await finish(order), { sampleCount: 1 }, 'and it is finished when the disk lets it');
});

t.test('a disk that is nearly full ends the recording well', async (t) => {
  const order = captureFolder(t);
  const { screen } = screenOf(t);
  const answers = [5_000, 3_000];
  const freeBytes = async (folder: string) => {
    t.equal(folder, order.folder);
    return answers.shift() ?? 999;
  };
  const recording = new Capture({ ...order, headroomBytes: 1_000 }, { screen, clock: systemClock, freeBytes });
  await recording.started;
  const summary = await recording.ended;
  t.match(summary, { reason: 'headroom', sampleCount: 1 });
  t.match(await finish(order), { durationMs: summary.durationMs });
});

/** A screen that shows one picture until it is told another. */
function screenOf(t: Pick<typeof import('tap').default, 'teardown'>) {
  const alive = setInterval(() => undefined, 1_000);
  t.teardown(() => clearInterval(alive));
  const device = new ScriptedDevice();
  device.picture = painted(1, [9, 9, 9]);
  const sink = { picture: () => undefined, ended: () => undefined };
  const screen = new ScreenPipeline(device, new CaptureGate(device), sink);
  t.teardown(() => screen.close('over'));
  return { device, screen };
}

/** A picture that no encoder makes small. */
function noise(version: number): Picture {
  const picture = painted(version, [0, 0, 0]);
  for (let at = 0; at < picture.pixels.length; at++) picture.pixels[at] = (at * (version + 13) * 7919) % 253;
  return picture;
}

import { existsSync, readFileSync } from 'node:fs';
import t from 'tap';
import { decodeJournal } from '../../../server/capture/journal.ts';
import { finish } from '../../../server/finisher/finish.ts';
import { complaints, pictureAt, probe } from '../../support/mp4-judges.ts';
import { withFfmpeg } from '../stream/ffmpeg.ts';
import { type Colour, HEIGHT, WIDTH } from './captures.ts';
import { colourAt, isNear, RecordingArena, sleep } from './recording-arena.ts';

const RED: Colour = [220, 20, 20];
const GREEN: Colour = [20, 200, 40];
const BLUE: Colour = [30, 40, 220];

t.test(
  'a recording begins with a whole picture on disk, and shows at each time what was on the screen',
  withFfmpeg(),
  async (t) => {
    const arena = await RecordingArena.open(t);
    arena.paint(RED);
    const recording = await arena.record();
    t.match(recording, { width: WIDTH, height: HEIGHT });
    t.ok(Math.abs(recording.startedAtMs - Date.now()) < 10_000);
    t.match((await probe(arena.order.partFile)).packets, [{ flags: /^K/ }]);

    const paintedAtMs: number[] = [];
    const begunMs = performance.now();
    for (const [index, colour] of [GREEN, BLUE, RED].entries()) {
      await sleep(400);
      arena.paint(colour);
      await arena.recorded(index + 2);
      paintedAtMs.push(Date.now());
    }
    await sleep(300);
    const lastedMs = performance.now() - begunMs;
    const summary = await recording.stop();
    t.match(summary, { reason: 'stopped', sampleCount: 4, stoppedAtMs: recording.startedAtMs + summary.durationMs });
    t.ok(summary.durationMs >= lastedMs - 1, `${summary.durationMs} of ${lastedMs} ms`);

    const finished = await finish(arena.order);
    t.match(finished, { durationMs: summary.durationMs, sampleCount: 4, lostTailMs: 0, width: WIDTH, height: HEIGHT });
    t.equal(await complaints(arena.order.targetFile), '');
    for (const [index, colour] of [RED, GREEN, BLUE, RED].entries()) {
      const from = index === 0 ? recording.startedAtMs : (paintedAtMs[index - 1] ?? 0);
      const seconds = (from - recording.startedAtMs + 200) / 1_000;
      const seen = colourAt(await pictureAt(arena.order.targetFile, seconds), 48, 80);
      t.ok(isNear(seen, colour), `${seen} is shown at ${seconds} s instead of ${colour}`);
    }
  },
);

t.test('a still screen is one picture that lasts until the stop', async (t) => {
  const arena = await RecordingArena.open(t);
  const recording = await arena.record();
  const begunMs = performance.now();
  const beats = () => decodeJournal(readFileSync(arena.order.journalFile)).filter(({ kind }) => kind === 'alive');
  await sleep(1_800);
  await arena.until(() => beats().length >= 3);
  const askedMs = performance.now();
  const summary = await recording.stop();
  t.equal(summary.sampleCount, 1);
  const { durationMs } = await finish(arena.order);
  t.equal(durationMs, summary.durationMs);
  // It began before its start was answered and ended after its stop was asked.
  const leastMs = askedMs - begunMs;
  t.ok(durationMs >= leastMs - 1, `${durationMs} ms of at least ${leastMs}`);
  const elapsedMs = Date.now() - recording.startedAtMs;
  t.ok(durationMs <= elapsedMs + 1, `${durationMs} ms of at most ${elapsedMs}`);
});

t.test(
  'a device that is turned is shown in the middle of the first frame, and as before when it is turned back',
  withFfmpeg(),
  async (t) => {
    const arena = await RecordingArena.open(t);
    arena.paint(RED);
    const recording = await arena.record();
    const times: number[] = [];
    for (const [colour, width, height] of [
      [GREEN, HEIGHT, WIDTH],
      [BLUE, HEIGHT, WIDTH],
      [RED, WIDTH, HEIGHT],
      [GREEN, WIDTH, HEIGHT],
    ] as const) {
      await sleep(200);
      arena.paint(colour, width, height);
      await arena.recorded(times.length + 2);
      await sleep(300);
      times.push((Date.now() - recording.startedAtMs) / 1_000);
    }
    const { sampleCount } = await recording.stop();
    t.ok(sampleCount >= 5, `${sampleCount} samples`);
    t.match(await finish(arena.order), { width: WIDTH, height: HEIGHT, sampleCount });
    t.equal(await complaints(arena.order.targetFile), '');
    const shown = await Promise.all(times.map((seconds) => pictureAt(arena.order.targetFile, seconds)));
    for (const [index, colour] of [GREEN, BLUE].entries()) {
      const frame = shown[index] ?? Buffer.alloc(0);
      t.ok(isNear(colourAt(frame, 48, 80), colour), `the middle is ${colourAt(frame, 48, 80)}`);
      for (const y of [4, 40, 120, 155]) t.ok(isNear(colourAt(frame, 48, y), [0, 0, 0]), `bar at ${y}`);
    }
    for (const [index, colour] of [
      [2, RED],
      [3, GREEN],
    ] as const) {
      for (const y of [2, 80, 157]) t.ok(isNear(colourAt(shown[index] ?? Buffer.alloc(0), 48, y), colour), `row ${y}`);
    }
  },
);

t.test('the longest recording ends by itself, well, and exactly there', async (t) => {
  const arena = await RecordingArena.open(t);
  const recording = await arena.record({ maxDurationMs: 700 });
  await arena.until(() => arena.endings.length > 0);
  t.match(arena.endings, [{ summary: { reason: 'limit', durationMs: 700, sampleCount: 1 } }]);
  t.match(await recording.stop(), { reason: 'limit', durationMs: 700 });
  t.match(await finish(arena.order), { durationMs: 700 });
});

t.test('a disk with less than its headroom takes no recording, and ends the one that runs', async (t) => {
  const arena = await RecordingArena.open(t);
  const refused = { name: 'RecordingFault', stage: 'prepare', code: 'storage_full', retryable: true };
  await t.rejects(arena.record({ headroomBytes: Number.MAX_SAFE_INTEGER }), refused);
  t.notOk(existsSync(arena.order.partFile));
  t.match(arena.endings, [], 'the answer has told it');
});

t.test('a device that is lost leaves a closed file behind, before its loss is told', async (t) => {
  const arena = await RecordingArena.open(t);
  const told: string[] = [];
  arena.remote.listen({ lost: () => void told.push('lost'), orientation: () => undefined });
  const recording = await arena.remote.startRecording(arena.order, { ended: () => void told.push('ended') });
  arena.paint(GREEN);
  await arena.recorded(2);
  arena.device.lose('unplugged');
  await arena.until(() => told.length === 2);
  t.strictSame(told, ['ended', 'lost']);
  await t.rejects(recording.stop(), { code: 'device_lost', stage: 'capture' });
  t.equal(decodeJournal(readFileSync(arena.order.journalFile)).at(-1)?.kind, 'end');
  t.match(await finish(arena.order), { sampleCount: 2, lostTailMs: 0 });
});

t.test('an encoder that fails ends the recording, and what came before is kept', async (t) => {
  const arena = await RecordingArena.open(t);
  const recording = await arena.record();
  arena.encoderFails = true;
  arena.paint(BLUE);
  await arena.until(() => arena.endings.length > 0);
  t.match(arena.endings, [{ fault: { code: 'encoder_failed', stage: 'capture' } }]);
  await t.rejects(recording.stop(), { code: 'encoder_failed' });
  t.match(await finish(arena.order), { sampleCount: 1 });
  arena.encoderFails = false;
  const again = { partFile: `${arena.order.partFile}2`, journalFile: `${arena.order.journalFile}2` };
  await t.resolves((await arena.record(again)).stop(), 'the device can be recorded again');
});

t.test('a screen without pictures is not recorded', async (t) => {
  const arena = await RecordingArena.open(t);
  arena.encoderFails = true;
  await t.rejects(arena.record(), { code: 'encoder_failed' });
  t.notOk(existsSync(arena.order.partFile));
});

t.test('one recording at a time, and stopping one twice tells the same', async (t) => {
  const arena = await RecordingArena.open(t);
  const recording = await arena.record();
  await t.rejects(arena.record(), { code: 'capture_start_failed', stage: 'prepare' });
  const [one, two] = await Promise.all([recording.stop(), recording.stop()]);
  t.strictSame(one, two);
  t.strictSame(await recording.stop(), one);
  t.strictSame(arena.endings, [], 'who stopped it is told by the answer alone');
});

t.test('a folder that is not there is a fault of the disk', async (t) => {
  const arena = await RecordingArena.open(t);
  const partFile = `${arena.order.folder}/none/one.part.mp4`;
  await t.rejects(arena.record({ partFile }), { code: 'storage_error', stage: 'prepare' });
});

import { statSync } from 'node:fs';
import t from 'tap';
import { finish } from '../../../server/finisher/finish.ts';
import { systemClock } from '../../../server/flow/clock.ts';
import { Recorder } from '../../../server/host/recording/recorder.ts';
import { StreamArena } from '../stream/stream-arena.ts';
import { RecordingArena } from './recording-arena.ts';

t.test('a number that was never given out names no recording', async (t) => {
  const recorder = new Recorder(new StreamArena().pipeline, systemClock, () => t.fail('nothing ends'));
  await t.rejects(recorder.stop(7), { name: 'RecordingFault', code: 'capture_interrupted', retryable: false });
  await t.resolves(recorder.close('nothing runs'));
});

t.test('closing a device ends its recording first, and what was recorded can be finished', async (t) => {
  const arena = await RecordingArena.open(t);
  const recording = await arena.record();
  arena.paint([1, 200, 3]);
  await arena.remote.close();
  t.match(arena.endings, [{ fault: { code: 'device_lost' } }]);
  await t.rejects(recording.stop(), { code: 'device_lost' });
  t.match(await finish(arena.order), { lostTailMs: 0 });
  t.strictSame(arena.device.housekeeping, ['releaseAll', 'close']);
});

t.test('a lost device is reset while the files of its recording are closed, and told lost when they are', async (t) => {
  const arena = await RecordingArena.open(t);
  await arena.record();
  const { version } = arena.paint([1, 200, 3]);
  await arena.until(() => arena.encodedVersion >= version);
  const writtenBytes = () => statSync(arena.order.partFile).size;
  const story: [string, number][] = [];
  arena.device.close = async () => void story.push(['reset', writtenBytes()]);
  arena.remote.listen({ lost: () => story.push(['lost', writtenBytes()]), orientation: () => undefined });
  arena.device.lose('unplugged');
  await arena.until(() => story.length === 2);
  const [[first, atFirst] = [], [second, atSecond] = []] = story;
  t.strictSame([first, second], ['reset', 'lost']);
  t.ok(Number(atFirst) < Number(atSecond), 'what was captured last is written meanwhile');
  t.equal(writtenBytes(), atSecond, 'and nothing after that');
  t.match(arena.endings, [{ fault: { code: 'device_lost' } }]);
  t.match(await finish(arena.order), { sampleCount: 2, lostTailMs: 0 });
});

t.test('a device is recorded again after an end, and each recording keeps its own answer', async (t) => {
  const arena = await RecordingArena.open(t);
  const first = await arena.record();
  const one = await first.stop();
  const again = { partFile: `${arena.order.partFile}.2`, journalFile: `${arena.order.journalFile}.2` };
  const second = await arena.record(again);
  arena.paint([1, 2, 200]);
  await arena.recorded(2, again.journalFile);
  const two = await second.stop();
  t.equal(two.sampleCount, 2);
  t.strictSame(await first.stop(), one);
  t.strictSame(await second.stop(), two);
});

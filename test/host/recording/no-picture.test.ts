import { existsSync } from 'node:fs';
import t from 'tap';
import { Capture } from '../../../server/host/recording/capture.ts';
import { CaptureWriter } from '../../../server/host/recording/capture-writer.ts';
import { RecordingFault, recordingLost } from '../../../server/link/recording-fault.ts';
import { StreamArena } from '../stream/stream-arena.ts';
import { captureFolder } from './captures.ts';

/** A recording of a screen that gives no picture, on a clock that stands still. */
function open(t: Pick<typeof import('tap').default, 'teardown'>) {
  const arena = new StreamArena();
  arena.device.capture = () => new Promise(() => undefined);
  const order = captureFolder(t);
  const parts = { screen: arena.pipeline, clock: arena.clock, freeBytes: async () => 1 };
  return { arena, order, recording: new Capture(order, parts) };
}

t.test('a screen that gives no picture is waited for, but not for ever', async (t) => {
  const { arena, order, recording } = open(t);
  let settled = false;
  recording.started.catch(() => {
    settled = true;
  });
  await arena.clock.advance(9_999);
  t.equal(settled, false);
  await arena.clock.advance(1);
  const missing = { name: 'RecordingFault', stage: 'prepare', code: 'capture_start_failed', retryable: true };
  await t.rejects(recording.started, missing);
  await t.rejects(recording.ended, missing);
  t.notOk(existsSync(order.partFile));
  t.equal(arena.encoders[0]?.closed, 1, 'nothing is encoded for it any more');
  t.equal(arena.clock.waiting, 0);
});

t.test('a stop before the first picture is a recording that never began', async (t) => {
  const { arena, recording } = open(t);
  await arena.clock.advance(10);
  recording.stop();
  await t.rejects(recording.started, { code: 'capture_start_failed' });
  await t.rejects(recording.ended, { code: 'capture_start_failed' });
});

t.test('a device that goes before its first picture is told as such', async (t) => {
  const { arena, recording } = open(t);
  await arena.clock.advance(10);
  recording.fail(new RecordingFault(recordingLost('unplugged')));
  await t.rejects(recording.started, { code: 'device_lost' });
});

t.test('a writer that cannot start is the end of that recording, and leaves nothing open', async (t) => {
  const arena = new StreamArena();
  const writer = new CaptureWriter(() => {
    throw new Error('no more threads');
  });
  const parts = { screen: arena.pipeline, clock: arena.clock, freeBytes: async () => 1, writer };
  const recording = new Capture(captureFolder(t), parts);
  const failed = { name: 'RecordingFault', stage: 'prepare', code: 'storage_error' };
  await t.rejects(recording.started, failed);
  await t.rejects(recording.ended, failed);
  await arena.clock.advance(0);
  t.ok(
    arena.encoders.every(({ closed }) => closed === 1),
    'nothing is encoded for it any more',
  );
  t.equal(arena.clock.waiting, 0);
});

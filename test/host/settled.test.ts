import t from 'tap';
import { CaptureGate } from '../../server/host/capture-gate.ts';
import { settled } from '../../server/host/settled.ts';
import { FakeClock, settled as turnsDone } from '../support/fake-clock.ts';
import { solidPicture } from '../support/scripted-device.ts';

/** A screen whose picture changes at the given times, and what it waits for. */
function open(changesMs: readonly number[]) {
  const clock = new FakeClock();
  const startMs = clock.monotonicMs();
  const elapsedMs = () => clock.monotonicMs() - startMs;
  let captures = 0;
  const gate = new CaptureGate({
    capture: async () => {
      captures++;
      return solidPicture(changesMs.filter((atMs) => atMs <= elapsedMs()).length, 0);
    },
  });
  let atMs: number | undefined;
  const done = settled(gate, clock).then(() => {
    atMs = elapsedMs();
  });
  const run = async () => {
    for (let steps = 0; atMs === undefined && steps < 1_000; steps++) {
      await turnsDone();
      if (atMs === undefined) await clock.advance(10);
    }
    await done;
    return atMs ?? Number.NaN;
  };
  return { run, captures: () => captures };
}

t.test('a picture that stands still is taken after a quarter of a second', async (t) => {
  const { run, captures } = open([]);
  t.equal(await run(), 250);
  t.ok(captures() <= 7, 'it is looked at now and then');
});

t.test('one that moves is waited for', async (t) => {
  const motion = Array.from({ length: 40 }, (_, index) => index * 16);
  const atMs = await open(motion).run();
  t.ok(atMs >= 624 + 250 && atMs <= 624 + 350, `${atMs} ms`);
});

t.test('one that never stands still is taken after two seconds', async (t) => {
  const motion = Array.from({ length: 400 }, (_, index) => index * 16);
  const atMs = await open(motion).run();
  t.ok(atMs >= 2_000 && atMs <= 2_050, `${atMs} ms`);
});

t.test('a picture that cannot be captured is no reason to wait', async (t) => {
  const gate = new CaptureGate({ capture: async () => Promise.reject(new Error('gone')) });
  await t.rejects(settled(gate, new FakeClock()), { message: 'gone' });
});

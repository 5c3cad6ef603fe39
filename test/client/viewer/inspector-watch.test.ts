import type { Acknowledgement } from '@runcloud/protocol';
import t, { type Test } from 'tap';
import { TreeWatch } from '../../../client/viewer/inspector/tree-watch.ts';
import { globalTimers } from '../../support/global-timers.ts';

function watched(t: Test) {
  const timers = globalTimers(t);
  const state = { reads: 0, told: 0, failed: '', isSeen: true };
  let settle: ((acknowledgement: Acknowledgement) => void) | undefined;
  const watch = new TreeWatch({
    read: () => {
      state.reads++;
      return new Promise((resolve) => {
        settle = resolve;
      });
    },
    now: () => timers.nowMs(),
    isSeen: () => state.isSeen,
    told: () => {
      state.told++;
    },
    failed: (sentence) => {
      state.failed = sentence;
    },
  });
  const answer = async (error?: string): Promise<void> => {
    settle?.({ result: {}, ...(error === undefined ? {} : { error: { message: error } }) } as Acknowledgement);
    await Promise.resolve();
    await Promise.resolve();
  };
  return { timers, state, watch, answer };
}

t.test('changes during a read and its pause are one more read', async (t) => {
  const { timers, state, watch, answer } = watched(t);
  watch.changed();
  t.equal(state.reads, 0, 'none before it is on');
  watch.start();
  for (let times = 0; times < 9; times++) watch.changed();
  t.equal(state.reads, 1);
  await answer();
  t.equal(state.told, 1);
  watch.changed();
  timers.advance(299);
  t.equal(state.reads, 1);
  timers.advance(1);
  t.equal(state.reads, 2);
  await answer();
  timers.advance(60_000);
  t.equal(state.reads, 2, 'a screen that stands still is not read again');
  t.equal(timers.waiting, 0);
});

t.test('a slow device is left in peace for as long as it took', async (t) => {
  const { timers, state, watch, answer } = watched(t);
  watch.start();
  timers.advance(2_000);
  await answer('The device is busy.');
  t.equal(state.failed, 'The device is busy.');
  watch.changed();
  timers.advance(1_999);
  t.equal(state.reads, 1);
  timers.advance(1);
  t.equal(state.reads, 2);
});

t.test('nobody is told of a read that ends after the mode', async (t) => {
  const { timers, state, watch, answer } = watched(t);
  watch.start();
  watch.changed();
  watch.stop();
  await answer();
  t.equal(state.told, 0);
  timers.advance(60_000);
  t.equal(state.reads, 1);
});

t.test('a hidden page reads when it is seen again', async (t) => {
  const { state, watch } = watched(t);
  state.isSeen = false;
  watch.start();
  watch.changed();
  t.equal(state.reads, 0);
  state.isSeen = true;
  watch.resume();
  watch.resume();
  t.equal(state.reads, 1);
});

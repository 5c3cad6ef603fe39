import type { Test } from 'tap';
import { NodeTimers } from './node-timers.ts';

/** The timers of this process, turned by hand until the test has ended. */
export function globalTimers(t: Test): NodeTimers {
  const timers = new NodeTimers();
  const { setTimeout, clearTimeout, setInterval, clearInterval } = globalThis;
  const set = (task: () => void, delayMs = 0) => timers.set(task, delayMs);
  const clear = (timer: Parameters<NodeTimers['clear']>[0]) => timers.clear(timer);
  const repeat = (task: () => void, everyMs = 0) => {
    const again = () => {
      task();
      if (!state.isOver) state.timer = timers.set(again, everyMs);
    };
    const state = { isOver: false, timer: timers.set(again, everyMs) };
    return state;
  };
  const end = (state: ReturnType<typeof repeat> | undefined) => {
    if (!state) return;
    state.isOver = true;
    timers.clear(state.timer);
  };
  Object.assign(globalThis, { setTimeout: set, clearTimeout: clear, setInterval: repeat, clearInterval: end });
  t.teardown(() => Object.assign(globalThis, { setTimeout, clearTimeout, setInterval, clearInterval }));
  return timers;
}

import type { UiCondition, UiNode } from '@runcloud/protocol';
import t from 'tap';
import { DeviceFault } from '../../../server/device/fault.ts';
import type { UiScreen } from '../../../server/device/ui.ts';
import { CaptureGate } from '../../../server/host/capture-gate.ts';
import { UiFrames } from '../../../server/host/ui/ui-frames.ts';
import { Waits } from '../../../server/host/ui/waits.ts';
import { FakeClock, settled } from '../../support/fake-clock.ts';
import { solidPicture } from '../../support/scripted-device.ts';

const SAVE = { target: { text: 'Save' } };

/** A device that shows what a test says; each read takes `readMs`, 0 for at once. */
function deviceWith(readMs = 0) {
  const clock = new FakeClock();
  const shown: { nodes: UiNode[]; fault: DeviceFault | undefined; version: number } = {
    nodes: [],
    fault: undefined,
    version: 1,
  };
  let captures = 0;
  let reads = 0;
  let running = 0;
  let most = 0;
  let aborted = 0;
  const screen = (): UiScreen => {
    if (shown.fault) throw shown.fault;
    return { screen: 'on', orientation: 'portrait', nodes: [...shown.nodes] };
  };
  const slow = async (signal: AbortSignal): Promise<UiScreen> => {
    running++;
    most = Math.max(most, running);
    try {
      // What it tells of is what there is when it begins.
      const told = screen();
      await new Promise<void>((resolve, reject) => {
        signal.addEventListener('abort', () => {
          aborted++;
          reject(signal.reason);
        });
        clock.schedule(readMs, resolve);
      });
      return told;
    } finally {
      running--;
    }
  };
  const frames = new UiFrames({
    read: (signal) => {
      reads++;
      return readMs === 0 ? screen() : slow(signal);
    },
  });
  const gate = new CaptureGate({
    capture: async () => {
      captures++;
      return solidPicture(shown.version, 0);
    },
  });
  const waits = new Waits(frames, gate, clock);
  const wait = (condition: UiCondition = SAVE) => {
    const controller = new AbortController();
    const heard: unknown[] = [];
    const done = waits.wait(condition, controller.signal).then(
      (answer) => void heard.push(answer),
      (error) => void heard.push(error),
    );
    return { heard, done, cancel: () => controller.abort() };
  };
  const tell = (...names: string[]) => {
    const frame = { x: 0, y: 0, width: 1, height: 0.1 };
    shown.nodes = names.map((name) => ({ role: 'button', name, frame, actions: ['tap'] }));
  };
  return {
    clock,
    frames,
    gate,
    waits,
    wait,
    show: (...names: string[]) => {
      tell(...names);
      shown.version++;
    },
    /** Without a change of the picture. */
    tell,
    fail: (fault: DeviceFault | undefined) => {
      shown.fault = fault;
    },
    move: () => {
      shown.version++;
    },
    told: () => ({ reads, captures, most, aborted }),
  };
}

t.test('what is there already is found in the first look', async (t) => {
  const { show, wait, told } = deviceWith();
  show('Save');
  const { heard } = wait();
  await settled();
  t.match(heard, [{ holds: true, frame: 1, count: 1, element: { name: 'Save', ref: '@1' } }]);
  t.equal(told().reads, 1);
});

t.test('what comes and what goes is found soon after', async (t) => {
  const { show, wait, clock } = deviceWith();
  const comes = wait();
  await clock.advance(500);
  t.same(comes.heard, []);
  show('Save');
  await clock.advance(50);
  t.match(comes.heard, [{ holds: true }]);
  const goes = wait({ ...SAVE, not: true });
  await clock.advance(500);
  t.same(goes.heard, []);
  show('Other');
  await clock.advance(50);
  t.match(goes.heard, [{ holds: true, count: 0 }]);
});

t.test('while the picture stays, the elements are read once in a second; then nobody looks', async (t) => {
  const { show, wait, clock, told } = deviceWith();
  show('Other');
  const { heard, cancel } = wait();
  await clock.advance(10_000);
  const { reads, captures } = told();
  t.ok(reads >= 9 && reads <= 11, `${reads} reads`);
  t.ok(captures > 300, `${captures} looks at the picture`);
  cancel();
  await settled();
  t.match(heard, [{ kind: 'aborted', message: 'No element "Save" in frame 1.' }]);
  await clock.advance(10_000);
  t.ok(told().captures <= captures + 1);
  t.equal(clock.waiting, 0, 'no timer is left');
});

t.test('an app that tells of an element after it has drawn it is read again', async (t) => {
  const { show, tell, wait, clock } = deviceWith();
  show('Other');
  const { heard } = wait();
  await clock.advance(100);
  tell('Save');
  await clock.advance(1_100);
  t.match(heard, [{ holds: true }]);
});

t.test('pictures that others capture are not captured again', async (t) => {
  const { show, move, wait, clock, gate, told } = deviceWith();
  show('Other');
  const { cancel } = wait();
  await clock.advance(100);
  const { captures } = told();
  for (let count = 0; count < 50; count++) {
    move();
    await gate.capture(() => undefined);
    await clock.advance(25);
  }
  t.ok(told().captures - captures <= 52, `${told().captures - captures} captures`);
  cancel();
});

t.test('what nobody is told ends no frame', async (t) => {
  const { show, wait, clock, frames } = deviceWith();
  show('Other');
  const { signal } = new AbortController();
  t.match(await frames.read(signal), { frame: 1 });
  const { cancel } = wait();
  await clock.advance(100);
  show('Another');
  await clock.advance(100);
  show('Other');
  await clock.advance(100);
  t.match(await frames.read(signal), { frame: 1 });
  cancel();
});

t.test('reads that take long come one after the other, and each serves all who wait', async (t) => {
  const { show, move, wait, clock, told } = deviceWith(2_000);
  show('Other');
  const all = Array.from({ length: 20 }, () => wait());
  await clock.advance(1_000);
  show('Save');
  const late = wait();
  await clock.advance(1_001);
  t.same(all[0]?.heard, [], 'the first look was begun before');
  await clock.advance(2_100);
  for (const { heard } of [...all, late]) t.match(heard, [{ holds: true }]);
  const { reads, most } = told();
  t.same({ reads, most }, { reads: 2, most: 1 });
  move();
  await clock.advance(10_000);
  t.equal(told().reads, 2);
});

t.test('a read that runs is no reason to wait for a cancel, and ends when nobody wants it', async (t) => {
  const { wait, clock, told } = deviceWith(10_000);
  const [one, other] = [wait(), wait()];
  await clock.advance(100);
  one.cancel();
  await settled();
  t.match(one.heard, [{ kind: 'aborted', message: 'No look at the screen has ended in that time.' }]);
  t.equal(told().aborted, 0);
  other.cancel();
  await settled();
  t.equal(told().aborted, 1);
});

t.test('an input during a long read makes its frame expire', async (t) => {
  const { show, frames, clock } = deviceWith(2_000);
  show('Save');
  const reading = frames.read(new AbortController().signal);
  await clock.advance(1_000);
  frames.expire();
  await clock.advance(1_001);
  t.match(await reading, { frame: 1 });
  t.strictSame(frames.inForce, { frame: undefined, newest: 1 });
});

t.test('an app that moves is read the next time, and says so at the end', async (t) => {
  const { show, fail, wait, clock } = deviceWith();
  show('Save');
  fail(new DeviceFault('failed', 'The app in front does not stand still.'));
  const [met, unmet] = [wait(), wait({ target: { text: 'Never' } })];
  await clock.advance(300);
  unmet.cancel();
  await settled();
  t.match(unmet.heard, [{ kind: 'aborted', message: 'The app in front does not stand still.' }]);
  fail(undefined);
  await clock.advance(2_000);
  t.match(met.heard, [{ holds: true }]);
});

t.test('a device that is gone, or cannot tell, ends the waits', async (t) => {
  const { show, fail, wait, waits, clock } = deviceWith();
  show('Other');
  fail(new DeviceFault('unreachable', 'It is gone.'));
  const gone = wait();
  await clock.advance(30);
  t.match(gone.heard, [{ kind: 'unreachable', message: 'It is gone.' }]);
  fail(undefined);
  const closed = wait();
  await clock.advance(30);
  waits.close();
  await settled();
  t.match(closed.heard, [{ kind: 'unreachable' }]);
});

t.test('a wait that is cancelled before it begins does not begin', async (t) => {
  const { waits, told } = deviceWith();
  await t.rejects(waits.wait(SAVE, AbortSignal.abort()), { message: 'No look at the screen has ended in that time.' });
  t.equal(told().reads, 0);
});

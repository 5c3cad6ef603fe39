import t from 'tap';
import { SimulatorKeyboard } from '../../../server/drivers/ios/simulator-keyboard.ts';
import { FakeClock } from '../../support/fake-clock.ts';

/** A keyboard of a helper that says only after `lateMs` that it has what it was told. */
function keyboard(lateMs: number) {
  const clock = new FakeClock(0);
  const told: string[] = [];
  const tell = (what: string) => void told.push(`${what} ${clock.monotonicMs()}`);
  const helper = {
    key: (direction: string, usage: number) => tell(`${direction} ${usage}`),
    button: (direction: string, button: string) => tell(`${direction} ${button}`),
    taken: () => new Promise<void>((resolve) => void clock.schedule(lateMs, resolve)),
  };
  return { clock, told, keyboard: new SimulatorKeyboard(helper, clock), abort: new AbortController() };
}

t.test(
  'a key is held for as long as was asked from when the helper has it, and its modifiers outlast it',
  async (t) => {
    const { clock, told, keyboard: keys, abort } = keyboard(70);
    const pressed = keys.pressKey('a', ['shift', 'meta'], 500, abort.signal);
    await clock.advance(2_000);
    await pressed;
    t.same(told, ['down 225 0', 'down 227 0', 'down 4 0', 'up 4 570', 'up 227 570', 'up 225 570']);
  },
);

t.test('a button is held the same way', async (t) => {
  const { clock, told, keyboard: keys, abort } = keyboard(70);
  const pressed = keys.pressButton('power', 500, abort.signal);
  await clock.advance(2_000);
  await pressed;
  t.same(told, ['down power 0', 'up power 570']);
});

t.test('typed keys follow each other with a pause, one at a time', async (t) => {
  const { clock, told, keyboard: keys, abort } = keyboard(0);
  const typed = keys.type('aB', abort.signal);
  await clock.advance(1_000);
  await typed;
  t.same(told, ['down 4 0', 'up 4 8', 'down 225 16', 'down 5 16', 'up 5 24', 'up 225 24']);
});

t.test('keys that are aborted are released at once, and the remaining ones are not pressed', async (t) => {
  for (const work of ['pressKey', 'pressButton', 'type'] as const) {
    const { clock, told, keyboard: keys, abort } = keyboard(0);
    const { signal } = abort;
    const done = {
      pressKey: () => keys.pressKey('a', ['shift'], 10_000, signal),
      pressButton: () => keys.pressButton('power', 10_000, signal),
      type: () => keys.type('abc', signal),
    }[work]();
    done.catch(() => undefined);
    await clock.advance(work === 'type' ? 4 : 100);
    abort.abort();
    await t.rejects(done, { name: 'DeviceFault', kind: 'aborted' });
    const ups = told.filter((line) => line.startsWith('up')).length;
    t.equal(ups, told.length / 2, told.join(', '));
    await clock.advance(20_000);
    t.equal(told.length, ups * 2);
    await t.rejects(keys.pressKey('a', [], 20, signal), { name: 'DeviceFault', kind: 'aborted' });
    t.equal(told.length, ups * 2, 'nothing is pressed for who has gone');
  }
});

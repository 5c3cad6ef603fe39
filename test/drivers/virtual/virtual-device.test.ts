import type { InteractionRequest } from '@runcloud/protocol';
import t from 'tap';
import { VirtualDevice } from '../../../server/drivers/virtual/virtual-device.ts';
import { FakeClock, settled } from '../../support/fake-clock.ts';
import { standing } from '../../support/session-arena.ts';

const COMMON = { requestId: 'r', timeoutMs: 60_000 };

function open(t: { teardown(task: () => unknown): void }, platform: 'ios' | 'android' = 'ios') {
  const clock = new FakeClock();
  const device = new VirtualDevice({ platform }, clock);
  t.teardown(() => device.close());
  const abort = new AbortController();
  const told: number[] = [];
  const context = { inputSeq: 1, signal: abort.signal, onStep: (steps: number) => void told.push(steps) };
  const perform = (request: InteractionRequest) => {
    const performed = device.perform(request, context);
    performed.catch(() => undefined);
    return performed;
  };
  return { clock, device, abort, told, perform };
}

t.test('a key is held down for its time and then let go', async (t) => {
  const { clock, device, perform } = open(t);
  const pressed = perform({ ...COMMON, action: 'pressKey', key: 'a', modifiers: ['shift'], durationMs: 400 });
  await clock.advance(399);
  t.strictSame((await device.inspect()).heldKeys, ['a']);
  t.equal(await standing(pressed), 'pending');
  await clock.advance(1);
  t.strictSame(await pressed, { key: 'a', modifiers: ['shift'], durationMs: 400 });
  t.match(await device.inspect(), { heldKeys: { length: 0 }, modifiers: { length: 0 } });
});

t.test('a hold that is ended lets go before it says so', async (t) => {
  const { clock, device, abort, perform } = open(t);
  const pressed = perform({ ...COMMON, action: 'pressButton', button: 'volumeUp', durationMs: 30_000 });
  await clock.advance(100);
  t.strictSame((await device.inspect()).heldButtons, ['volumeUp']);
  abort.abort();
  await t.rejects(pressed, { name: 'DeviceFault', kind: 'aborted' });
  t.strictSame((await device.inspect()).heldButtons, []);
  t.equal(clock.waiting, 0);
});

t.test('a momentary button is pressed for a moment, whatever hold was asked for', async (t) => {
  const { clock, perform } = open(t);
  const pressed = perform({ ...COMMON, action: 'pressButton', button: 'home', durationMs: 30_000 });
  await clock.advance(50);
  t.strictSame(await pressed, { button: 'home', durationMs: 50 });
});

t.test('on the other platform the same button is held', async (t) => {
  const { clock, perform } = open(t, 'android');
  const pressed = perform({ ...COMMON, action: 'pressButton', button: 'home', durationMs: 1_000 });
  await clock.advance(999);
  t.equal(await standing(pressed), 'pending');
  await clock.advance(1);
  t.strictSame(await pressed, { button: 'home', durationMs: 1_000 });
});

t.test('a swipe keeps its finger down for its time', async (t) => {
  const { clock, device, perform } = open(t);
  const swiped = perform({
    ...COMMON,
    action: 'swipe',
    from: { x: 0.5, y: 0.8 },
    to: { x: 0.5, y: 0.2 },
    durationMs: 300,
  });
  await settled();
  t.equal((await device.inspect()).pointers.length, 1);
  await clock.advance(290);
  t.equal(await standing(swiped), 'pending');
  await clock.advance(11);
  t.strictSame(await swiped, { pointCount: 1, durationMs: 300 });
  t.equal((await device.inspect()).pointers.length, 0);
});

t.test('a gesture of two fingers that is ended lifts both and counts its steps', async (t) => {
  const { clock, device, abort, told, perform } = open(t);
  const points = [
    { x: 0.3, y: 0.5 },
    { x: 0.7, y: 0.5 },
  ];
  const steps = (['begin', 'move', 'end'] as const).map((phase) => ({
    phase,
    points,
    delayMs: phase === 'end' ? 0 : 100,
  }));
  const played = perform({ ...COMMON, action: 'gesture', steps });
  await clock.advance(150);
  t.equal((await device.inspect()).pointers.length, 2);
  abort.abort();
  await t.rejects(played, { name: 'DeviceFault', kind: 'aborted', dispatchedSteps: 2 });
  t.equal((await device.inspect()).pointers.length, 0);
  t.strictSame(told, [1, 2]);
});

t.test('a gesture tells how many fingers and steps it had', async (t) => {
  const { clock, perform } = open(t);
  const points = [{ x: 0.3, y: 0.5 }];
  const steps = (['begin', 'end'] as const).map((phase) => ({ phase, points, delayMs: 0 }));
  const played = perform({ ...COMMON, action: 'gesture', steps });
  await clock.advance(1);
  t.strictSame(await played, { pointCount: 1, dispatchedSteps: 2 });
});

t.test('a rotation is told to the listener before it is answered', async (t) => {
  const { device, perform } = open(t);
  const story: string[] = [];
  device.onOrientation((orientation) => void story.push(orientation));
  const result = await perform({ ...COMMON, action: 'rotate', orientation: 'landscape_left' });
  t.strictSame(story, ['landscape_left']);
  t.strictSame(result, { orientation: 'landscape_left' });
  t.equal(device.orientation, 'landscape_left');
});

t.test('keys and touches that are held down can be released from outside', async (t) => {
  const { clock, device, perform } = open(t);
  await device.pointer('begin', [{ x: 0.5, y: 0.5 }], 1);
  const pressed = perform({ ...COMMON, action: 'pressKey', key: 'a', modifiers: [], durationMs: 500 });
  await settled();
  await device.releaseAll();
  t.match(await device.inspect(), { pointers: { length: 0 }, heldKeys: { length: 0 } });
  await clock.advance(500);
  await t.resolves(pressed);
});

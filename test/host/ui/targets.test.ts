import type { ActionFields, UiNode } from '@runcloud/protocol';
import t from 'tap';
import { DeviceFault, TargetFault } from '../../../server/device/fault.ts';
import type { UiScreen } from '../../../server/device/ui.ts';
import { Targets, withTargets } from '../../../server/host/ui/targets.ts';
import { UiFrames, type UiReading } from '../../../server/host/ui/ui-frames.ts';
import { FakeClock } from '../../support/fake-clock.ts';

const button = (name: string, more: Partial<UiNode> = {}): UiNode => ({
  role: 'button',
  name,
  frame: { x: 0.2, y: 0.4, width: 0.2, height: 0.2 },
  actions: ['tap'],
  ...more,
});

/** A device that shows what a test says, and takes down what reaches it. */
function deviceWith(...nodes: UiNode[]) {
  const clock = new FakeClock();
  const controller = new AbortController();
  const performed: object[] = [];
  const screen = { screen: 'on', app: 'App', orientation: 'portrait', nodes, missing: [] as string[] };
  let reads = 0;
  const read = (): UiScreen => {
    reads++;
    return { ...screen } as UiScreen;
  };
  const frames = new UiFrames({ read });
  const device = {
    perform: async (request: ActionFields) => {
      performed.push(request);
      onInput();
      return request.action === 'tap' ? { pointCount: 1 } : { characterCount: 1 };
    },
  };
  let onInput = (): void => undefined;
  const targets = new Targets(device, frames, clock);
  const perform = (request: object) => {
    const whole = { waitMs: 2_000, ...request } as Parameters<typeof targets.perform>[0];
    return targets.perform(whole, { inputSeq: 1, signal: controller.signal });
  };
  const tap = (target: object, more = {}) => perform({ action: 'tapElement', target, ...more });
  return {
    clock,
    controller,
    performed,
    screen,
    frames,
    perform,
    tap,
    get reads() {
      return reads;
    },
    see: () => (frames.read(controller.signal) as UiReading).frame,
    onInput: (then: () => void) => {
      onInput = then;
    },
  };
}

const turns = async (): Promise<void> => {
  for (let turn = 0; turn < 20; turn++) await Promise.resolve();
};

t.test('an element that is there is pressed in the turn of its dispatch, and the result says where', async (t) => {
  const device = deviceWith(button('Save'), button('Other'));
  const tapped = device.tap({ text: 'save' });
  await turns();
  t.strictSame(device.performed, [{ action: 'tap', x: 0.3, y: 0.5 }]);
  t.strictSame(await tapped, { pointCount: 1, x: 0.3, y: 0.5, frame: 1 });
  t.equal(device.see(), 2, 'its frame has expired');
});

t.test('it waits for exactly one, looking at least every 50 ms', async (t) => {
  const device = deviceWith();
  const tapped = device.tap({ text: 'save' });
  for (let ms = 0; ms < 500; ms += 25) {
    await turns();
    await device.clock.advance(25);
  }
  t.ok(device.reads >= 10, `${device.reads} looks in 500 ms`);
  device.screen.nodes = [button('Save'), button('Save')];
  await device.clock.advance(50);
  await turns();
  t.strictSame(device.performed, []);
  device.screen.nodes = [button('Save', { disabled: true })];
  await device.clock.advance(50);
  await turns();
  t.strictSame(device.performed, []);
  device.screen.nodes = [button('Save')];
  await device.clock.advance(50);
  t.match(await tapped, { x: 0.3, y: 0.5 });
});

t.test(
  'when the wait is over it fails by what it saw last, nothing was pressed, and the frame stays in force',
  async (t) => {
    const cases: [UiNode[], string, RegExp][] = [
      [[button('Load')], 'absent', /^No element "save" in frame \d+\.$/],
      [
        [button('Save'), button('Save')],
        'several',
        /^2 elements fit element "save" in frame \d+: button "Save" @1, button "Save" @2\.$/,
      ],
      [[button('Save', { disabled: true })], 'disabled', /^The button "Save" @1 of frame \d+ cannot be used now\.$/],
    ];
    for (const [nodes, target, message] of cases) {
      const device = deviceWith(...nodes);
      const frame = device.see();
      const failed = device.tap({ text: 'save' }, { waitMs: 100 }).catch((error: unknown) => error);
      for (let ms = 0; ms < 200; ms += 25) {
        await turns();
        await device.clock.advance(25);
      }
      const error = await failed;
      t.ok(error instanceof TargetFault);
      t.match(error, { target, message });
      t.strictSame(device.performed, []);
      t.equal(device.see(), frame);
    }
  },
);

t.test('an abort ends the wait', async (t) => {
  const device = deviceWith();
  const failed = device.tap({ text: 'save' }).then(
    () => 'tapped',
    () => 'ended',
  );
  await turns();
  device.controller.abort();
  t.equal(await failed, 'ended');
  device.screen.nodes = [button('Save')];
  await device.clock.advance(5_000);
  await turns();
  t.strictSame(device.performed, []);
});

t.test('a ref is used in its frame alone, and each other case says why', async (t) => {
  const device = deviceWith(button('Save'));
  const kindOf = (ref: string, frame: number) =>
    device.tap({ ref, frame }).then(
      () => 'tapped',
      (error: TargetFault) => error.target,
    );
  t.equal(await kindOf('@1', 1), 'notIssued', 'before the first frame');
  t.equal(device.see(), 1);
  t.equal(await kindOf('@2', 1), 'notIssued');
  t.equal(await kindOf('@1', 2), 'notIssued');
  t.equal(await kindOf('@1', 1), 'tapped');
  t.equal(await kindOf('@1', 1), 'expired');
  t.equal(device.see(), 2);
  t.equal(await kindOf('@1', 1), 'otherFrame');
  device.screen.nodes = [button('Cancel')];
  t.equal(await kindOf('@1', 2), 'otherFrame', 'the screen has changed by itself');
  t.equal(await kindOf('@1', 3), 'tapped');
  device.screen.nodes = [button('Cancel', { disabled: true })];
  device.see();
  t.equal(await kindOf('@1', 4), 'disabled');
  t.equal(device.performed.length, 2);
});

t.test('text goes into a field that can be typed into, which is tapped unless it has the focus', async (t) => {
  const field = (more: Partial<UiNode> = {}) =>
    button('Name', { role: 'textfield', actions: ['tap', 'type'], ...more });
  const device = deviceWith(button('Name'), field());
  device.onInput(() => {
    device.screen.nodes = [field({ focused: true })];
  });
  const typed = { action: 'typeText', text: 'a', target: { text: 'name' } };
  t.strictSame(await device.perform(typed), { characterCount: 1, x: 0.3, y: 0.5, frame: 1 });
  t.strictSame(device.performed, [
    { action: 'tap', x: 0.3, y: 0.5 },
    { action: 'typeText', text: 'a' },
  ]);
  await device.perform(typed);
  t.strictSame(device.performed.slice(2), [{ action: 'typeText', text: 'a' }]);
});

t.test('a field that does not take the focus gets no text; a device that cannot tell gets it', async (t) => {
  const device = deviceWith(button('Name', { actions: ['type'] }));
  const typed = { action: 'insertText', text: 'a', target: { text: 'name' } };
  const failed = device.perform(typed).catch((error: unknown) => error);
  for (let ms = 0; ms < 1_200; ms += 25) {
    await turns();
    await device.clock.advance(25);
  }
  t.match(
    await failed,
    new DeviceFault('failed', 'The button "Name" @1 was tapped and did not take the focus; nothing was typed.'),
  );
  t.strictSame(device.performed, [{ action: 'tap', x: 0.3, y: 0.5 }]);
  device.screen.missing = ['focused'];
  await device.perform(typed);
  t.match(device.performed.at(-1), { action: 'insertText' });
});

t.test('a screen that is off has no elements', async (t) => {
  const device = deviceWith();
  device.screen.screen = 'off';
  const failed = device.tap({ text: 'a' }, { waitMs: 0 }).catch((error: unknown) => error);
  await turns();
  await device.clock.advance(50);
  t.match(await failed, { target: 'absent', message: 'The screen is off.' });
});

t.test('only devices that tell of their elements and take taps have the action', async (t) => {
  const can = (ui: boolean, ...actions: string[]) => withTargets({ ...(ui && { ui }), actions } as never).actions;
  t.strictSame(can(true, 'tap', 'swipe'), ['tap', 'tapElement', 'swipe']);
  t.strictSame(can(true, 'swipe'), ['swipe']);
  t.strictSame(can(false, 'tap'), ['tap']);
});

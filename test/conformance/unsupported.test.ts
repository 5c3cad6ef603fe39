import type { DeviceCapabilities } from '@runcloud/protocol';
import { BUTTONS, type Button, CAPABILITIES, PLATFORMS, type Platform, RENDER_OPTIONS } from '@runcloud/protocol/terms';
import t from 'tap';
import { ControlClient } from '../support/control-client.ts';
import { type Case, conform, conformOnStages } from './conform.ts';
import { LOCK_KEYS } from './keyboard-layout.ts';
import { type Action, newRequestId } from './subject.ts';

const IOS_BUTTONS: readonly Button[] = ['back', 'menu', 'digitalCrown'];
const ANDROID_BUTTONS: readonly Button[] = ['sideButton', 'actionButton', 'digitalCrown'];

const CROWN: readonly Action[] = [1, -10_000, 0.5].map((delta) => ({ action: 'rotateDigitalCrown', delta }));

const pressing = (buttons: readonly Button[]): readonly Action[] =>
  buttons.flatMap((button) => [
    { action: 'pressButton', button },
    { action: 'pressButton', button, durationMs: 2_000 },
  ]);

/** Every cell of the capability matrix that says no. */
const REFUSED: Readonly<Record<Platform, readonly Action[]>> = {
  ios: [{ action: 'rotate', orientation: 'portrait_upside_down' }, ...CROWN, ...pressing(IOS_BUTTONS)],
  android: [
    ...CROWN,
    ...pressing(ANDROID_BUTTONS),
    ...LOCK_KEYS.map((key) => ({ action: 'pressKey', key })),
    { action: 'pressKey', key: 'capsLock', modifiers: ['shift'], durationMs: 100 },
    ...RENDER_OPTIONS.map((option) => ({ action: 'setRenderDebug', option, enabled: true })),
    { action: 'setRenderDebug', option: 'slowAnimations', enabled: false },
  ],
};

t.test('the platforms declare what the matrix says, no less and no more', async (t) => {
  const without = (refused: readonly Button[]) => BUTTONS.filter((button) => !refused.includes(button)).sort();
  const { ios, android } = CAPABILITIES;
  t.same([...ios.buttons].sort(), without(IOS_BUTTONS));
  t.same([...android.buttons].sort(), without(ANDROID_BUTTONS));
  t.same([ios.lockKeys, android.lockKeys], [true, false]);
  t.same([ios.renderOptions, android.renderOptions], [RENDER_OPTIONS, []]);
  t.same(ios.orientations, ['portrait', 'landscape_left', 'landscape_right']);
  t.same(android.orientations, ['portrait', 'portrait_upside_down', 'landscape_left', 'landscape_right']);
});

const target = { role: 'textfield' };
const ON_ELEMENTS = [
  { action: 'tapElement', target },
  { action: 'scrollTo', target },
  { action: 'typeText', text: 'a', target },
  { action: 'insertText', text: 'a', target },
] as const;

/** Actions that the platform has and a device with these capabilities lacks. */
function lacking(can: DeviceCapabilities, platform: Platform): readonly Action[] {
  const { buttons, renderOptions } = CAPABILITIES[platform];
  const points = [
    { x: 0.4, y: 0.5 },
    { x: 0.6, y: 0.5 },
  ];
  const steps = [
    { phase: 'begin', points },
    { phase: 'end', points },
  ];
  return [
    ...(can.fingers === 1 ? [{ action: 'gesture', steps }] : []),
    ...(can.ui
      ? []
      : ON_ELEMENTS.filter(
          ({ action }) => action === 'tapElement' || action === 'scrollTo' || can.actions.includes(action),
        )),
    ...pressing(buttons.filter((button) => !can.buttons.includes(button))),
    ...renderOptions
      .filter((option) => !can.renderOptions.includes(option))
      .map((option) => ({ action: 'setRenderDebug', option, enabled: true })),
  ];
}

const refusals = PLATFORMS.flatMap((platform) =>
  REFUSED[platform].map(
    (action): Case => ({
      title: `${JSON.stringify(action)} is refused and touches nothing`,
      platforms: [platform],
      async prove(t, subject) {
        const before = await subject.inspect();
        const requestId = newRequestId();
        const { acknowledgement, httpStatus = 422 } = await subject.ask({ ...action, requestId });
        const { error, status } = acknowledgement;
        t.match({ status, httpStatus, ...error }, { status: 'failed', httpStatus: 422, code: 'unsupported_action' });
        t.equal(error?.retryable, false);
        t.same(
          [acknowledgement.action, acknowledgement.platform, acknowledgement.requestId],
          [action.action, platform, requestId],
        );
        const message = error?.message ?? '';
        t.ok(message.includes(action.action) && message.includes(platform), message);
        if (action.action === 'rotate') {
          const named = message.split(': ').at(-1);
          t.equal(named, 'portrait, landscape_left, landscape_right.', 'the supported orientations are named');
        }
        t.same(await subject.inspect(), before);
      },
    }),
  ),
);

conform([
  ...refusals,
  {
    title: 'no refusal changes a pixel, and a valid request with a refused id is carried out',
    async prove(t, subject) {
      await subject.open('touch-lab');
      const before = await subject.stillPicture();
      const ids = [];
      for (const action of REFUSED[subject.platform]) {
        const requestId = newRequestId();
        ids.push(requestId);
        await subject.ask({ ...action, requestId });
      }
      t.equal(Buffer.compare(Buffer.from(await subject.transport.screenshot()), before), 0);
      const [requestId = ''] = ids;
      const { acknowledgement } = await subject.ask({ requestId, action: 'tap', x: 0.5, y: 0.5 });
      t.equal(acknowledgement.status, 'completed');
    },
  },
  {
    title: 'what this device does less than its platform is refused and touches nothing',
    needs: (can, platform) => lacking(can, platform).length > 0,
    async prove(t, subject) {
      const before = await subject.inspect();
      for (const action of lacking(subject.can, subject.platform)) {
        const { acknowledgement, httpStatus = 422 } = await subject.ask({ ...action, requestId: newRequestId() });
        const { error, status } = acknowledgement;
        t.match(
          { status, httpStatus, ...error },
          { status: 'failed', httpStatus: 422, code: 'unsupported_action', retryable: false, message: /this device/ },
          JSON.stringify(action),
        );
        t.same(await subject.inspect(), before);
      }
    },
  },
  {
    title: 'a request that is not valid is told so before the platform is asked',
    async prove(t, subject) {
      const wrong: readonly Action[] = [
        { action: 'rotateDigitalCrown', delta: 0 },
        { action: 'rotate', orientation: 'sideways' },
        { action: 'pressButton', button: 'digitalCrown', durationMs: 19 },
        { action: 'setRenderDebug', option: 'colorBlendedLayers', enabled: 'yes' },
      ];
      for (const action of wrong) {
        const { acknowledgement } = await subject.ask({ ...action, requestId: newRequestId() });
        t.equal(acknowledgement.error?.code, 'invalid_interaction', JSON.stringify(action));
      }
    },
  },
]);

conformOnStages([
  {
    title: 'on the socket a refusal is one result: nothing is accepted or dispatched before it',
    async prove(t, { server, session }) {
      const client = await ControlClient.connect(server.url, session, server.rest.authorization);
      await client.interact({ requestId: newRequestId(), action: 'rotateDigitalCrown', delta: 5 });
      await client.interact({ requestId: newRequestId(), action: 'reload' });
      t.same(
        client.answers.map(({ type }) => type),
        ['ready', 'result', 'accepted', 'dispatched', 'result'],
      );
      await client.close();
    },
  },
]);

import {
  ACTION_NAMES,
  CAPABILITIES,
  type Platform,
  platformCapabilities,
  type Role,
  SERVER_MESSAGES,
  type SessionRecord,
} from '@runcloud/protocol';
import { TypeCompiler } from '@sinclair/typebox/compiler';
import t from 'tap';
import { readyMessage } from '../../server/control/ready.ts';

const record: Omit<SessionRecord, 'url'> = {
  id: 'ses_1',
  sessionId: 'ses_1',
  platform: 'ios',
  status: 'active',
  device: { id: 'dev_1', model: 'Virtual', osVersion: '1', width: 1, height: 2, scale: 1, driver: 'virtual' },
  leaseId: 'lse_1',
  orientation: 'portrait',
  createdAt: '2026-01-01T00:00:00.000Z',
  expiresAt: '2026-01-01T02:00:00.000Z',
  inactivityTimeoutMs: 1,
  hardTimeoutMs: 1,
  installAssets: [],
  labels: {},
};
const ready = (platform: Platform, role: Role, openUrl = true, wallMs = 0, can = platformCapabilities(platform)) =>
  readyMessage({ ...record, platform }, role, { can, scope: { openUrl }, wallMs });
const compiled = TypeCompiler.Compile(SERVER_MESSAGES.ready);

t.test('the first message is what the protocol says it is, on both platforms and for both roles', async (t) => {
  for (const platform of ['ios', 'android'] as const) {
    for (const role of ['control', 'view'] as const) {
      const message = ready(platform, role, true, 1_700_000_000_000.5);
      t.ok(compiled.Check(message), `${platform} ${role}`);
      t.match(message, { role, protocol: 1, serverTimeUs: 1_700_000_000_000_500 });
    }
  }
});

t.test('it offers what the device can do and nothing else', async (t) => {
  const ios = ready('ios', 'control').capabilities;
  const android = ready('android', 'control', false).capabilities;
  t.same(
    ios.actions,
    ACTION_NAMES.filter((name) => name !== 'rotateDigitalCrown'),
  );
  t.same(
    android.actions,
    ACTION_NAMES.filter((name) => name !== 'rotateDigitalCrown' && name !== 'setRenderDebug'),
  );
  t.same(ios.buttons, CAPABILITIES.ios.buttons);
  t.notOk(ios.orientations.includes('portrait_upside_down'));
  t.ok(android.orientations.includes('portrait_upside_down'));
  t.same(android.renderOptions, []);
  t.same([ios.openUrl, android.openUrl], [true, false]);
  t.same(ios.screenEncodings, ['tiles', 'h264', 'jpeg', 'png']);
  const attached = { ...record, platform: 'ios' as const, device: { ...record.device, driver: 'ios-simulator' } };
  const can = { can: platformCapabilities('ios'), scope: { openUrl: true }, wallMs: 0 };
  t.same(readyMessage(attached, 'control', can).capabilities.screenEncodings, ['h264', 'tiles', 'jpeg', 'png']);
});

t.test('a device that can do less than its platform says so', async (t) => {
  const can = {
    ...platformCapabilities('android'),
    actions: ['tap'] as const,
    buttons: ['home'] as const,
    ...{ openUrl: false, holds: false, modifiers: false, freeGestures: false },
    fingers: 1 as const,
  };
  const less = ready('android', 'control', true, 0, can);
  t.ok(compiled.Check(less));
  t.match(less.capabilities, can);
  t.match(less.capabilities, { lockKeys: false });
  t.match(ready('ios', 'control').capabilities, {
    fingers: 2,
    freeGestures: true,
    holds: true,
    modifiers: true,
    lockKeys: true,
  });
});

import { ServiceError } from '@runcloud/protocol/terms';
import t from 'tap';
import type { InstallableApp } from '../../server/device/app-package.ts';
import { DeviceFault } from '../../server/device/fault.ts';
import type { ClaimApps } from '../../server/session/app-claim.ts';
import { settled } from '../support/fake-clock.ts';
import { deferred, type ScriptedDevice } from '../support/scripted-device.ts';
import { ACME, openSessions, standing } from '../support/session-arena.ts';
import { WHOLE } from '../support/whole-list.ts';

const APP: InstallableApp = {
  app: { platform: 'ios', identifier: 'a.b', name: 'A', version: '1', urlSchemes: [], linkedHosts: [] },
  file: '/apps/a',
};

/** Claims that are counted: `held` tells how many are not released. */
function claims() {
  const story: string[] = [];
  const state = { held: 0, read: 0 };
  const claim: ClaimApps = ({ accountId }, platform, ids) => {
    story.push(`${accountId} ${platform} ${ids.join(',')}`);
    if (ids.includes('ast_none')) throw new ServiceError('asset_not_found', '"installAssets[0]" names no asset.');
    state.held++;
    let held = true;
    return {
      apps: () => {
        state.read++;
        return ids.map(() => APP);
      },
      release: () => {
        if (held) state.held--;
        held = false;
      },
    };
  };
  return { claim, state, story };
}

t.test('a session holds its apps from its creation to its end, and its record names them', async (t) => {
  const { claim, state, story } = claims();
  const { create, registry } = openSessions(t, claim);
  const { record } = await create({ installAssets: ['ast_1', 'ast_2'] });
  t.same(story, ['acc_acme ios ast_1,ast_2']);
  t.same(record.installAssets, ['ast_1', 'ast_2']);
  t.equal(state.held, 1);
  await registry.release(ACME, record.id);
  t.equal(state.held, 0);
  t.same(registry.read(ACME, record.id).installAssets, ['ast_1', 'ast_2'], 'also afterwards');
});

t.test('apps that cannot be had refuse the session before it takes a device', async (t) => {
  const { claim } = claims();
  const { create, devices, registry } = openSessions(t, claim);
  await t.rejects(create({ installAssets: ['ast_none'] }), { code: 'asset_not_found' });
  t.same(devices, []);
  t.same(registry.list(ACME, {}, WHOLE).items, []);
  await create();
  await create();
  await t.rejects(create({ installAssets: ['ast_none'] }), { code: 'asset_not_found' }, 'whether one is free or not');
});

t.test('a session that does not come about holds nothing', async (t) => {
  const { claim, state } = claims();
  const arena = openSessions(t, claim);
  await arena.create();
  await arena.create();
  await t.rejects(arena.create({ installAssets: ['ast_1'] }), { code: 'simulator_capacity_unavailable' });
  t.equal(state.held, 2);
  const other = openSessions(t, claim);
  other.starting = async () => {
    throw new DeviceFault('failed', 'broken');
  };
  await t.rejects(other.create({ installAssets: ['ast_1'] }), { code: 'simulator_unavailable' });
  t.equal(state.held, 2);
});

t.test('a device that is lost gives its apps back, and so does one that is given up while it starts', async (t) => {
  const { claim, state } = claims();
  const arena = openSessions(t, claim);
  const { record } = await arena.create({ installAssets: ['ast_1'] });
  arena.registry.fail(record.id, 'device_lost');
  while (arena.registry.read(ACME, record.id).status !== 'failed') await settled();
  t.equal(state.held, 0);
  const never = deferred<ScriptedDevice>();
  arena.starting = () => never.promise;
  const creating = arena.create({ installAssets: ['ast_1'] });
  creating.catch(() => undefined);
  t.equal(await standing(creating), 'pending');
  t.equal(state.held, 1);
  const [starting] = arena.registry.list(ACME, { status: 'starting' }, WHOLE).items;
  await arena.registry.release(ACME, starting?.id ?? '');
  await t.rejects(creating);
  t.equal(state.held, 0);
});

t.test('a repeated creation installs nothing anew', async (t) => {
  const { claim, story } = claims();
  const { create } = openSessions(t, claim);
  const first = await create({ installAssets: ['ast_1'] }, 'key');
  const again = await create({ installAssets: ['ast_1'] }, 'key');
  t.equal(again.record.id, first.record.id);
  t.equal(story.length, 1);
  await t.rejects(create({ installAssets: ['ast_2'] }, 'key'), { code: 'duplicate_request' });
});

t.test('apps to install are read when a device has been leased, and not before', async (t) => {
  const { claim, state } = claims();
  const { create } = openSessions(t, claim);
  await create({ installAssets: ['ast_1'] });
  await create({ installAssets: ['ast_1'] });
  t.equal(state.read, 2);
  await t.rejects(create({ installAssets: ['ast_1'] }), { code: 'simulator_capacity_unavailable' });
  t.same(state, { held: 2, read: 2 });
});

t.test('apps that a session installs later are held once until its end, as many as it may have', async (t) => {
  const { claim, state } = claims();
  const { create, registry } = openSessions(t, claim);
  const { record } = await create({ installAssets: ['ast_1', 'ast_2'] });
  t.equal(registry.claimApp(record.id, 'ast_3'), APP);
  t.equal(registry.claimApp(record.id, 'ast_3'), APP, 'installed anew');
  t.equal(state.held, 2, 'those of its creation are one claim');
  t.throws(() => registry.claimApp(record.id, 'ast_none'), { code: 'asset_not_found' });
  for (let count = 3; count < 32; count++) registry.claimApp(record.id, `ast_later${count}`);
  t.throws(() => registry.claimApp(record.id, 'ast_more'), { code: 'invalid_interaction' });
  t.equal(registry.claimApp(record.id, 'ast_3'), APP, 'it is held already');
  t.equal(state.held, 31);
  await registry.release(ACME, record.id);
  t.equal(state.held, 0);
  t.throws(() => registry.claimApp(record.id, 'ast_3'), { code: 'active_session_not_found' });
});

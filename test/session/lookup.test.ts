import t from 'tap';
import { KEY } from '../support/bearers.ts';
import { FOLDABLE, FoldingDevice } from '../support/folding-device.ts';
import { ACME, OTHER, openSessions } from '../support/session-arena.ts';
import { WHOLE } from '../support/whole-list.ts';

t.test('foreign, unknown, released, expired and other-platform sessions are refused alike', async (t) => {
  const { create, registry, clock } = openSessions(t);
  const expired = (await create({ inactivityTimeout: '30s' })).record;
  await clock.advance(31_000);
  t.match(registry.read(ACME, expired.id), { status: 'expired', releaseReason: 'inactivity_timeout' });
  const { record } = await create();
  const ended = (await create()).record;
  await registry.release(ACME, ended.id);
  t.equal(registry.active(ACME, 'ios', record.id).facts.id, record.id);
  const refusals = [
    () => registry.active(OTHER, 'ios', record.id),
    () => registry.active(ACME, 'android', record.id),
    () => registry.active(ACME, 'ios', 'ses_0000000000000000000000'),
    () => registry.active(ACME, 'ios', ended.id),
    () => registry.active(ACME, 'ios', expired.id),
    () => registry.active(ACME, 'ios', '__proto__'),
  ];
  const seen = new Set(
    refusals.map((refused) => {
      try {
        return `found ${refused().facts.id}`;
      } catch (error) {
        return JSON.stringify([error, String(error)]);
      }
    }),
  );
  t.equal(seen.size, 1);
  t.match([...seen][0], /active_session_not_found/);
});

t.test('a record is read by its own account only, also after the end', async (t) => {
  const { create, registry } = openSessions(t);
  const { record } = await create();
  await registry.release(ACME, record.id);
  t.match(registry.read(ACME, record.id), { status: 'released' });
  for (const [owner, id] of [
    [OTHER, record.id],
    [ACME, 'ses_unknown'],
  ] as const) {
    t.throws(() => registry.read(owner, id), { code: 'session_not_found' });
    await t.rejects(registry.release(owner, id), { code: 'session_not_found' });
  }
});

t.test(
  'a connecting client gets the record as it is read, but never the address, with which a viewer could control the device',
  async (t) => {
    const { create, registry, live, devices, clock } = openSessions(t);
    const { record } = await create({ labels: { team: 'a' } });
    const session = live(record.id);
    const described = () => {
      const { url: _address, ...rest } = registry.read(ACME, record.id);
      t.notOk('url' in registry.describe(session));
      t.strictSame(registry.describe(session), rest);
      return registry.describe(session);
    };
    t.match(described(), { status: 'active', labels: { team: 'a' }, orientation: 'portrait' });
    devices[0]?.turn('landscape_left');
    await clock.advance(0);
    t.match(described(), { orientation: 'landscape_left' });
    await registry.release(ACME, record.id);
    t.throws(() => registry.describe(session), { code: 'session_not_found' });
  },
);

t.test('a list is newest first, of one account, narrowed by platform and status', async (t) => {
  const { create, registry, clock } = openSessions(t);
  const ids: string[] = [];
  for (const platform of ['ios', 'android', 'ios']) {
    ids.push((await create({ platform })).record.id);
    await clock.advance(5);
  }
  await registry.release(ACME, ids[0] ?? '');
  const listed = (filter: Parameters<typeof registry.list>[1], owner = ACME) =>
    registry.list(owner, filter, WHOLE).items.map(({ id }) => ids.indexOf(id));
  t.strictSame(listed({}), [2, 1, 0]);
  t.strictSame(listed({ platform: 'ios' }), [2, 0]);
  t.strictSame(listed({ platform: 'ios', status: 'active' }), [2]);
  t.strictSame(listed({ status: 'released' }), [0]);
  t.strictSame(listed({}, OTHER), []);
});

t.test('a device that is turned shows in the record and is told to its sockets', async (t) => {
  const { create, registry, devices, live, clock } = openSessions(t);
  const { record } = await create();
  const told: unknown[] = [];
  live(record.id).connect({
    id: 'con_1',
    role: 'view',
    bearer: KEY,
    tell: (event) => void told.push(event),
    end: () => undefined,
  });
  devices[0]?.turn('landscape_left');
  await clock.advance(0);
  t.strictSame(told, [{ type: 'event', event: 'orientation', orientation: 'landscape_left' }]);
  t.equal(registry.read(ACME, record.id).orientation, 'landscape_left');
  t.equal((await registry.release(ACME, record.id)).orientation, 'landscape_left');
});

t.test('a device that is folded shows in the record, in `ready` and to its sockets', async (t) => {
  const arena = openSessions(t);
  const device = new FoldingDevice();
  arena.starting = async () => device;
  const { record } = await arena.create();
  t.strictSame(record.device, { id: record.device.id, ...FOLDABLE });
  const session = arena.live(record.id);
  const told: unknown[] = [];
  session.connect({
    id: 'con_1',
    role: 'view',
    bearer: KEY,
    tell: (event) => void told.push(event),
    end: () => undefined,
  });
  device.activate('outer');
  await arena.clock.advance(0);
  const { displays, width, height } = device.descriptor;
  t.strictSame(told, [{ type: 'event', event: 'displays', displays }]);
  t.strictSame(session.device.descriptor, device.descriptor);
  for (const { device: shown } of [arena.registry.read(ACME, record.id), arena.registry.describe(session)]) {
    t.match(shown, { width, height, displays });
  }
  t.match((await arena.registry.release(ACME, record.id)).device, { width, height, displays }, 'and it is kept');
});

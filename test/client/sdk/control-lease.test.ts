import t from 'tap';
import { RunCloud, RunCloudError } from '../../../client/sdk/index.ts';
import { ControlClient } from '../../support/control-client.ts';
import { startServer, TEST_KEY } from '../../support/server.ts';
import { until } from '../../support/until.ts';

const server = await startServer();
t.teardown(() => server.close());
const cloud = new RunCloud({ apiKey: TEST_KEY, baseUrl: server.url });

const failed = (call: Promise<unknown>) =>
  call.then(
    () => undefined,
    (error: unknown) => (error instanceof RunCloudError ? error : undefined),
  );

for (const transport of ['REST', 'the control socket']) {
  t.test(`control is asked for, granted, refused and given up over ${transport}`, async (t) => {
    const session = await cloud.sessions.create({ platform: 'ios' });
    t.teardown(() => session.delete());
    const { controlLease } = session;
    const events: unknown[] = [];
    if (transport !== 'REST') {
      const control = await session.connect();
      control.on('event', (event) => void (event.event === 'control' && events.push(event.control)));
      t.match(control.ready.participant, { owner: true });
    }
    t.same(await controlLease.read(), { waiting: [] });
    const mine = await controlLease.request();
    t.equal(mine.control.holder?.id, mine.participant.id);
    t.match((await session.read()).control, { holder: { owner: true } });

    const guest = await ControlClient.connectWithToken(server.url, (await session.read()) as never, server.url);
    guest.send({ type: 'control.request', requestId: 'g-1' });
    await guest.result('g-1');
    const [waiting] = (await controlLease.read()).waiting;
    t.match((await controlLease.grant(waiting?.id ?? '')).control, { holder: { id: waiting?.id }, waiting: [] });
    const error = await failed(session.tap(0.5, 0.5));
    t.match(error, { code: 'not_in_control', retryable: true });
    t.match(error?.message, /^Session link has control of this session since /);
    t.match(await session.tap(0.5, 0.5, { force: true }), { status: 'completed' });
    t.match(await session.openUrl('https://a.example', { force: true }), { ok: true });
    t.match(await session.clipboard.write('forced', { force: true }), { text: 'forced' });
    t.match(await failed(session.clipboard.write('not')), { code: 'not_in_control' });
    t.match(await session.clipboard.read(), { text: 'forced' });
    t.ok((await session.screenshot()).length > 0);
    t.equal((await failed(controlLease.deny('prt_nobody')))?.code, 'control_request_not_found');
    t.match((await controlLease.take()).control, { holder: { id: mine.participant.id } });
    t.match(await session.tap(0.5, 0.5), { status: 'completed' });
    guest.send({ type: 'control.request', requestId: 'g-2' });
    await guest.result('g-2');
    t.same((await controlLease.deny(waiting?.id ?? '')).control.waiting, []);
    t.same((await controlLease.release()).control, { waiting: [] });
    if (transport !== 'REST') await until(async () => events.length === 7, 'all changes are told');
    t.throws(() => controlLease.grant(7 as never), TypeError);
    await guest.close();
  });
}

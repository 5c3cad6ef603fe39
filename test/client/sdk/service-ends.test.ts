import t from 'tap';
import { RunCloud } from '../../../client/sdk/index.ts';
import { TEST_KEY } from '../../support/server.ts';
import { serverProgram, temporaryDataDir } from '../../support/server-process.ts';

t.test('after a kill every call ends with an error, and no call waits for ever', async (t) => {
  const data = temporaryDataDir();
  const environment = { RUNCLOUD_API_KEY: TEST_KEY, RUNCLOUD_LOG: 'error' };
  const program = serverProgram(data.path, environment);
  t.teardown(async () => {
    program.signal('SIGKILL');
    await program.ended;
    data.remove();
  });
  const cloud = new RunCloud({ apiKey: TEST_KEY, baseUrl: await program.ready() });
  const session = await cloud.sessions.create({ platform: 'android' });
  const control = await session.connect();
  const hold = session.pressButton('power', { durationMs: 10_000, timeoutMs: 1_000 }).catch((error: unknown) => error);
  await control.ping();
  program.signal('SIGKILL');
  t.match(await hold, { retryable: true, code: /^interaction_(timeout|transport_error)$/ });
  session.disconnect();
  t.match(await session.tap(0, 0).catch((error: unknown) => error), { code: 'interaction_transport_error' });
});

t.test('a service that drains ends what runs, and says so', async (t) => {
  const data = temporaryDataDir();
  const program = serverProgram(data.path, { RUNCLOUD_API_KEY: TEST_KEY, RUNCLOUD_LOG: 'error' });
  t.teardown(() => data.remove());
  const cloud = new RunCloud({ apiKey: TEST_KEY, baseUrl: await program.ready() });
  const session = await cloud.sessions.create({ platform: 'android' });
  const control = await session.connect();
  const events = control.events();
  const hold = session.pressButton('power', { durationMs: 10_000 }).catch((error: unknown) => error);
  await control.ping();
  program.signal('SIGTERM');
  t.match(await hold, { retryable: Boolean, interactionStatus: /cancelled|failed/ });
  for await (const event of events) if (event.event === 'session.ended') break;
  session.disconnect();
  t.same(await program.ended, { code: 0, signal: null });
});

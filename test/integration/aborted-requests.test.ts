import t from 'tap';
import { abortAtRandom } from '../support/abort-at-random.ts';
import { Bystander } from '../support/bystander.ts';
import { RestClient } from '../support/rest-client.ts';
import { startServer, TEST_KEY } from '../support/server.ts';
import { serverProgram, temporaryDataDir } from '../support/server-process.ts';
import { watchFaults } from '../support/watch-faults.ts';

t.test('a thousand callers that leave at any moment harm no other and leave nothing behind', async (t) => {
  const faults = watchFaults();
  const server = await startServer();
  t.teardown(() => server.close());
  const session = await server.rest.createSession('ios');
  const bystander = await Bystander.start(server);
  const shots = (async () => {
    for (let index = 0; index < 5; index++) await server.rest.screenshot(session);
  })();
  await abortAtRandom(server.rest, session, 1_000);
  await shots;
  t.ok((await bystander.stop()) > 0);
  t.match(await server.rest.interact(session, { requestId: 'after', action: 'tap', x: 0.5, y: 0.5 }), {
    status: 200,
    body: { ok: true },
  });
  t.equal(Buffer.from(await server.rest.screenshot(session)).toString('latin1', 1, 4), 'PNG');
  t.same(faults(), []);
});

t.test('a server process that a thousand callers left says nothing and stops as usual', async (t) => {
  const dataDir = temporaryDataDir();
  t.teardown(dataDir.remove);
  const program = serverProgram(dataDir.path, {
    RUNCLOUD_API_KEY: TEST_KEY,
    RUNCLOUD_LOG: 'warn',
    RUNCLOUD_RATE_LIMIT: 'off',
  });
  t.teardown(() => program.signal('SIGKILL'));
  const rest = new RestClient(await program.ready(), TEST_KEY);
  const greeting = program.stderr;
  const session = await rest.createSession('android');
  await abortAtRandom(rest, session, 1_000);
  t.match(await rest.interact(session, { action: 'tap', x: 0.5, y: 0.5 }), { status: 200, body: { ok: true } });
  program.signal('SIGTERM');
  t.same(await program.ended, { code: 0, signal: null });
  t.equal(program.stderr, greeting);
});

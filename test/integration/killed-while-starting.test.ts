import { setTimeout as sleep } from 'node:timers/promises';
import type { Platform, SessionRecord } from '@runcloud/protocol';
import t from 'tap';
import { RestClient } from '../support/rest-client.ts';
import { TEST_KEY } from '../support/server.ts';
import { serverProgram, temporaryDataDir } from '../support/server-process.ts';

const HELD = new URL('../support/held-devices.mjs', import.meta.url).pathname;

t.test('a key whose session was still starting when the service was killed makes a new one', async (t) => {
  const dataDir = temporaryDataDir();
  t.teardown(dataDir.remove);
  const start = async (environment: Readonly<Record<string, string>> = {}) => {
    const program = serverProgram(dataDir.path, { RUNCLOUD_API_KEY: TEST_KEY, ...environment });
    t.teardown(() => program.signal('SIGKILL'));
    return { program, rest: new RestClient(await program.ready(), TEST_KEY) };
  };
  const create = async (rest: RestClient, platform: Platform, key: string) => {
    const response = await rest.fetch('/service/sessions', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'Idempotency-Key': key },
      body: JSON.stringify({ platform }),
    });
    return { status: response.status, body: (await response.json()) as SessionRecord };
  };

  const first = await start({ NODE_OPTIONS: `--import=${HELD}` });
  const begun = await create(first.rest, 'ios', 'begun');
  t.match(begun, { status: 201, body: { status: 'active' } });
  const lost = t.rejects(create(first.rest, 'android', 'starting'), 'its answer is lost');
  const starting = async () => {
    const { body } = await first.rest.call<{ sessions: SessionRecord[] }>('GET', '/service/sessions?status=starting');
    return body.sessions[0];
  };
  let former = await starting();
  for (; former === undefined; former = await starting()) await sleep(10);
  first.program.signal('SIGKILL');
  await first.program.ended;
  await lost;

  const { rest } = await start();
  const ended = { status: 'failed', releaseReason: 'server_restarted' };
  t.match((await rest.call('GET', `/service/sessions/${former.id}`)).body, ended);
  const made = await create(rest, 'android', 'starting');
  t.match(made, { status: 201, body: { platform: 'android', status: 'active' } });
  t.not(made.body.id, former.id);
  t.match(await create(rest, 'android', 'starting'), { status: 200, body: { id: made.body.id, status: 'active' } });
  t.match((await rest.interact(made.body, { action: 'tap', x: 0.5, y: 0.5 })).body, { status: 'completed' });

  const again = await create(rest, 'ios', 'begun');
  t.match(again, { status: 200, body: { id: begun.body.id, ...ended } }, 'the key of one that had begun is used');
});

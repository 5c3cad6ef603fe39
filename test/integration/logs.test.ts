import t from 'tap';
import { type LogEntry, RunCloud } from '../../client/sdk/index.ts';
import { startServer, TEST_KEY } from '../support/server.ts';

const server = await startServer();
t.teardown(() => server.close());
const { rest } = server;
const runcloud = new RunCloud({ apiKey: TEST_KEY, baseUrl: server.url });

t.test('a follower is told each line once and in order, and ends with the session', async (t) => {
  const { id } = await rest.createSession('ios');
  const session = runcloud.session({ platform: 'ios', id });
  const lines: LogEntry[] = [];
  const following = (async () => {
    for await (const line of session.logs({ follow: true })) lines.push(line);
  })();
  await session.launchApp('notes');
  await session.openUrl('https://a.example/page');
  await session.configureDevice({ network: 'offline' });
  const all: LogEntry[] = [];
  for await (const line of session.logs()) all.push(line);
  const text = all.map((line) => `${line.process}: ${line.text}`).join('\n');
  t.match(text, /system: launch .*notes/);
  t.match(text, /browser: navigate .*a\.example/);
  t.match(text, /system: network .*offline/);
  const texts = async (options: object) => {
    const told: string[] = [];
    for await (const line of session.logs(options)) told.push(line.process);
    return told;
  };
  t.same([...new Set(await texts({ process: 'browser' }))], ['browser']);
  t.same(await texts({ level: 'fatal' }), []);
  t.equal((await texts({ limit: 2 })).length, 2);
  while (lines.length < all.length) await new Promise((resolve) => setTimeout(resolve, 50));
  await session.delete();
  await following;
  t.same(lines.slice(0, all.length), all);
  t.same(
    lines.map(({ seq }) => seq),
    lines.map((_, index) => index + 1),
  );
  t.equal((await rest.fetch(`/service/ios/${id}/logs`)).status, 404);
});

t.test('bad options are named before anything is sent', async (t) => {
  const session = runcloud.session({ platform: 'ios', id: 'ses_4kZ1bQx7RmT9vLs2WcHn0e' });
  t.throws(() => session.logs({ after: -1 }), { message: /after/ });
  t.throws(() => session.logs({ limit: 0 }), { message: /limit/ });
  t.throws(() => session.logs({ level: 'loud' as never }), { message: /level/ });
  t.throws(() => session.logs({ process: '' }), { message: /process/ });
});

import { join } from 'node:path';
import t from 'tap';
import { commandLine } from '../../support/command-line.ts';
import { ControlClient } from '../../support/control-client.ts';
import { startServer, TEST_KEY } from '../../support/server.ts';

const server = await startServer();
t.teardown(() => server.close());

t.test('control is shown, asked for, taken, granted and given up', async (t) => {
  const state = { stateFolder: join(t.testdir({}), 'state') };
  const env = { RUNCLOUD_API_KEY: TEST_KEY, RUNCLOUD_BASE_URL: server.url };
  const run = (...args: string[]) => commandLine(args, { env, ...state });
  const session = JSON.parse((await run('session', 'create', 'ios', '--json')).stdout);
  t.match(await run('control', 'status'), { code: 0, stdout: '' });
  t.match(JSON.parse((await run('control', 'status', '--json')).stdout), { waiting: [] });

  const record = (await server.rest.call('GET', `/service/sessions/${session.id}`)).body;
  const guest = await ControlClient.connectWithToken(server.url, record as never, server.url);
  const ask = async (type: string, requestId: string) => {
    guest.send({ type, requestId });
    return guest.result(requestId);
  };
  await ask('control.request', '1');
  t.match(await run('control', 'status'), { code: 0, stdout: /^prt_\w+ {2}control {2}Session link\n$/ });
  const refused = await run('tap', '0.5', '0.5');
  t.match(refused, { code: 1, stderr: /"not_in_control"/ });
  for (const input of [
    ['tap', '0.5', '0.5'],
    ['open-url', 'https://a.example'],
    ['clipboard', 'set', 'text'],
  ]) {
    t.equal((await run(...input, '--force')).code, 0, `${input[0]} by force`);
  }
  t.match(await run('control', 'request'), { stdout: /^prt_\w+ {2}control {2}.*\nprt_\w+ {2}waiting {2}.*\n$/ });
  t.match(await run('control', 'take'), { code: 0, stdout: /^prt_\w+ {2}control {2}/ });
  t.equal((await run('tap', '0.5', '0.5')).code, 0);
  await ask('control.request', '2');
  const { waiting } = JSON.parse((await run('control', 'status', '--json')).stdout);
  t.match(await run('control', 'deny', waiting[0].id), { code: 0 });
  t.match(await run('control', 'grant', waiting[0].id), { code: 1, stderr: /"control_request_not_found"/ });
  await ask('control.request', '3');
  t.match(await run('control', 'grant', waiting[0].id), { code: 0, stdout: /control {2}Session link\n$/ });
  await ask('control.release', '4');
  t.match(await run('control', 'release'), { code: 0, stdout: '' });
  await guest.close();
});

t.test('a person reads who has control, and what to do when that is another', async (t) => {
  const env = { RUNCLOUD_API_KEY: TEST_KEY, RUNCLOUD_BASE_URL: server.url };
  const io = { env, stateFolder: join(t.testdir({}), 'state'), isTerminal: true };
  const run = (...args: string[]) => commandLine(args, io);
  await run('session', 'create', 'ios');
  t.match((await run('control', 'status')).stdout, 'Nobody has control: everybody may send input');
  t.match((await run('control', 'take')).stdout, /^You \(.+\) have control, since /);
});

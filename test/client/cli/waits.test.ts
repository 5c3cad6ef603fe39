import t from 'tap';
import { RunCloud } from '../../../client/sdk/index.ts';
import { commandLine, failureOf } from '../../support/command-line.ts';
import { startServer, TEST_KEY } from '../../support/server.ts';

const server = await startServer();
t.teardown(() => server.close());
const phone = await new RunCloud({ apiKey: TEST_KEY, baseUrl: server.url }).sessions.create({ platform: 'ios' });
const env = { RUNCLOUD_API_KEY: TEST_KEY, RUNCLOUD_BASE_URL: server.url, RUNCLOUD_SESSION: phone.id };
const stateFolder = t.testdir({});
const run = (...args: readonly string[]) => commandLine(args, { env, stateFolder });

t.test('a check says whether it is so by a line and its exit code', async (t) => {
  t.match(await run('check', '--on', 'Notes'), { code: 0, stdout: /^button "Notes" @\d+\n$/, stderr: '' });
  t.match(await run('check', '--on', 'Never there'), {
    code: 1,
    stdout: /^No element "Never there" in frame \d+\.\n$/,
    stderr: '',
  });
  t.match(await run('check', '--on', 'Never there', '--not'), { code: 0, stdout: 'no such element\n' });
  const { code, stdout } = await run('check', '--on', 'Never there', '--json');
  t.equal(code, 1);
  t.match(JSON.parse(stdout), { holds: false, count: 0, found: /^No element/ });
});

t.test('a wait ends when it is so, and with the code of a timeout when it is not', async (t) => {
  const waiting = run('wait', '--role', 'textfield', '--value', 'Milk', '--timeout', '20s');
  await phone.tapElement({ text: 'Notes' });
  await phone.typeText('Milk', { target: { role: 'textfield' } });
  t.match(await waiting, { code: 0, stdout: /^textfield "Note" @\d+\n$/ });
  t.match(await run('wait', '--idle'), { code: 0, stdout: 'settled\n' });
  const late = await run('wait', '--on', 'Never there', '--timeout', '200ms');
  t.match(late, { code: 124, stdout: '' });
  t.match(failureOf(late).error, { code: 'wait_timeout', message: /^No element "Never there" in frame \d+/ });
});

t.test('what cannot be asked is refused before anything is sent', async (t) => {
  for (const [args, sentence] of [
    [['wait'], /"target" is required, or idle/],
    [['check'], /"target" is required/],
    [['check', '--on', 'Notes', '--text', 'a', '--value', 'b'], /"value" must be alone/],
    [['wait', '--idle', '--on', 'Notes'], /"target" is not for idle/],
    [['wait', '--ref', '2', '--frame', '1'], /"target\.ref" belongs to one frame/],
    [['wait', '--on', 'Notes', '--is', 'blue'], /"is" must be one of/],
  ] as const) {
    const refused = await run(...args);
    t.equal(refused.code, 2);
    t.match(failureOf(refused).error, { code: 'invalid_request', message: sentence }, args.join(' '));
  }
});

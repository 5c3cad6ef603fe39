import t from 'tap';
import { RunCloud } from '../../../client/sdk/index.ts';
import { commandLine, failureOf } from '../../support/command-line.ts';
import { startServer, TEST_KEY } from '../../support/server.ts';

const server = await startServer();
t.teardown(() => server.close());
const phone = await new RunCloud({ apiKey: TEST_KEY, baseUrl: server.url }).sessions.create({ platform: 'android' });
const env = { RUNCLOUD_API_KEY: TEST_KEY, RUNCLOUD_BASE_URL: server.url, RUNCLOUD_SESSION: phone.id };
const stateFolder = t.testdir({});
const run = (...args: readonly string[]) => commandLine(args, { env, stateFolder });

t.test('--observe tells what an input changed, and done is done', async (t) => {
  t.match(await run('tap', '--on', 'Settings', '--observe'), {
    code: 0,
    stdout:
      /^tapElement completed in \d+ ms\nthe screen changed after \d+ ms, and stood still after \d+ ms\nframe \d+ · Settings · /,
    stderr: '',
  });
  t.match(await run('tap', '0.99', '0.5', '--observe'), {
    code: 0,
    stdout: /^tap completed in \d+ ms\nnothing changed within 500 ms\n$/,
    stderr: '',
  });
  const { code, stdout } = await run('rotate', 'landscape_left', '--observe', '--json');
  t.equal(code, 0);
  t.match(JSON.parse(stdout), { ok: true, observed: { changed: true, area: { width: 1, height: 1 } } });
  t.match(await run('launch', 'motion', '--observe'), {
    stdout: /\nthe screen changed after \d+ ms, and went on moving\n/,
  });
  t.match(await run('tap', '0.5', '0.5', '--observe'), {
    code: 0,
    stdout: /\nwhether it changed anything is not known: the screen moves by itself\n$/,
  });
});

t.test('what changes nothing is not observed', async (t) => {
  const refused = await run('apps', '--observe');
  t.equal(refused.code, 2);
  t.match(failureOf(refused).error, { code: 'invalid_request' });
});

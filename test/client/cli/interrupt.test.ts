import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import t from 'tap';
import { commandProcess, failureOf } from '../../support/command-line.ts';
import { mp4 } from '../../support/files.ts';
import { answerJson, startScriptedHttp } from '../../support/scripted-http.ts';
import { startServer, TEST_KEY } from '../../support/server.ts';

const server = await startServer();
t.teardown(() => server.close());

async function until(fits: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await fits())) await sleep(20);
}

t.test('Ctrl-C in the middle of an interaction lets the device go of it, and the session stays', async (t) => {
  const session = await server.rest.createSession('ios');
  const env = {
    RUNCLOUD_API_KEY: TEST_KEY,
    RUNCLOUD_BASE_URL: server.url,
    RUNCLOUD_SESSION: session.id,
    XDG_CONFIG_HOME: t.testdir({}),
  };
  const { child, ended } = commandProcess(['button', 'power', '--duration', '20s', '--timeout', '30s'], env);
  await until(async () => (await server.inspect('ios', session.id)).heldButtons.length > 0);
  child.kill('SIGINT');
  const finished = await ended;
  t.equal(finished.code, 130);
  t.equal(finished.stdout, '');
  t.match(failureOf(finished), {
    ok: false,
    requestId: /^req_/,
    sessionId: session.id,
    platform: 'ios',
    action: 'pressButton',
    status: 'cancelled',
    error: { code: 'interaction_cancelled', retryable: false },
  });
  await until(async () => (await server.inspect('ios', session.id)).heldButtons.length === 0);
  const { body } = await server.rest.call<{ status: string }>('GET', `/service/sessions/${session.id}`);
  t.equal(body.status, 'active');
});

t.test('Ctrl-C in the middle of a download leaves no file behind', async (t) => {
  const folder = t.testdir({});
  const service = await startScriptedHttp(t, ({ path }, response) => {
    if (path === '/service/sessions/ses_1') return answerJson(response, 200, { id: 'ses_1', platform: 'ios' });
    if (path.endsWith('/download')) return void response.writeHead(302, { Location: '/file' }).end();
    response.writeHead(200, { 'Content-Type': 'video/mp4' }).write(mp4().subarray(0, 500));
    return undefined;
  });
  const env = { RUNCLOUD_API_KEY: TEST_KEY, RUNCLOUD_BASE_URL: service.url, XDG_CONFIG_HOME: folder };
  const output = join(folder, 'demo.mp4');
  const { child, ended } = commandProcess(['record', 'download', 'rec_1', '-s', 'ses_1', '-o', output], env);
  await until(() => readdirSync(folder).some((name) => name.endsWith('.part')));
  child.kill('SIGINT');
  const finished = await ended;
  t.match([finished.code, failureOf(finished)], [130, { status: 'cancelled' }]);
  t.same(readdirSync(folder), []);
});

t.test('Ctrl-C ends watch without a word', async (t) => {
  const session = await server.rest.createSession('ios');
  const env = { RUNCLOUD_API_KEY: TEST_KEY, RUNCLOUD_BASE_URL: server.url, XDG_CONFIG_HOME: t.testdir({}) };
  const { child, taken, ended } = commandProcess(['watch', '--session', session.id], env);
  await until(() => taken.stdout.includes('connected'));
  child.kill('SIGINT');
  const finished = await ended;
  t.match([finished.code, finished.stderr], [130, '']);
});

import t from 'tap';
import { ACTION_COMMANDS } from '../../../client/cli/action-commands.ts';
import { commandLine, failureOf } from '../../support/command-line.ts';
import { RIGHT_COMMANDS } from '../../support/right-commands.ts';
import { STUBBORN, startStubbornService } from '../../support/stubborn-service.ts';

const SHORT = {
  answerMs: 200,
  workMs: 200,
  createMs: 200,
  connectMs: 200,
  graceMs: 100,
  silenceMs: 200,
  uploadedMs: 200,
};
/** Commands that take a timeout of their own. */
const TIMED: readonly string[] = [
  'tap',
  'install',
  ...Object.values(ACTION_COMMANDS).map(({ name }) => name),
  'screenshot',
];

const steps = '[{"phase":"begin","points":[{"x":0,"y":0}]},{"phase":"end","points":[{"x":0,"y":0}]}]';

for (const manner of STUBBORN) {
  t.test(`every command comes to an end where a service is stubborn: ${manner}`, async (t) => {
    const RUNCLOUD_BASE_URL = await startStubbornService(t, manner);
    const env = { RUNCLOUD_API_KEY: 'a-key', RUNCLOUD_SESSION: 'ses_1', RUNCLOUD_BASE_URL };
    const about = { env, stdin: steps, stateFolder: '/nonexistent/state', bounds: SHORT };
    const commands = RIGHT_COMMANDS.map((args) =>
      TIMED.includes(args[0] ?? '') ? [...args, '--timeout', '100ms'] : args,
    );
    const all = await Promise.all(commands.map((args) => commandLine(args, about)));
    for (const [index, finished] of all.entries()) {
      const args = (commands[index] ?? []).join(' ');
      const [name = ''] = commands[index] ?? [];
      const code = TIMED.includes(name) ? /^(interaction|screenshot)_timeout$/ : /timeout$/;
      t.match([finished.code, failureOf(finished)], [124, { ok: false, status: 'timed_out', error: { code } }], args);
      t.equal(finished.stdout, '', args);
    }
  });
}

t.test('an interaction ends soon after its own timeout, the question for its session included', async (t) => {
  const RUNCLOUD_BASE_URL = await startStubbornService(t, 'silent');
  const env = { RUNCLOUD_API_KEY: 'a-key', RUNCLOUD_SESSION: 'ses_1', RUNCLOUD_BASE_URL };
  const about = { env, stateFolder: '/nonexistent/state' };
  const ended: string[] = [];
  const run = async (name: string, args: readonly string[]) => {
    const finished = await commandLine(args, about);
    ended.push(name);
    return finished;
  };
  // The second has a grace of two seconds as well, and so tells how long the first one's may be.
  const [short] = await Promise.all([
    run('1s', ['tap', '0', '0', '--timeout', '1s', '--request-id', 'mine']),
    run('6s', ['screenshot', '-o', '-', '--timeout', '6s']),
  ]);
  t.same(ended, ['1s', '6s']);
  t.match(failureOf(short), {
    requestId: 'mine',
    action: 'tap',
    status: 'timed_out',
    error: { code: 'interaction_timeout', retryable: true },
  });
});

t.test('a sign-in does not wait without end either', async (t) => {
  const RUNCLOUD_BASE_URL = await startStubbornService(t, 'byte by byte');
  const finished = await commandLine(['login'], {
    env: { RUNCLOUD_BASE_URL },
    stateFolder: t.testdir({}),
    bounds: SHORT,
  });
  t.match([finished.code, failureOf(finished)], [124, { error: { code: 'request_timeout' } }]);
});

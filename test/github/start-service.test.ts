import { dirname } from 'node:path';
import t, { type Test } from 'tap';
import { ScriptStage } from '../support/script-stage.ts';

function stageOf(t: Test): ScriptStage {
  const stage = new ScriptStage({ START_SECONDS: '240', END_SECONDS: '240' });
  t.teardown(() => stage.remove());
  return stage;
}

const run = (stage: ScriptStage, more: Readonly<Record<string, string>> = {}) =>
  stage.run('start-service.sh', [], {
    PATH: `${stage.folder}:${dirname(process.execPath)}:/usr/bin:/bin`,
    // npm asks its registry for news of itself otherwise.
    npm_config_update_notifier: 'false',
    ...more,
  });

t.test("README's start serves, and ends", async (t) => {
  const end = await run(stageOf(t));
  t.same(end, { code: 0, stdout: 'The service started, was ready, and ended.\n', stderr: '' });
});

/** Stands for `npm start`: where it says that the service listens, nobody does. */
const LISTENS = "echo 'RunCloud listening on http://127.0.0.1:1'";

const FAULTS: readonly (readonly [body: string, message: string, more?: Record<string, string>])[] = [
  ['echo "wrong setting"; exit 1', 'The service ended instead of listening'],
  ['exec sleep 600', 'The service does not listen after 1 seconds', { START_SECONDS: '1' }],
  [`${LISTENS}; exec sleep 600`, 'The service listens, but is not ready'],
];

for (const [body, message, more] of FAULTS) {
  t.test(`a fault says what is wrong: ${message}`, async (t) => {
    const { code, stderr } = await run(stageOf(t).program('npm', body), more);
    t.equal(code, 1);
    t.match(stderr, `::error::${message}\n`);
  });
}

t.test('a service that does not start shows its last words', async (t) => {
  const stage = stageOf(t).program('npm', 'echo "a setting is wrong" >&2; exit 1');
  t.match((await run(stage)).stderr, 'a setting is wrong');
});

t.test('a service that stays after SIGTERM is a fault, and is killed', async (t) => {
  const stays = `trap '' TERM; echo $$ >"$HOME/pid"; ${LISTENS}; while :; do sleep 0.05; done`;
  const stage = stageOf(t).program('npm', stays).program('curl');
  const { code, stderr } = await run(stage, { END_SECONDS: '1' });
  t.equal(code, 1);
  t.match(stderr, '::error::The service still runs 1 seconds after SIGTERM\n');
});
